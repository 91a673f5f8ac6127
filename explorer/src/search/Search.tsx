import { ActionIcon, Tooltip } from '@mantine/core';
import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

const SearchBox = lazy(async () => ({ default: (await import('./SearchBox')).SearchBox }));

const searchEvent = 'mneme-search';

/** Opens the search from anywhere. */
export const openSearch = () => window.dispatchEvent(new Event(searchEvent));

/** The way to the search, by a button or by Ctrl-K. The box is loaded when it is first wanted. */
export function Search() {
  const [wanted, setWanted] = useState(false);
  const open = () => {
    setWanted(true);
    if (wanted) void import('./SearchBox').then(({ openBox }) => openBox());
  };
  useWindowEvent(searchEvent, open);
  // Once it is there, it listens itself.
  useHotkeys(wanted ? [] : [['mod+K', open]], []);
  return (
    <>
      <Tooltip label="Search (Ctrl-K)">
        <ActionIcon variant="default" size="lg" aria-label="Search" aria-keyshortcuts="Control+K" onClick={open}>
          <IconSearch size={18} />
        </ActionIcon>
      </Tooltip>
      {wanted && (
        <Suspense>
          <SearchBox />
        </Suspense>
      )}
    </>
  );
}
