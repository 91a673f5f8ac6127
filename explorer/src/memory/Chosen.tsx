import { Anchor, Group, Stack } from '@mantine/core';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Empty } from '../shared/Empty';
import { graphHref } from '../shared/links';
import { Section } from '../shared/Section';
import { CorrectionLine } from './Corrections';
import { ObservationLine } from './Observations';
import { OneOfMemoryDocument } from './operations.generated';

/** The observation or correction that a link leads to, above the list of all. */
export function Chosen({ id }: { id: string }) {
  const answer = useAnswer(OneOfMemoryDocument, { id });
  return (
    <Section title="Chosen">
      <Answered query={answer}>
        {({ node }) => (
          <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Chosen">
            {node?.__typename === 'Observation' && <ObservationLine observation={node} />}
            {node?.__typename === 'Correction' && <CorrectionLine correction={node} />}
            {!node && (
              <li>
                <Empty title={`There is no ${id}.`} />
              </li>
            )}
          </Stack>
        )}
      </Answered>
      <Group>
        <Anchor size="sm" href={graphHref(id)}>
          In the graph
        </Anchor>
      </Group>
    </Section>
  );
}
