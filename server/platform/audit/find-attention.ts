import { createAttentionItem, type AttentionCheck } from '../attention/attention.ts';
import { maybeOne, type Db } from '../db/db.ts';
import { findVerification } from './verification.sql.ts';

/** Creates the check of the audit log: whether its last verification found a fault. */
export const createAuditAttention = (db: Db): AttentionCheck => ({
  permission: 'audit.read',
  async find({ organizationId }) {
    const row = await maybeOne(db, findVerification(organizationId));
    if (row === null || row.fault === null) return [];
    const target = '/console/audit';
    return [createAttentionItem({ code: 'audit_altered', severity: 'problem', at: row.verified_at, target })];
  },
});
