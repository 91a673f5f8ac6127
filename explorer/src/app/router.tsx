import { createHashHistory, createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
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

export const router = createRouter({
  routeTree: root.addChildren([recall]),
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
