import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type Sigma from 'sigma';
import { Failed } from '../shared/Answered';
import { OfferSample } from '../shared/Empty';
import { nameOf } from '../shared/names';
import { NewEpisodes } from '../shared/NewEpisodes';
import { Page } from '../shared/Page';
import { Range } from '../shared/Range';
import { openSearch } from '../search/Search';
import { communitiesOf } from './communities';
import { Details } from './Details';
import { Drawing } from './Drawing';
import { Legend, Links } from './Legend';
import { mostEpisodes } from './picture';
import { Records } from './Records';
import { saveLinks, savePicture } from './save';
import { colouringOf, pinned, withPin, type GraphSearch, type Point } from './search';
import { useSeen, type Seen } from './seen';
import { Times } from './Times';
import { useLayout } from './useLayout';
import { useModel } from './useModel';

const route = getRouteApi('/graph');

const atAGlance = `The newest ${mostEpisodes} episodes, and the agents and concepts that are linked most. Choose one, and expand it.`;
const around = 'A record and what is linked with it. Choose any of them, and expand it.';

/** The memory as a graph: at a glance, or from any record on. */
export function GraphPage() {
  const search = route.useSearch();
  return (
    <Page title="Graph" about={search.root ? around : atAGlance}>
      <NewEpisodes />
      <View search={search} />
    </Page>
  );
}

function View({ search }: { search: GraphSearch }) {
  const navigate = route.useNavigate();
  const sigma = useRef<Sigma>(null);
  const { model, onPath, more, truncated, pending, error, pathMissing } = useModel(search);
  const steps = useSteps();
  const seen = useSeen(model, search);
  const pins = useMemo(() => pinned(search.pins), [search.pins]);
  const layout = useLayout(model.stages, pins);
  const by = colouringOf(search);
  const { communities, colourOf } = useMemo(() => (by === 'community' ? communitiesOf(model) : { communities: [], colourOf: undefined }), [model, by]);
  const change = (part: Partial<GraphSearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  const select = (id: string | undefined) => void navigate({ search: { ...search, selected: id }, replace: true, resetScroll: false });
  const find = (wanted: string) => void navigate({ search: { ...search, find: wanted || undefined }, replace: true, resetScroll: false });
  const open = (id: string) => {
    if (id !== search.root && !search.open?.includes(id)) change({ open: [...(search.open ?? []), id], selected: id });
  };
  const pin = (id: string, point: Point) => change({ pins: withPin(search.pins, id, point) });
  const chosen = search.selected ? model.records.get(search.selected) : undefined;
  const from = search.pathFrom && !search.pathTo ? (model.records.get(search.pathFrom) ?? { id: search.pathFrom }) : undefined;
  return (
    <Stack gap="sm">
      <Group component="section" aria-label="Time" gap="sm" align="flex-start">
        {!search.root && <Range search={search} onChange={change} />}
        <Times model={model} search={search} onChange={change} />
      </Group>
      <Acts search={search} seen={seen} more={more} steps={steps} sigma={sigma} onChange={change} />
      {error && <Failed error={error} />}
      {!pending && !error && model.records.size === 0 && (search.range || search.from || search.to ? <Text>Nothing began then.</Text> : <OfferSample what="records" />)}
      {truncated && <Alert color="orange" title="There is more around these records than a walk looks at; what is missing appears when you expand them." />}
      {from && (
        <Alert title={`A path from ${'__typename' in from ? nameOf(from) : from.id}: choose where it leads, then “Path to here”, or find any record.`}>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={openSearch}>
              Path to…
            </Button>
            <Button size="xs" variant="subtle" onClick={() => change({ pathFrom: undefined })}>
              Cancel
            </Button>
          </Group>
        </Alert>
      )}
      {pathMissing && <Alert color="orange" title="There is no path of at most six links between the two." />}
      <Grid gutter="md">
        <Grid.Col span={{ base: 12, md: 8 }} aria-busy={pending}>
          <Drawing
            model={model}
            layout={layout}
            seen={seen}
            without={search.without}
            colourOf={colourOf}
            selected={search.selected}
            onPath={onPath}
            onSelect={select}
            onOpen={open}
            onPin={pin}
            sigma={sigma}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Legend model={model} seen={seen} communities={communities} search={search} onChange={change} />
            {chosen && (
              <Details
                record={chosen}
                seen={seen}
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
            <Records seen={seen} selected={search.selected} wanted={search.find ?? ''} onWanted={find} onSelect={select} />
            <Links model={model} seen={seen} search={search} onChange={change} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

type ActsProps = { search: GraphSearch; seen: Seen; more: boolean; steps: number; sigma: React.RefObject<Sigma | null>; onChange: (part: Partial<GraphSearch>) => void };

/** What can be done with the whole of it. Every change is a step of the browser's history, which is what undo goes back in. */
function Acts({ search, seen, more, steps, sigma, onChange }: ActsProps) {
  const most = Math.max(300, search.most ?? 0);
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" disabled={steps === 0} onClick={() => history.back()}>
        Undo
      </Button>
      {search.root && (
        <Button size="xs" variant="default" onClick={() => onChange({ depth: Math.min(3, (search.depth ?? 1) + 1) })} disabled={search.depth === 3}>
          One step farther
        </Button>
      )}
      {more && (
        <Button size="xs" variant="default" onClick={() => onChange({ most: most + 300 })}>
          More records
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => sigma.current && savePicture(sigma.current)}>
        Save as PNG
      </Button>
      <Button size="xs" variant="default" onClick={() => saveLinks(seen)}>
        Save as CSV
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {seen.records.size} records, {seen.edges.length} links
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
