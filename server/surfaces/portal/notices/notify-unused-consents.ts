import type { PatientId, ProjectId } from '../../../../contract/brands.ts';
import { noticeEach, type NotifyDeps } from './notify-reads.ts';
import { selectOldConsents, type OldConsentRow } from './notices.sql.ts';

/** After so many days without a read, a consent is offered to be ended. */
export const UNUSED_DAYS = 90;

const DAY_MS = 24 * 3600 * 1000;

/** A page takes some ten milliseconds. */
const MAX_PAGE = 500;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Notices consents in force that nobody has read under for 90 days: once for each decision and last use. */
export async function notifyUnusedConsents(deps: NotifyDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, jobs } = deps;
  const now = clock.now();
  const limit = new Date(now.getTime() - UNUSED_DAYS * DAY_MS);
  let page: OldConsentRow[];
  let after = { patientId: BEFORE_ALL as PatientId, projectId: BEFORE_ALL as ProjectId };
  do {
    signal.throwIfAborted();
    page = await db.query(selectOldConsents({ now, decidedBefore: limit }, after, MAX_PAGE));
    const unused = page.filter(({ last_used_at: lastUsedAt }) => lastUsedAt === null || lastUsedAt <= limit);
    const events = unused.map((row) => ({
      patientId: row.patient_id,
      event: `${row.consent_record_id} ${row.last_used_at?.toISOString().slice(0, 10) ?? 'never'}`,
      at: now,
    }));
    await db.tx((tx) => noticeEach(tx, jobs, { kind: 'unused_consent', events }));
    const last = page.at(-1);
    if (last) after = { patientId: last.patient_id, projectId: last.project_id };
  } while (page.length === MAX_PAGE);
}
