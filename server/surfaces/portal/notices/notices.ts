import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import { createRecurringJob } from '../../../platform/jobs/recurring-job.ts';
import { notifyDigests } from './notify-digests.ts';
import { notifyHeldUploads } from './notify-held-uploads.ts';
import { notifyReads, type NotifyDeps } from './notify-reads.ts';
import { notifyUnusedConsents } from './notify-unused-consents.ts';
import { deleteReadCounts } from './notices.sql.ts';
import { USUAL_DAYS } from './unusual-volume.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The timers that notice what is worth a mail to a patient. */
export const createNoticeJobs = (deps: NotifyDeps): JobKind<object>[] => [
  createRecurringJob('notices.reads', MINUTE_MS, async (signal) => {
    await notifyReads(deps, signal);
    await notifyDigests(deps, signal);
  }),
  createRecurringJob('notices.held', HOUR_MS, (signal) => notifyHeldUploads(deps, signal)),
  createRecurringJob('notices.unused', DAY_MS, (signal) => notifyUnusedConsents(deps, signal)),
];

/** Deletes the counts that no usual and no digest is taken from any more. */
export async function purgeReadCounts({ db, clock }: Pick<NotifyDeps, 'db' | 'clock'>): Promise<void> {
  await db.query(deleteReadCounts(new Date(clock.now().getTime() - (USUAL_DAYS + 1) * DAY_MS)));
}
