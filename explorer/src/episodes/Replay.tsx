import { Button, Group, Paper, Slider, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipBack, IconPlayerTrackNext, IconPlayerTrackPrev } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useList } from '../api/list';
import { Json } from '../shared/Json';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import { ReplayDocument } from './operations.generated';
import type { Entry } from './steps';

const pace = 1200; // milliseconds for each step while it plays

const route = getRouteApi('/episodes/$id');

/** The log of the run, step by step; nothing where the episode has none. The step stands in the address. */
export function Replay({ id }: { id: string }) {
  const log = useList(ReplayDocument, { id }, (data) => data.replay);
  const events = log.data?.nodes ?? [];
  const total = log.data?.totalCount ?? 0;
  if (total === 0) return null;
  return <Player events={events} total={total} more={log.hasNextPage ? () => void log.fetchNextPage({ cancelRefetch: false }) : undefined} />;
}

function Player({ events, total, more }: { events: Entry[]; total: number; more?: () => void }) {
  const navigate = route.useNavigate();
  const step = Math.min(route.useSearch().step ?? 0, total - 1);
  const last = step >= total - 1;
  const go = (to: number) => void navigate({ search: (here) => ({ ...here, step: to }), replace: true, resetScroll: false });
  const playing = useInterval(() => (last ? playing.stop() : go(step + 1)), pace);
  const event = events[step];
  useEffect(() => {
    if (!event) more?.();
  }, [event, more]);
  useEffect(() => {
    if (last) playing.stop();
  }, [last]);
  return (
    <Section title="Replay" about={`The log of the run, step ${step + 1} of ${total}.`}>
      <Group gap="xs">
        <Step label="Start" Icon={IconPlayerSkipBack} disabled={step === 0} onClick={() => go(0)} />
        <Step label="Step back" Icon={IconPlayerTrackPrev} disabled={step === 0} onClick={() => go(step - 1)} />
        <Step label={playing.active ? 'Pause' : 'Play'} Icon={playing.active ? IconPlayerPause : IconPlayerPlay} disabled={last} onClick={playing.toggle} />
        <Step label="Step on" Icon={IconPlayerTrackNext} disabled={last} onClick={() => go(step + 1)} />
      </Group>
      <Slider thumbLabel="Step" label={null} value={step + 1} min={1} max={total} onChange={(value) => go(value - 1)} />
      <Stack gap="xs" aria-live="polite">
        {event && <EventCard event={event} />}
      </Stack>
      {!event && (
        <Text size="sm">
          Reading the log: {events.length} of {step + 1} entries…
        </Text>
      )}
      {step > 0 && (
        <Text size="sm" c="dimmed" className="written">
          Before: {events.slice(0, step).map((earlier) => earlier.type).slice(-8).join(' → ')}
        </Text>
      )}
    </Section>
  );
}

function Step({ label, Icon, disabled, onClick }: { label: string; Icon: typeof IconPlayerPlay; disabled: boolean; onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<Icon size={14} aria-hidden />} disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  );
}

function EventCard({ event }: { event: Entry }) {
  return (
    <Paper withBorder p="sm">
      <Text size="sm" fw={600}>
        {event.sequence}. {event.type}
      </Text>
      <Text size="xs" c="dimmed">
        <When at={event.at} />
      </Text>
      <Json value={event.data} />
    </Paper>
  );
}
