import { Anchor, Text } from '@mantine/core';
import { Page } from '../shared/Page';

export function Lost() {
  return (
    <Page title="Nothing here">
      <Text>
        This address names no page. Begin with the <Anchor href="#/">overview</Anchor>.
      </Text>
    </Page>
  );
}
