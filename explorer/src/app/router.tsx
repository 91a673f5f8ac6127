import { createHashHistory, createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { episodeSearch, episodesSearch } from '../episodes/search';
import { recallSearch } from '../recall/search';
import { Lost } from './Lost';
import { Shell } from './Shell';

const root = createRootRoute({ component: Shell, notFoundComponent: Lost });

const recall = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: recallSearch,
  component: lazyRouteComponent(() => import('../recall/RecallPage'), 'RecallPage'),
});

const episodes = createRoute({
  getParentRoute: () => root,
  path: '/episodes',
  validateSearch: episodesSearch,
  component: lazyRouteComponent(() => import('../episodes/EpisodesPage'), 'EpisodesPage'),
});

const episode = createRoute({
  getParentRoute: () => root,
  path: '/episodes/$id',
  validateSearch: episodeSearch,
  component: lazyRouteComponent(() => import('../episodes/EpisodePage'), 'EpisodePage'),
});

export const router = createRouter({
  routeTree: root.addChildren([recall, episodes, episode]),
  // The page's own address stays the same, so that it works below any path, and needs nothing of the server.
  history: createHashHistory(),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
