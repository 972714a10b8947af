import type { OrganizationId, ProjectId } from '../../../../contract/brands.ts';
import { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import type { ProjectScope } from '../../../../contract/webhooks/webhooks.ts';
import { requireOwnProjects } from '../../../identity/organizations/projects.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { invalidInput } from '../../../platform/kernel/refusal.ts';
import { validateUrl } from '../../../platform/outbound/guard.ts';

/** Throws 400 for a URL that deliveries could never be sent to. */
export function requireEndpointUrl(url: string, allowPrivate: boolean): void {
  const fault = validateUrl(url, allowPrivate);
  if (fault === null) return;
  const message =
    fault === 'invalid_url'
      ? 'must name a host, and a port other than 0, that can be called'
      : allowPrivate
        ? 'must be an https address of the public internet or of a private network'
        : 'must be an https address of the public internet; for development, CHARTGATE_WEBHOOK_ALLOW_PRIVATE=1 lets the service reach private addresses and this machine';
  throw invalidInput([{ path: 'url', message }]);
}

/** Throws 400 unless every project of the scope belongs to the organization. */
export async function requireOwnScope(
  tx: Tx,
  organizationId: OrganizationId,
  scope: ProjectScope,
): Promise<void> {
  if (scope.type === 'all') return;
  const { projectIds } = scope;
  await requireOwnProjects(tx, organizationId, { projectIds, path: 'projectScope.projectIds' });
}

/** In the order of the catalogue: the same types in another order are no change. */
export const sortEventTypes = (types: readonly EventType[]): EventType[] =>
  EventType.options.filter((type) => types.includes(type));

/** Sorted: the same projects in another order are no change. */
export const toProjectIds = (scope: ProjectScope): ProjectId[] | null =>
  scope.type === 'all' ? null : [...new Set(scope.projectIds)].sort();
