import type { PatientId } from '../../../contract/brands.ts';
import { toPatientSourceDto } from '../../clinical/sources/source-dto.ts';
import { selectPatientSources } from '../../clinical/sources/syncs.sql.ts';
import { findAccountEvents, findSessions } from '../../identity/accounts/accounts.sql.ts';
import { findPasskeys } from '../../identity/accounts/passkeys/passkeys.sql.ts';
import { selectOwnAccount, selectOwnEnrollments } from '../../identity/patients/own-profile.sql.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { toMyConsentDto } from './my-consents-dto.ts';
import { selectMyConsents } from './my-consents.sql.ts';
import { listMyUploads } from './my-uploads.ts';
import { findSettings } from './notices/notice-settings.ts';
import { selectNotices } from './notices/notices.sql.ts';

/** More than there are of a person. */
const ALL = 1_000_000;

/** Of nobody's session. */
const NO_SESSION = Buffer.alloc(0);

/**
 * Gathers what is kept about a person besides their record, documents, decisions and the log: who they are by their account and
 * by each organization that enrolled them, what they set, where they are signed in and were, and what came of their uploads.
 * Passwords, keys and the secrets of sessions are left out: of them only fingerprints are kept.
 */
export async function buildProfile({ db, clock }: { db: Db; clock: Clock }, patientId: PatientId) {
  const now = clock.now();
  return {
    account: await maybeOne(db, selectOwnAccount(patientId)),
    enrollments: await db.query(selectOwnEnrollments(patientId)),
    sharing: (await db.query(selectMyConsents(patientId, now))).map(toMyConsentDto),
    mailsWanted: await findSettings(db, patientId),
    mailsAboutUse: await db.query(selectNotices(patientId)),
    passkeys: (await db.query(findPasskeys(patientId))).map((passkey) => ({
      name: passkey.name,
      createdAt: passkey.created_at,
      lastUsedAt: passkey.last_used_at,
    })),
    sessions: (await db.query(findSessions(patientId, NO_SESSION, now))).map((session) => ({
      device: session.device,
      createdAt: session.created_at,
      expiresAt: session.expires_at,
    })),
    signInLog: (await db.query(findAccountEvents(patientId, ALL))).map(({ at, kind, device }) => ({
      at,
      kind,
      device,
    })),
    uploads: await listMyUploads(db, patientId, { batches: ALL, rejections: ALL }),
    connectedServers: (await db.query(selectPatientSources(patientId, { organizationId: null, now }))).map(
      toPatientSourceDto,
    ),
  };
}
