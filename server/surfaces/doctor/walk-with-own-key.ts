import type { OrganizationId } from '../../../contract/brands.ts';
import { createApiKey, revokeApiKey, type ApiKeyDeps } from '../../identity/organizations/api-keys.ts';
import type { AuditEntry } from '../../platform/audit/append.ts';
import type { Finding } from './finding.ts';
import { walk } from './walk.ts';

/** The key of a run is for minutes; its end matters only where the run is killed before it revokes the key. */
const KEY_MINUTES = 15;

export interface OwnWalk {
  organizationId: OrganizationId;
  /** Who creates the key, as the log names actors. */
  actor: AuditEntry['actor'];
  baseUrl: string;
  signal?: AbortSignal;
}

/** Walks with an admin key of its own, which is revoked afterwards. */
export async function walkWithOwnKey(
  deps: ApiKeyDeps,
  { organizationId, actor, ...options }: OwnWalk,
): Promise<Finding[]> {
  const manager = { organizationId, actor, role: 'admin' as const };
  const expiresAt = new Date(deps.clock.now().getTime() + KEY_MINUTES * 60_000).toISOString();
  const key = await createApiKey(deps, manager, {
    name: 'chartgate doctor',
    role: 'admin',
    projectIds: null,
    expiresAt,
  });
  try {
    return await walk({ ...options, organizationId, key });
  } finally {
    await revokeApiKey(deps, { ...manager, apiKeyId: key.id }, { evenLast: true });
  }
}
