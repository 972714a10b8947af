import type { NoticeSettings } from '../../../../contract/account/notices.ts';
import type { PatientId } from '../../../../contract/brands.ts';
import { maybeOne, type Db, type Queryable } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { selectSettings, upsertSettings } from './settings.sql.ts';

/** What is worth a mail to anybody, and no more. */
export const DEFAULT_SETTINGS: NoticeSettings = {
  firstRead: true,
  unusualVolume: true,
  unusedConsent: true,
  heldUpload: true,
  weeklyDigest: false,
};

export const HOUR_MS = 3600 * 1000;
export const WEEK_MS = 7 * 24 * HOUR_MS;

/** Finds what a person chose, or the defaults. */
export async function findSettings(db: Queryable, patientId: PatientId): Promise<NoticeSettings> {
  const row = await maybeOne(db, selectSettings(patientId));
  return row
    ? {
        firstRead: row.first_read,
        unusualVolume: row.unusual_volume,
        unusedConsent: row.unused_consent,
        heldUpload: row.held_upload,
        weeklyDigest: row.weekly_digest,
      }
    : DEFAULT_SETTINGS;
}

/** Sets what a person wants. The first digest comes after a week, at a full hour, since reads are counted by the hour. */
export async function updateSettings(
  { db, clock }: { db: Db; clock: Clock },
  patientId: PatientId,
  settings: NoticeSettings,
): Promise<void> {
  const thisHour = Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS;
  await db.query(
    upsertSettings(patientId, {
      first_read: settings.firstRead,
      unusual_volume: settings.unusualVolume,
      unused_consent: settings.unusedConsent,
      held_upload: settings.heldUpload,
      digestAt: settings.weeklyDigest ? new Date(thisHour + WEEK_MS) : null,
    }),
  );
}
