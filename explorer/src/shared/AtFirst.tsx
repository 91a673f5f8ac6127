import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';

type Props<Item> = { items: Item[]; most: number; what: string; children: (item: Item) => ReactNode };

/** The first of many, and the others when the reader wants them. */
export function AtFirst<Item>({ items, most, what, children }: Props<Item>) {
  const [all, setAll] = useState(false);
  return (
    <>
      {(all ? items : items.slice(0, most)).map((item) => children(item))}
      {!all && items.length > most && (
        <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setAll(true)}>
          All {items.length} {what}
        </Button>
      )}
    </>
  );
}
