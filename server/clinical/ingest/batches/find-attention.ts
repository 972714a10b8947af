import {
  createAttentionItem,
  MAX_ATTENTION_COUNT,
  type AttentionCheck,
} from '../../../platform/attention/attention.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import { countFailedUploads } from './attention.sql.ts';

const DAY_MS = 24 * 3600 * 1000;
const RECENT_DAYS = 7;

/** Creates the check of uploads: how many of the last week failed. */
export const createUploadAttention = (db: Db): AttentionCheck => ({
  permission: 'patients.enroll',
  async find(reach, now) {
    const since = new Date(now.getTime() - RECENT_DAYS * DAY_MS);
    const { count } = await one(db, countFailedUploads(reach, { since, now, limit: MAX_ATTENTION_COUNT }));
    const target = '/console/patients';
    return count === 0
      ? []
      : [createAttentionItem({ code: 'uploads_failed', severity: 'notice', count, at: since, target })];
  },
});
