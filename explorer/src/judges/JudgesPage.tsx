import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../shared/Page';
import { Views } from '../shared/Views';
import { Judges } from './Judges';
import { Patterns } from './Patterns';
import { Runs } from './Runs';
import type { JudgesSearch } from './search';

const route = getRouteApi('/judges');

export type ViewProps = { search: JudgesSearch; onChange: (part: Partial<JudgesSearch>) => void };

/** How judges decide, what history taught, and how runs went. */
export function JudgesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onChange = (part: Partial<JudgesSearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  const props = { search, onChange };
  return (
    <Page title="Judges and patterns" about="How judges decide and whether people agree with them, what completed runs taught, and which issues come again.">
      <Views
        chosen={search.view ?? 'judges'}
        onChoose={(view) => onChange({ view: view === 'judges' ? undefined : view, section: undefined, run: undefined })}
        views={[
          { name: 'judges', label: 'Judges', content: <Judges {...props} /> },
          { name: 'patterns', label: 'Patterns', content: <Patterns {...props} /> },
          { name: 'runs', label: 'Runs', content: <Runs {...props} /> },
        ]}
      />
    </Page>
  );
}
