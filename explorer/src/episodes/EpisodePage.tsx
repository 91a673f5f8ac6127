import { Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Delete } from '../acting/Delete';
import { DeleteEpisodeDocument } from '../acting/operations.generated';
import { Reacting } from '../acting/Reacting';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { CanvasLine } from '../shared/CanvasLine';
import { Empty } from '../shared/Empty';
import { EpisodeLine } from '../shared/EpisodeLine';
import { graphHref, recordHref } from '../shared/links';
import { News } from '../shared/News';
import { many } from '../shared/numbers';
import { OutcomeBadge } from '../shared/OutcomeBadge';
import { Page } from '../shared/Page';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { useNews } from '../shared/useNews';
import { Whole } from '../shared/Whole';
import { EpisodeDocument, FeedbackToldDocument, type EpisodeQuery } from './operations.generated';
import { Receipt } from './Receipt';
import { Replay } from './Replay';
import { Summary } from './Summary';
import { TimeLine } from './TimeLine';

export type Episode = NonNullable<EpisodeQuery['episode']>;

const route = getRouteApi('/episodes/$id');

/** One episode with all that is known of it. */
export function EpisodePage() {
  const { id } = route.useParams();
  const answer = useAnswer(EpisodeDocument, { id });
  const news = useNews(FeedbackToldDocument, { episodeId: id }, {
    idOf: ({ feedbackSubmitted }) => feedbackSubmitted.feedback.id,
    say: (count) => `${count} new feedback`,
  });
  return (
    <Answered query={answer}>
      {({ episode }) =>
        episode ? (
          <>
            <News {...news} />
            <Known key={episode.id} episode={episode} />
          </>
        ) : (
          <Page title="No such episode">
            <Empty title={`There is no ${id}.`}>
              <Anchor href="#/episodes">All episodes</Anchor>
            </Empty>
          </Page>
        )
      }
    </Answered>
  );
}

function Known({ episode }: { episode: Episode }) {
  return (
    <Page title={heading(episode.title)} about={<OutcomeBadge outcome={episode.outcome} />} actions={<Ways episode={episode} />}>
      <Summary episode={episode} />
      <Whole what="title" text={episode.title} />
      <Grid gutter="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Written title="Situation" text={episode.observation} />
            <Written title="Result" text={episode.result ?? 'Nothing came of it yet.'} />
            <Written title="Insight" text={episode.insight} />
            {episode.canvasContext.length > 0 && (
              <Section title="Canvases">
                {episode.canvasContext.map((canvas) => (
                  <CanvasLine key={canvas.id} canvas={canvas} />
                ))}
              </Section>
            )}
            <Reacting episodeId={episode.id} canvases={episode.canvasContext} />
            <Receipt receipt={episode.receipt} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <TimeLine episode={episode} />
        </Grid.Col>
      </Grid>
      <Replay id={episode.id} />
      <Others title="What caused it" of={episode.causedBy} />
      <Others title="What it caused" of={episode.causes} />
      <Others title="What informed it" of={episode.informedBy} />
      <Others title="What it informed" of={episode.informed} />
    </Page>
  );
}

function Ways({ episode }: { episode: Episode }) {
  return (
    <Group gap="xs">
      {episode.previous && (
        <Button component="a" size="xs" variant="default" href={recordHref(episode.previous.id)} title={heading(episode.previous.title)}>
          Before in the session
        </Button>
      )}
      {episode.next && (
        <Button component="a" size="xs" variant="default" href={recordHref(episode.next.id)} title={heading(episode.next.title)}>
          After in the session
        </Button>
      )}
      <Button component="a" size="xs" variant="light" href={graphHref(episode.id)}>
        In the graph
      </Button>
      <Button component="a" size="xs" variant="default" href={`#/compare?a=${encodeURIComponent(episode.id)}`}>
        Compare…
      </Button>
      <Delete id={episode.id} what="episode" operation={DeleteEpisodeDocument} onDone={() => (location.hash = '#/episodes')}>
        It goes with its log, {many(episode.canvases.totalCount, 'canvas', 'canvases')} and {many(episode.feedback.totalCount, 'reaction')}. Its agent stays, and so {episode.causes.totalCount === 1 ? 'does' : 'do'} {many(episode.causes.totalCount, 'episode')} that it caused.
      </Delete>
    </Group>
  );
}

function Written({ title, text }: { title: string; text: string }) {
  return (
    <Section title={title}>
      <Text size="sm" className="written">
        {text}
      </Text>
    </Section>
  );
}

function Others({ title, of }: { title: string; of: Episode['causes'] }) {
  if (of.nodes.length === 0) return null;
  return (
    <Section title={title} about={of.totalCount > of.nodes.length ? `The first ${of.nodes.length} of ${of.totalCount}; all of them in the graph.` : undefined}>
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {of.nodes.map((episode) => (
          <EpisodeLine key={episode.id} episode={episode} />
        ))}
      </Stack>
    </Section>
  );
}
