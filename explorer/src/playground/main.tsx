import { createRoot } from 'react-dom/client';
import { GraphiQL } from 'graphiql';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './playground.css';
import './workers';
import logo from '../landing/mneme.svg';
import { exampleHeaders, examples } from './examples';
import { fetcher } from './fetcher';

function Playground() {
  return (
    <GraphiQL
      fetcher={fetcher}
      defaultTabs={examples.map((query) => ({ query, headers: exampleHeaders }))}
      defaultHeaders={exampleHeaders}
      defaultEditorToolsVisibility="headers"
      inputValueDeprecation
      schemaDescription
    >
      <GraphiQL.Logo>
        <a className="logo" href="./">
          <img src={logo} alt="" width="24" height="24" />
          mneme
        </a>
      </GraphiQL.Logo>
    </GraphiQL>
  );
}

createRoot(document.getElementById('playground')!).render(<Playground />);
