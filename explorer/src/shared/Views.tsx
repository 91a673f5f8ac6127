import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

type View<Name extends string> = { name: Name; label: string; content: ReactNode };

/** The views of a page, of which the address names one. */
export function Views<Name extends string>({ views, chosen, onChoose }: { views: View<Name>[]; chosen: Name; onChoose: (name: Name) => void }) {
  return (
    <Tabs value={chosen} onChange={(name) => onChoose(name as Name)} keepMounted={false}>
      <Tabs.List mb="md">
        {views.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {views.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
