import { NavLink } from '@mantine/core';
import { IconBooks, IconBulb, IconChartHistogram, IconCode, IconHistory, IconRobot, IconScale, IconTopologyStar3 } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { rangeQuery } from '../shared/range';

/** The pages, each with the paths that belong to it. */
const pages = [
  { path: '/', label: 'Overview', Icon: IconChartHistogram },
  { path: '/recall', label: 'Recall', Icon: IconBulb },
  { path: '/graph', label: 'Graph', Icon: IconTopologyStar3 },
  { path: '/episodes', label: 'Episodes', Icon: IconHistory },
  { path: '/agents', label: 'Agents', Icon: IconRobot },
  { path: '/judges', label: 'Judges', Icon: IconScale },
  { path: '/memory', label: 'Memory', Icon: IconBooks },
] as const;

export function Navigation({ onChosen }: { onChosen: () => void }) {
  const here = useLocation({ select: (location) => location.pathname });
  // The time range goes along.
  const range = useLocation({ select: ({ search }) => rangeQuery(search) });
  return (
    <>
      {pages.map(({ path, label, Icon }) => {
        const active = here === path || (path !== '/' && here.startsWith(path));
        return (
          <NavLink
            key={path}
            href={`#${path}${range}`}
            label={label}
            leftSection={<Icon size={18} aria-hidden />}
            active={active}
            aria-current={active ? 'page' : undefined}
            onClick={onChosen}
          />
        );
      })}
      <NavLink href="./playground" label="Playground" leftSection={<IconCode size={18} aria-hidden />} />
    </>
  );
}
