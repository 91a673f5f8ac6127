import { createHashHistory, createRootRoute, createRoute, createRouter, lazyRouteComponent, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { loaded } from '../api/away';
import { agentSearch, agentsSearch } from '../agents/search';
import { compareSearch, episodeSearch, episodesSearch } from '../episodes/search';
import { graphSearch } from '../graph/search';
import { judgesSearch } from '../judges/search';
import { memorySearch } from '../memory/search';
import { overviewSearch } from '../overview/search';
import { recallSearch } from '../recall/search';
import { json } from '../shared/search';
import { Broken } from './Broken';
import { Lost } from './Lost';
import { Shell } from './Shell';

const root = createRootRoute({ component: Shell, notFoundComponent: Lost });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => loaded(() => import('../overview/OverviewPage')), 'OverviewPage'),
});

const recall = createRoute({
  getParentRoute: () => root,
  path: '/recall',
  validateSearch: recallSearch,
  component: lazyRouteComponent(() => loaded(() => import('../recall/RecallPage')), 'RecallPage'),
});

const episodes = createRoute({
  getParentRoute: () => root,
  path: '/episodes',
  validateSearch: episodesSearch,
  component: lazyRouteComponent(() => loaded(() => import('../episodes/EpisodesPage')), 'EpisodesPage'),
});

const episode = createRoute({
  getParentRoute: () => root,
  path: '/episodes/$id',
  validateSearch: episodeSearch,
  component: lazyRouteComponent(() => loaded(() => import('../episodes/EpisodePage')), 'EpisodePage'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => loaded(() => import('../episodes/ComparePage')), 'ComparePage'),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: agentsSearch,
  component: lazyRouteComponent(() => loaded(() => import('../agents/AgentsPage')), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$id',
  validateSearch: agentSearch,
  component: lazyRouteComponent(() => loaded(() => import('../agents/AgentPage')), 'AgentPage'),
});

const judges = createRoute({
  getParentRoute: () => root,
  path: '/judges',
  validateSearch: judgesSearch,
  component: lazyRouteComponent(() => loaded(() => import('../judges/JudgesPage')), 'JudgesPage'),
});

const memory = createRoute({
  getParentRoute: () => root,
  path: '/memory',
  validateSearch: memorySearch,
  component: lazyRouteComponent(() => loaded(() => import('../memory/MemoryPage')), 'MemoryPage'),
});

const graph = createRoute({
  getParentRoute: () => root,
  path: '/graph',
  validateSearch: graphSearch,
  component: lazyRouteComponent(() => loaded(() => import('../graph/GraphPage')), 'GraphPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([overview, recall, episodes, episode, compare, agents, agent, judges, memory, graph]),
  // The page's own address stays the same, so that it works below any path, and needs nothing of the server.
  history: createHashHistory(),
  parseSearch: parseSearchWith(json),
  stringifySearch: stringifySearchWith(JSON.stringify, json),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
