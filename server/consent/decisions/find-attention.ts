import {
  createAttentionItem,
  MAX_ATTENTION_COUNT,
  type AttentionCheck,
} from '../../platform/attention/attention.ts';
import { one, type Db } from '../../platform/db/db.ts';
import { countEndingConsents } from './attention.sql.ts';

const DAY_MS = 24 * 3600 * 1000;
const ENDING_DAYS = 14;

/** Creates the check of consents: how many end soon. */
export const createConsentAttention = (db: Db): AttentionCheck => ({
  permission: 'consents.read',
  async find(reach, now) {
    const until = new Date(now.getTime() + ENDING_DAYS * DAY_MS);
    const { count } = await one(db, countEndingConsents(reach, { now, until, limit: MAX_ATTENTION_COUNT }));
    const target = '/console/consents?endsWithin=14d';
    return count === 0
      ? []
      : [createAttentionItem({ code: 'consents_ending', severity: 'notice', count, at: until, target })];
  },
});
