import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAnswer } from '../api/query';
import { useMay } from '../api/viewer';
import { Choice } from '../shared/Choice';
import { recordHref } from '../shared/links';
import { many } from '../shared/numbers';
import { Delete } from './Delete';
import { Dialog } from './Dialog';
import { ConceptsLikeDocument, DeleteConceptDocument, LinkConceptsDocument, RefineConceptDocument, type LinkConceptsMutationVariables } from './operations.generated';
import { useAct } from './useAct';

type Concept = { id: string; name: string; content: string; labels: string[]; revisions: unknown[]; relations: unknown[] };
type Relation = LinkConceptsMutationVariables['input']['type'];

/** What can be done with a concept: say it otherwise, put another in its place, link it, delete it. */
export function EditConcept({ concept }: { concept: Concept }) {
  const may = useMay('WRITER');
  const [doing, setDoing] = useState<'edit' | 'link' | 'supersede'>();
  if (!may) return null;
  const close = () => setDoing(undefined);
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => setDoing('edit')}>
        Edit…
      </Button>
      <Button size="xs" variant="default" onClick={() => setDoing('supersede')}>
        Supersede…
      </Button>
      <Button size="xs" variant="default" onClick={() => setDoing('link')}>
        Link…
      </Button>
      <Delete id={concept.id} what="concept" operation={DeleteConceptDocument} onDone={() => (location.hash = '#/memory')}>
        “{concept.name}” goes, with {many(concept.revisions.length, 'earlier revision')} and {many(concept.relations.length, 'relation')}. What mentions it stays.
      </Delete>
      {doing === 'edit' && <Edit concept={concept} onClose={close} />}
      {doing === 'supersede' && <Link concept={concept} first="SUPERSEDED_BY" onClose={close} />}
      {doing === 'link' && <Link concept={concept} onClose={close} />}
    </Group>
  );
}

function Edit({ concept, onClose }: { concept: Concept; onClose: () => void }) {
  const [content, setContent] = useState(concept.content);
  const [labels, setLabels] = useState(concept.labels.join(', '));
  const act = useAct(RefineConceptDocument, onClose);
  const named = labels.split(',').flatMap((label) => label.trim() || []);
  return (
    <Dialog title={`Edit ${concept.name}`} act="Save" disabled={content.trim() === ''} busy={act.isPending} error={act.error} onAct={() => act.mutate({ input: { id: concept.id, content, labels: named } })} onClose={onClose}>
      <Stack gap="xs">
        <Textarea label="What is known" description="What it says now is kept as a revision." value={content} onChange={(event) => setContent(event.currentTarget.value)} autosize minRows={4} maxRows={16} data-autofocus />
        <TextInput label="Labels, with commas between" value={labels} onChange={(event) => setLabels(event.currentTarget.value)} />
      </Stack>
    </Dialog>
  );
}

const relations: Relation[] = ['PART_OF', 'DEPENDS_ON', 'RELATED_TO', 'CONTRADICTS', 'REFINES', 'ALTERNATIVE_TO', 'CAUSED_BY', 'INSTANCE_OF'];
const pause = 200; // milliseconds without a key, after which is asked

function Link({ concept, first, onClose }: { concept: Concept; first?: Relation; onClose: () => void }) {
  const [type, setType] = useState<Relation>(first ?? 'RELATED_TO');
  const [written, setWritten] = useState('');
  const [target, setTarget] = useState<string>();
  const [query] = useDebouncedValue(written.trim(), pause);
  const found = useAnswer(ConceptsLikeDocument, { query }, { enabled: query !== '' });
  const act = useAct(LinkConceptsDocument, () => {
    onClose();
    if (first && target) location.hash = recordHref(target);
  });
  const others = (found.data?.searchConcepts.nodes ?? []).filter((hit) => hit.concept.id !== concept.id);
  return (
    <Dialog
      title={first ? `What holds in place of ${concept.name}` : `Link ${concept.name}`}
      act={first ? 'Supersede' : 'Link'}
      disabled={!target}
      busy={act.isPending}
      error={act.error}
      onAct={() => target && act.mutate({ input: { sourceId: concept.id, targetId: target, type } })}
      onClose={onClose}
    >
      <Stack gap="xs">
        {!first && (
          <Choice
            label="How it relates"
            value={type === 'RELATED_TO' ? undefined : type}
            any="related to"
            options={relations.filter((one) => one !== 'RELATED_TO').map((one) => ({ value: one, label: one.toLowerCase().replaceAll('_', ' ') }))}
            onChange={(chosen) => setType((chosen as Relation) ?? 'RELATED_TO')}
          />
        )}
        <TextInput label="Find the other concept" value={written} onChange={(event) => setWritten(event.currentTarget.value)} data-autofocus />
        <Stack gap={2} role="group" aria-label="Concepts found">
          {query !== '' &&
            others.map((hit) => (
              <Button key={hit.concept.id} size="compact-sm" variant={hit.concept.id === target ? 'light' : 'subtle'} justify="flex-start" aria-pressed={hit.concept.id === target} onClick={() => setTarget(hit.concept.id)}>
                {hit.concept.name} ({hit.concept.memoir.name})
              </Button>
            ))}
        </Stack>
      </Stack>
    </Dialog>
  );
}
