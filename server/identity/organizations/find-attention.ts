import { createAttentionItem, type AttentionCheck } from '../../platform/attention/attention.ts';
import type { Db } from '../../platform/db/db.ts';
import { findNeglectedKeys, type NeglectedKeyRow } from './api-keys.sql.ts';

const DAY_MS = 24 * 3600 * 1000;
const UNUSED_DAYS = 90;
const OLD_DAYS = 365;

/** Creates the check of API keys: which nobody uses, which are old, and of which a secret ends tomorrow. */
export const createKeyAttention = (db: Db): AttentionCheck => ({
  permission: 'keys.read',
  async find({ organizationId }, now) {
    const rows = await db.query(
      findNeglectedKeys(organizationId, {
        now,
        unusedSince: new Date(now.getTime() - UNUSED_DAYS * DAY_MS),
        olderThan: new Date(now.getTime() - OLD_DAYS * DAY_MS),
        endingUntil: new Date(now.getTime() + DAY_MS),
      }),
    );
    return rows.map(toItem);
  },
});

function toItem({
  name,
  unused,
  secret_ends_at: endsAt,
  created_at: createdAt,
  used_at: usedAt,
}: NeglectedKeyRow) {
  const shared = { severity: 'notice', name, target: '/console/api-keys' } as const;
  if (endsAt) return createAttentionItem({ ...shared, code: 'key_secret_ending', at: endsAt });
  return unused
    ? createAttentionItem({ ...shared, code: 'key_unused', at: usedAt ?? createdAt })
    : createAttentionItem({ ...shared, code: 'key_old', at: createdAt });
}
