import { Alert, Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type Sigma from 'sigma';
import { useAnswer } from '../api/query';
import { Answered, Failed } from '../shared/Answered';
import { OfferSample } from '../shared/Empty';
import { graphHref } from '../shared/links';
import { nameOf } from '../shared/names';
import { NewEpisodes } from '../shared/NewEpisodes';
import { Page } from '../shared/Page';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { openSearch } from '../search/Search';
import { Details } from './Details';
import { Drawing } from './Drawing';
import { Legend } from './Legend';
import { RootsDocument } from './operations.generated';
import { Records } from './Records';
import { saveLinks } from './save';
import { pinned, toggled, withPin, type GraphSearch, type Point } from './search';
import { useLayout } from './useLayout';
import { useModel } from './useModel';

const route = getRouteApi('/graph');

const about = 'Records and how they are linked. Choose one to see it; expand it to see what is around it.';

/** The memory as a graph, from any record on. */
export function GraphPage() {
  const search = route.useSearch();
  return (
    <Page title="Graph" about={about}>
      <NewEpisodes />
      {search.root ? <View search={search} /> : <Beginnings />}
    </Page>
  );
}

function View({ search }: { search: GraphSearch }) {
  const navigate = route.useNavigate();
  const sigma = useRef<Sigma>(null);
  const { model, onPath, more, truncated, pending, error, pathMissing } = useModel(search);
  const steps = useSteps();
  const pins = useMemo(() => pinned(search.pins), [search.pins]);
  const layout = useLayout(model.stages, pins);
  const hidden = useMemo(() => ({ kinds: new Set(search.hide), relations: new Set(search.without) }), [search.hide, search.without]);
  const change = (part: Partial<GraphSearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  const select = (id: string | undefined) => void navigate({ search: { ...search, selected: id }, replace: true, resetScroll: false });
  const find = (wanted: string) => void navigate({ search: { ...search, find: wanted || undefined }, replace: true, resetScroll: false });
  const open = (id: string) => {
    if (id !== search.root && !search.open?.includes(id)) change({ open: [...(search.open ?? []), id], selected: id });
  };
  const pin = (id: string, point: Point) => change({ pins: withPin(search.pins, id, point) });
  const chosen = search.selected ? model.records.get(search.selected) : undefined;
  const from = search.from && !search.to ? (model.records.get(search.from) ?? { id: search.from }) : undefined;
  return (
    <Stack gap="sm">
      <Acts search={search} model={model} more={more} steps={steps} sigma={sigma} onChange={change} />
      {error && <Failed error={error} />}
      {truncated && <Alert color="orange" title="There is more around these records than a walk looks at; what is missing appears when you expand them." />}
      {from && (
        <Alert title={`A path from ${'__typename' in from ? nameOf(from) : from.id}: choose where it leads, then “Path to here”, or find any record.`}>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={openSearch}>
              Path to…
            </Button>
            <Button size="xs" variant="subtle" onClick={() => change({ from: undefined })}>
              Cancel
            </Button>
          </Group>
        </Alert>
      )}
      {pathMissing && <Alert color="orange" title="There is no path of at most six links between the two." />}
      <Grid gutter="md">
        <Grid.Col span={{ base: 12, md: 8 }} aria-busy={pending}>
          <Drawing model={model} layout={layout} selected={search.selected} onPath={onPath} hidden={hidden} onSelect={select} onOpen={open} onPin={pin} sigma={sigma} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            {chosen && (
              <Details
                record={chosen}
                model={model}
                search={search}
                pinned={pins.has(chosen.id)}
                at={layout.points.get(chosen.id)}
                onPin={pin}
                onOpen={open}
                onSelect={select}
                onUnpin={() => change({ pins: withPin(search.pins, chosen.id, undefined) })}
                onChange={change}
              />
            )}
            <Records model={model} hidden={hidden.kinds} selected={search.selected} wanted={search.find ?? ''} onWanted={find} onSelect={select} />
            <Legend
              model={model}
              hide={search.hide ?? []}
              without={search.without ?? []}
              onKind={(kind) => change({ hide: toggled(search.hide, kind) })}
              onRelation={(relation) => change({ without: toggled(search.without, relation) })}
            />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

type ActsProps = { search: GraphSearch; model: ReturnType<typeof useModel>['model']; more: boolean; steps: number; sigma: React.RefObject<Sigma | null>; onChange: (part: Partial<GraphSearch>) => void };

/** What can be done with the whole of it. Every change is a step of the browser's history, which is what undo goes back in. */
function Acts({ search, model, more, steps, sigma, onChange }: ActsProps) {
  const picture = async () => {
    const { downloadAsPNG } = await import('@sigma/export-image');
    if (sigma.current) await downloadAsPNG(sigma.current, { fileName: 'mneme-graph', backgroundColor: getComputedStyle(document.body).backgroundColor });
  };
  const most = Math.max(300, search.most ?? 0);
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" disabled={steps === 0} onClick={() => history.back()}>
        Undo
      </Button>
      <Button size="xs" variant="default" onClick={() => onChange({ depth: Math.min(3, (search.depth ?? 1) + 1) })} disabled={search.depth === 3}>
        One step farther
      </Button>
      {more && (
        <Button size="xs" variant="default" onClick={() => onChange({ most: most + 300 })}>
          More records
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => void picture()}>
        Save as PNG
      </Button>
      <Button size="xs" variant="default" onClick={() => saveLinks(model)}>
        Save as CSV
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {model.records.size} records, {model.edges.size} links
      </Text>
    </Group>
  );
}

/** How many steps of this view there are to go back in; those from before it was opened are not its own. */
function useSteps(): number {
  const place = useLocation({ select: (location) => location.state.__TSR_index ?? 0 });
  const first = useRef(place);
  return Math.max(0, place - first.current);
}

/** Where a graph may begin. */
function Beginnings() {
  const answer = useAnswer(RootsDocument, {});
  return (
    <Answered query={answer}>
      {({ agents, memoirs }) =>
        agents.nodes.length + memoirs.nodes.length === 0 ? (
          <OfferSample what="records" />
        ) : (
          <Section title="Where to begin" about="With any record: find one by the search (Ctrl-K), or begin here.">
            <Group>
              {[...memoirs.nodes, ...agents.nodes].map(({ id, name }) => (
                <Anchor key={id} href={graphHref(id)}>
                  {heading(name)}
                </Anchor>
              ))}
            </Group>
          </Section>
        )
      }
    </Answered>
  );
}
