import * as contract from '../../../../contract/organization/clients.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { getClient, listClients, toClientApps } from './clients.ts';
import { resolveApp } from './resolve-app.ts';
import { judgeClient, type JudgeDeps } from './judge-client.ts';

/** Registers the endpoints by which an organization looks at apps, vouches for them and blocks them. */
export function registerClientsRoutes(routes: Routes, deps: JudgeDeps): void {
  serve(routes, contract.listClients, ({ params: { orgId }, query }) => listClients(deps, orgId, query));
  serve(routes, contract.getClient, async ({ params: { orgId, clientId } }) =>
    getClient(deps, orgId, await resolveApp(deps.db, orgId, clientId)),
  );
  serve(routes, contract.judgeClient, async ({ params: { orgId, clientId }, caller, body }) => {
    const appId = await resolveApp(deps.db, orgId, clientId);
    const { app, ends, alsoCaught } = await judgeClient(deps, { caller, appId, body });
    const [client] = await toClientApps(deps, orgId, [app]);
    return {
      client: client as NonNullable<typeof client>,
      dryRun: body.dryRun,
      ends,
      alsoCaught: alsoCaught.map((each) => ({
        id: each.app_id,
        name: each.client_name,
        redirectHost: each.redirect_host,
      })),
    };
  });
}
