import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  stringifySearchWith,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { Frame } from './frame/frame.tsx';
import { Broken } from './kit/broken.tsx';
import { NotFound } from './kit/not-found.tsx';
import { Skeleton } from './kit/states.tsx';
import { ROUTES } from './routes.tsx';

/** The address holds plain texts (`?range=7`): neither JSON nor numbers. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

/** Returns the router of the console below `basePath`, such as /console. */
export function createConsoleRouter(basePath: string) {
  const root = createRootRoute({
    component: Root,
    notFoundComponent: NotFound,
    validateSearch: (search) => search as Record<string, string>,
  });
  const routes = ROUTES.map(({ path, component }) =>
    createRoute({ getParentRoute: () => root, path, component, errorComponent: Broken }),
  );
  const router = createRouter({
    routeTree: root.addChildren(routes as unknown as AnyRoute[]) as AnyRoute,
    basepath: basePath,
    parseSearch,
    stringifySearch: stringifySearchWith(String),
    scrollRestoration: false,
    trailingSlash: 'never',
  });
  router.history.block({
    blockerFn: ({ action }) => isPop(action) && isSending(),
    enableBeforeUnload: false,
  });
  return router;
}

const isPop = (action: string): boolean => action !== 'PUSH' && action !== 'REPLACE';

/** What the answer brings, such as a secret that is shown once, would be lost if somebody went back meanwhile. */
const isSending = (): boolean => document.querySelector(':is(dialog, form) .button-busy') !== null;

function Root() {
  return (
    <Frame>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Outlet />
      </Suspense>
    </Frame>
  );
}
