import { countPatients } from '../../../consent/grants/app-grants.sql.ts';
import { createAttentionItem, type AttentionCheck } from '../../../platform/attention/attention.ts';
import type { FirstStepCheck } from '../../../platform/attention/first-steps.ts';
import type { Db } from '../../../platform/db/db.ts';
import { findUnjudgedApps, hasApp } from './apps.sql.ts';

const DAY_MS = 24 * 3600 * 1000;
const RECENT_DAYS = 7;
/** More at once are no list of errands: the page of apps has them all. */
const MAX_APPS = 5;

/** Creates the check of apps: which of the last week some patient has connected and nobody has judged. */
export const createAppAttention = (db: Db): AttentionCheck => ({
  permission: 'clients.read',
  async find({ organizationId }, now) {
    const since = new Date(now.getTime() - RECENT_DAYS * DAY_MS);
    const apps = await db.query(findUnjudgedApps(organizationId, { since, now, limit: MAX_APPS }));
    if (apps.length === 0) return [];
    const counts = await db.query(
      countPatients(
        organizationId,
        apps.map(({ app_id: id }) => id),
        now,
      ),
    );
    const patients = new Map(counts.map((row) => [row.app_id, row.patients]));
    return apps.map(({ app_id: id, client_name: name, redirect_host: host, first_seen_at: at }) =>
      createAttentionItem({
        code: 'app_unjudged',
        severity: 'notice',
        name: name ?? host,
        count: patients.get(id) ?? 0,
        at,
        target: `/console/apps/${id}`,
      }),
    );
  },
});

export const createAppFirstStep = (db: Db): FirstStepCheck => ({
  code: 'reader_connected',
  permission: 'webhooks.manage',
  isDone: async ({ organizationId }) => (await db.query(hasApp(organizationId))).length > 0,
});
