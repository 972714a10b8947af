import type { OrganizationReach } from '../../../contract/audience.ts';
import type { AttentionItem } from '../../../contract/organization/attention.ts';
import type { Permission } from '../../../contract/roles.ts';

/** Finds what of a part of the service needs somebody of an organization: one statement or none, each on its index. */
export interface AttentionCheck {
  /** What a caller must be permitted to see it. */
  permission: Permission;
  find(reach: OrganizationReach, now: Date): Promise<AttentionItem[]>;
}

/** Counting stops here: what needs somebody is known long before. */
export const MAX_ATTENTION_COUNT = 10_000;

/** Builds an item; what it does not name is of no meaning for its code. */
export const createAttentionItem = (
  item: Pick<AttentionItem, 'code' | 'severity' | 'target'> & {
    name?: string | null;
    count?: number | null;
    at?: Date | null;
  },
): AttentionItem => ({
  code: item.code,
  severity: item.severity,
  name: item.name ?? null,
  count: item.count ?? null,
  at: item.at?.toISOString() ?? null,
  target: item.target,
});
