import type { PatientId } from '../../../../contract/brands.ts';
import { selectHeldDays, type HeldDayRow } from '../../../clinical/ingest/batches/held-uploads.sql.ts';
import { noticeEach, type NotifyDeps } from './notify-reads.ts';

/** After so many days without an answer, the person is asked once more by mail. */
export const REMINDER_DAYS = 3;

const DAY_MS = 24 * 3600 * 1000;

/** What was not noticed for a week, because no node ran, is not mailed any more: the page asks whoever comes. */
const MAX_LATE_DAYS = 7;

const MAX_PAGE = 500;

const BEFORE_ALL = { patientId: '00000000-0000-0000-0000-000000000000' as PatientId, day: '' };

/** Notices uploads that have waited for "Is this you?" for three days: once, and once for all of one day. */
export async function notifyHeldUploads({ db, clock, jobs }: NotifyDeps, signal: AbortSignal): Promise<void> {
  const now = clock.now();
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  const held = { from: daysAgo(REMINDER_DAYS + MAX_LATE_DAYS), until: daysAgo(REMINDER_DAYS) };
  let page: HeldDayRow[];
  let after = BEFORE_ALL;
  do {
    signal.throwIfAborted();
    page = await db.query(selectHeldDays(held, after, MAX_PAGE));
    const events = page.map(({ patient_id: patientId, day: event }) => ({ patientId, event, at: now }));
    await db.tx((tx) => noticeEach(tx, jobs, { kind: 'held_upload', events }));
    const last = page.at(-1);
    if (last) after = { patientId: last.patient_id, day: last.day };
  } while (page.length === MAX_PAGE);
}
