// Monaco asks for a web worker by label. Vite compiles each into a file of its own, so that the
// page needs neither blob: workers nor a network.
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphQLWorker from 'monaco-graphql/esm/graphql.worker.js?worker';

const workers: Record<string, new () => Worker> = {
  graphql: GraphQLWorker,
  json: JsonWorker,
};

window.MonacoEnvironment = {
  getWorker(_id, label) {
    const LanguageWorker = workers[label] ?? EditorWorker;
    return new LanguageWorker();
  },
};
