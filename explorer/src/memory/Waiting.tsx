import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useList } from '../api/list';
import { CanvasLine } from '../shared/CanvasLine';
import { FeedbackLine } from '../shared/FeedbackLine';
import { Listed } from '../shared/Listed';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import { WaitingCanvasesDocument, WaitingFeedbackDocument } from './operations.generated';

/** What came before its episode, and counts nowhere until that comes. */
export function Waiting() {
  const canvases = useList(WaitingCanvasesDocument, {}, (data) => data.canvases);
  const feedback = useList(WaitingFeedbackDocument, {}, (data) => data.feedback);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <Section title="Canvases without an episode">
        <Listed list={canvases} label="Waiting canvases" empty={<Text size="sm">No canvas waits.</Text>}>
          {(canvas) => (
            <Paper key={canvas.id} component="li" withBorder px="md" py="xs">
              <CanvasLine canvas={canvas} />
              <Text size="xs" c="dimmed" className="written">
                {canvas.id} · <When at={canvas.createdAt} />
              </Text>
            </Paper>
          )}
        </Listed>
      </Section>
      <Section title="Feedback without an episode">
        <Listed list={feedback} label="Waiting feedback" empty={<Text size="sm">No feedback waits.</Text>}>
          {(one) => (
            <Paper key={one.id} component="li" withBorder px="md" py="xs">
              <FeedbackLine feedback={one} />
              <Text size="xs" c="dimmed" className="written">
                {one.id} · <When at={one.createdAt} />
              </Text>
            </Paper>
          )}
        </Listed>
      </Section>
    </SimpleGrid>
  );
}
