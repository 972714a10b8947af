import * as contract from '../../../../contract/oauth/oauth.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import type { RateLimit } from '../rate-limits.ts';
import { registerClient, type Deps } from './register-client.ts';

interface RouteDeps extends Deps {
  limit: RateLimit;
}

export function registerClientRoute(routes: Routes, deps: RouteDeps): void {
  serve(routes, contract.registerClient, async ({ body, address }) => {
    await deps.limit(address);
    return registerClient(deps, body);
  });
}
