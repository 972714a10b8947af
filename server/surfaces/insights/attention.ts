import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { AttentionItem } from '../../../contract/organization/attention.ts';
import { hasPermission } from '../../../contract/roles.ts';
import type { AttentionCheck } from '../../platform/attention/attention.ts';

/** Returns what needs somebody, of what the caller may read: what does not work first. */
export async function findAttention(
  checks: readonly AttentionCheck[],
  caller: OrganizationCaller,
  now: Date,
): Promise<AttentionItem[]> {
  const permitted = checks.filter(({ permission }) => hasPermission(caller.role, permission));
  const found = await Promise.all(permitted.map((check) => check.find(caller, now)));
  const items = found.flat();
  return [
    ...items.filter(({ severity }) => severity === 'problem'),
    ...items.filter(({ severity }) => severity === 'notice'),
  ];
}
