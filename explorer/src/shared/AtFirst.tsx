import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';

type Props<Item> = {
  items: Item[];
  most: number;
  what: string;
  children: (item: Item) => ReactNode;
  /** What stands around the items and not around the button, as a list does. */
  around?: (shown: ReactNode) => ReactNode;
};

/** The first of many, and the others when the reader wants them. */
export function AtFirst<Item>({ items, most, what, children, around = (shown) => shown }: Props<Item>) {
  const [all, setAll] = useState(false);
  return (
    <>
      {around((all ? items : items.slice(0, most)).map((item) => children(item)))}
      {!all && items.length > most && (
        <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setAll(true)}>
          All {items.length} {what}
        </Button>
      )}
    </>
  );
}
