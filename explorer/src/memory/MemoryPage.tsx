import { getRouteApi } from '@tanstack/react-router';
import { KeysView } from '../acting/KeysView';
import { useMay } from '../api/viewer';
import { Page } from '../shared/Page';
import { Views } from '../shared/Views';
import { Concepts } from './Concepts';
import { Corrections } from './Corrections';
import { Health } from './Health';
import { Observations } from './Observations';
import type { MemorySearch } from './search';
import { Waiting } from './Waiting';

const route = getRouteApi('/memory');

export type ViewProps = { search: MemorySearch; onChange: (part: Partial<MemorySearch>) => void };

/** What agents know, noticed and were told, and what keeps it in order. */
export function MemoryPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onChange = (part: Partial<MemorySearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  const props = { search, onChange };
  const admin = useMay('ADMIN');
  return (
    <Page title="Memory" about="What agents know and noticed, what people put right, what waits for its record, and whether the store is well.">
      <Views
        chosen={search.view ?? 'concepts'}
        onChoose={(view) => onChange({ view, observation: undefined, correction: undefined })}
        views={[
          { name: 'concepts', label: 'Concepts', content: <Concepts {...props} /> },
          { name: 'observations', label: 'Observations', content: <Observations {...props} /> },
          { name: 'corrections', label: 'Corrections', content: <Corrections {...props} /> },
          { name: 'waiting', label: 'Waiting', content: <Waiting /> },
          { name: 'health', label: 'Health', content: <Health /> },
          ...(admin ? [{ name: 'keys' as const, label: 'Keys', content: <KeysView /> }] : []),
        ]}
      />
    </Page>
  );
}
