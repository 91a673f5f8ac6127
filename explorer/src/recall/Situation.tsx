import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { shortened } from '../shared/shortened';

type Episode = { id: string; taskType: string | null; observation: string };

const examplesShown = 3;
const longestExample = 80; // characters of an example that are shown

/** Where the situation is written; Enter asks, Shift-Enter begins a line. */
export function Situation({ value, examples, onAsk }: { value: string | undefined; examples: Episode[]; onAsk: (situation: string | undefined) => void }) {
  const [written, setWritten] = useState(value ?? '');
  const ask = (event?: FormEvent) => {
    event?.preventDefault();
    onAsk(written.trim() || undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      ask();
    }
  };
  return (
    <Stack gap="xs" component="form" onSubmit={ask}>
      <Group align="flex-end" wrap="wrap">
        <Textarea
          label="Situation"
          placeholder="What is the agent about to do?"
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          rows={2}
          flex="1 1 20rem"
        />
        <Button type="submit">Recall</Button>
      </Group>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Try:
        </Text>
        {oneOfEachTask(examples).map((episode) => (
          <Button key={episode.id} size="compact-sm" variant="light" maw="100%" h="auto" py={2} fw={400} styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }} onClick={() => onAsk(episode.observation.trim())}>
            {shortened(episode.observation.trim().replace(/\s+/g, ' '), longestExample, true)}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

/** The newest episode of each of some types of tasks: what this memory knows something of. */
function oneOfEachTask(episodes: Episode[]): Episode[] {
  const byTask = new Map<string | null, Episode>();
  for (const episode of episodes) if (!byTask.has(episode.taskType)) byTask.set(episode.taskType, episode);
  return [...byTask.values()].slice(0, examplesShown);
}
