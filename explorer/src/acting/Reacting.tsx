import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay, useViewer } from '../api/viewer';
import { Failed } from '../shared/Answered';
import { canvasName } from '../shared/CanvasLine';
import { Choice } from '../shared/Choice';
import { Section } from '../shared/Section';
import { SubmitFeedbackDocument } from './operations.generated';
import { useAct } from './useAct';

type Canvas = { id: string; canvasType: string; componentType: string | null };

const ratings = ['1', '2', '3', '4', '5'];

/** Where a person says how an episode was, or a canvas of it: a thumb or a rating, with words where there are some. */
export function Reacting({ episodeId, canvases }: { episodeId: string; canvases: Canvas[] }) {
  const may = useMay('WRITER');
  const viewer = useViewer();
  const [on, setOn] = useState<string>();
  const [corrections, setCorrections] = useState('');
  const [comment, setComment] = useState('');
  const [by, setBy] = useState<string>();
  const act = useAct(SubmitFeedbackDocument, () => {
    setCorrections('');
    setComment('');
  });
  if (!may) return null;
  const say = (type: 'THUMBS_UP' | 'THUMBS_DOWN' | 'RATING', rating?: number) =>
    act.mutate({ input: { episodeId, canvasId: on, type, rating, corrections: corrections.trim() || undefined, comment: comment.trim() || undefined, createdBy: (by ?? viewer?.name)?.trim() || undefined } });
  return (
    <Section title="Say how it was" about="Words are optional, and sent with the thumb or the rating.">
      <Stack gap="xs">
        {canvases.length > 0 && <Choice label="On" value={on} any="the whole episode" options={canvases.map((canvas) => ({ value: canvas.id, label: `canvas ${canvasName(canvas)}` }))} onChange={setOn} />}
        <Textarea label="What it should have been" value={corrections} onChange={(event) => setCorrections(event.currentTarget.value)} autosize minRows={1} />
        <Textarea label="Comment" value={comment} onChange={(event) => setComment(event.currentTarget.value)} autosize minRows={1} />
        <TextInput label="Your name" value={by ?? viewer?.name ?? ''} onChange={(event) => setBy(event.currentTarget.value)} />
        <Group gap="xs" role="group" aria-label="How it was">
          <Button size="xs" variant="default" disabled={act.isPending} leftSection={<IconThumbUp size={14} aria-hidden />} onClick={() => say('THUMBS_UP')}>
            Good
          </Button>
          <Button size="xs" variant="default" disabled={act.isPending} leftSection={<IconThumbDown size={14} aria-hidden />} onClick={() => say('THUMBS_DOWN')}>
            Bad
          </Button>
          {ratings.map((rating) => (
            <Button key={rating} size="xs" variant="default" disabled={act.isPending} aria-label={`${rating} of 5`} onClick={() => say('RATING', Number(rating))}>
              {rating} ★
            </Button>
          ))}
        </Group>
        {act.error && <Failed error={act.error} />}
        <div role="status">{act.isSuccess && 'Thank you: it is recorded.'}</div>
      </Stack>
    </Section>
  );
}
