import { createRoot } from 'react-dom/client';
import { GraphiQL } from 'graphiql';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './playground.css';
import { SystemColours } from './SystemColours';
import './workers';
import logo from '../app/mneme.svg';
import { askedFor, headers } from './asked';
import { examples } from './examples';
import { fetcher } from './fetcher';

const asked = askedFor();
// Once is enough: a reload brings back what was made of it.
if (asked) history.replaceState(null, '', location.pathname);

const tabs = examples.map((query) => ({ query, headers: headers() }));

function Playground() {
  return (
    <GraphiQL
      fetcher={fetcher}
      initialQuery={asked?.query}
      initialVariables={asked?.variables}
      initialHeaders={asked?.headers}
      defaultTabs={asked ? [asked, ...tabs] : tabs}
      defaultHeaders={headers()}
      defaultEditorToolsVisibility="headers"
      inputValueDeprecation
      schemaDescription
    >
      <GraphiQL.Logo>
        <h1>
          <a className="logo" href="./">
            <img src={logo} alt="" width="24" height="24" />
            mneme<span className="unseen"> playground</span>
          </a>
        </h1>
        <SystemColours />
      </GraphiQL.Logo>
    </GraphiQL>
  );
}

createRoot(document.getElementById('playground')!).render(<Playground />);
