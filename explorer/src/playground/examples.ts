import recall from './examples/recall.graphql?raw';
import recordEpisode from './examples/record-episode.graphql?raw';
import submitFeedback from './examples/submit-feedback.graphql?raw';
import episodes from './examples/episodes.graphql?raw';
import searchConcepts from './examples/search-concepts.graphql?raw';
import rankAgents from './examples/rank-agents.graphql?raw';
import guidance from './examples/guidance.graphql?raw';

/** The tabs a first visit opens with, in the order of the story they tell; GraphiQL keeps later edits in the browser. */
export const examples: readonly string[] = [
  recall, recordEpisode, submitFeedback, episodes, searchConcepts, rankAgents, guidance,
];

/** GraphiQL reads comments in its headers editor, so that a server without keys needs no edit. */
export const exampleHeaders = `{
  // Does the server ask for a key? Uncomment,
  // then re-fetch the schema (Shift-Ctrl-R):
  // "Authorization": "Bearer <key>"
}`;
