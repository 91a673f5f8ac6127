import { Button, Text } from '@mantine/core';
import { ask } from '../api/client';
import { useMutation } from '@tanstack/react-query';
import { useMay } from '../api/viewer';
import { Failed } from '../shared/Answered';
import { many } from '../shared/numbers';
import { Dialog } from './Dialog';
import { DeleteEpisodesDocument, type EpisodeFilter } from './operations.generated';
import { useAct } from './useAct';

/** Deletes all episodes that the filters keep, after counting them; for admins alone, and never without a filter. */
export function Forget({ filter }: { filter: EpisodeFilter }) {
  const may = useMay('ADMIN');
  const preview = useMutation({ mutationFn: (filter: EpisodeFilter) => ask(DeleteEpisodesDocument, { filter, dryRun: true }) });
  const act = useAct(DeleteEpisodesDocument, () => preview.reset());
  if (!may || Object.values(filter).every((value) => value === undefined)) return null;
  const count = preview.data?.deleteEpisodes.candidates;
  const counted = preview.variables; // which may be others than the filters are by now
  return (
    <>
      <Button size="xs" variant="default" c="var(--mantine-color-red-text)" loading={preview.isPending} onClick={() => preview.mutate(filter)}>
        Delete what is listed…
      </Button>
      {preview.error && <Failed error={preview.error} />}
      {count !== undefined && counted && (
        <Dialog
          title="What would be deleted"
          act={`Delete ${many(count, 'episode')} for good`}
          danger
          disabled={count === 0}
          busy={act.isPending}
          error={act.error}
          onAct={() => act.mutate({ filter: counted, dryRun: false })}
          onClose={() => preview.reset()}
        >
          <Text size="sm">{many(count, 'episode')} that passed the filters when they were counted, with their logs, canvases and feedback.</Text>
        </Dialog>
      )}
    </>
  );
}
