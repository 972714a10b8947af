import type { z } from 'zod';
import type { Person } from '../../../contract/account/account.ts';
import type { PatientSession } from '../../../contract/audience.ts';
import type { PatientId } from '../../../contract/brands.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateSecret, hashSecret } from '../../platform/kernel/secret.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import * as statements from './accounts.sql.ts';
import { createSessionLife, parseSessionCookie } from './session-cookie.ts';

const MINUTE_MS = 60_000;

/** The longer end of the session lifetimes that OWASP recommends for an application of high value. */
export const life = createSessionLife({
  idleMs: 60 * MINUTE_MS,
  maxMs: 12 * 60 * MINUTE_MS,
  extendEveryMs: 10 * MINUTE_MS,
});

interface Deps {
  db: Db;
  clock: Clock;
}

/**
 * Returns the session that the cookie names, and extends it when it has run for a while; null when the cookie is absent,
 * malformed or unknown, or the session is over.
 */
export async function resolveSession(
  { db, clock }: Deps,
  session: string | null,
): Promise<PatientSession | null> {
  const parts = parseCookie(session);
  if (!parts) return null;
  const row = await maybeOne(db, statements.findSession(parts.id, parts.hash, clock.now()));
  if (!row) return null;
  // By a node whose clock is behind it is used as long as by any other.
  const until = life.computeExtension(row, row.now);
  if (until) await db.query(statements.extendSession(parts.id, parts.hash, until));
  return {
    kind: 'patient-session',
    patientId: row.patient_id,
    testOrganizationId: row.test_organization_id,
    person: toPersonDto(row),
    signedInAt: row.created_at,
    seenAt: row.now,
  };
}

export const toPersonDto = (row: {
  patient_id: PatientId;
  first_name: string;
  last_name: string;
  email: string;
  is_test_patient: boolean;
}): z.infer<typeof Person> => ({
  id: row.patient_id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  isTestPatient: row.is_test_patient,
});

interface NewSession {
  patientId: PatientId;
  now: Date;
  /** How the person showed who they are. */
  by: statements.AccountEventKind;
  device: string;
}

/**
 * Inserts a session under the password in force, and the event that the person sees of it, in the transaction of the
 * sign-in; returns the value of its cookie.
 */
export async function beginSession(tx: Tx, { patientId, now, by, device }: NewSession): Promise<string> {
  const secret = generateSecret('');
  await tx.query(
    statements.insertSession({
      patientId,
      hash: hashSecret(secret),
      device,
      createdAt: now,
      expiresAt: life.computeExpiry(now, now),
    }),
  );
  await tx.query(statements.insertAccountEvent({ patientId, kind: by, device, at: now }));
  return `${patientId}.${secret}`;
}

export async function endSession(on: Db | Tx, session: string | null): Promise<void> {
  const parts = parseCookie(session);
  if (parts) await on.query(statements.deleteSession(parts.id, parts.hash));
}

/** Returns the hash of a session's cookie; empty, which no session has, for a malformed one. */
export const hashSession = (session: string | null): Buffer => parseCookie(session)?.hash ?? Buffer.alloc(0);

const parseCookie = (cookie: string | null) =>
  parseSessionCookie(cookie) as { id: PatientId; hash: Buffer } | null;
