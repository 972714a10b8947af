import type { OrganizationCaller } from '../../../contract/audience.ts';
import * as contract from '../../../contract/organization/api-keys.ts';
import { toActor } from '../../platform/audit/append.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import {
  createApiKey,
  endFormerKeySecrets,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type ApiKeyDeps,
  type KeyManager,
} from './api-keys.ts';

/** Registers the endpoints for an organization's API keys. */
export function registerApiKeyRoutes(routes: Routes, deps: ApiKeyDeps): void {
  serve(routes, contract.createApiKey, ({ caller, body }) => createApiKey(deps, toManager(caller), body));
  serve(routes, contract.listApiKeys, ({ params: { orgId }, query }) =>
    listApiKeys(deps.db, orgId, { ...query, now: deps.clock.now() }),
  );
  serve(routes, contract.rotateApiKey, ({ params: { apiKeyId }, caller, body }) =>
    rotateApiKey(deps, { ...toManager(caller), apiKeyId }, body),
  );
  serve(routes, contract.endFormerKeySecrets, ({ params: { apiKeyId }, caller }) =>
    endFormerKeySecrets(deps, { ...toManager(caller), apiKeyId }),
  );
  serve(routes, contract.revokeApiKey, async ({ params: { apiKeyId }, caller }) => {
    await revokeApiKey(deps, { ...toManager(caller), apiKeyId }, { evenLast: false });
    return undefined;
  });
}

const toManager = (caller: OrganizationCaller): KeyManager => ({
  organizationId: caller.organizationId,
  actor: toActor(caller),
  role: caller.role,
});
