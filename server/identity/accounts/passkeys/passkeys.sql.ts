import type { PasskeyId, PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import { MAIL_LANGUAGE } from '../../patients/patients.sql.ts';
import { latestNow } from '../../../platform/db/store-clock.ts';

export interface Challenge {
  hash: Buffer;
  /** The hash of the browser's secret cookie. */
  browserHash: Buffer;
  /** The patient who adds a passkey; null for signing in. */
  patientId: PatientId | null;
}

export const insertChallenge = (challenge: Challenge, expiresAt: Date) => sql`
  insert into passkey_challenge (challenge_hash, browser_hash, patient_id, expires_at)
  values (${challenge.hash}, ${challenge.browserHash}, ${challenge.patientId}, ${expiresAt})`;

/**
 * Consumes a challenge, whoever presents it; `matches` says that it was issued to this browser for this purpose and
 * has not expired.
 */
export const deleteChallenge = (challenge: Challenge, now: Date) => sql<{ matches: boolean }>`
  delete from passkey_challenge where challenge_hash = ${challenge.hash}
  returning browser_hash = ${challenge.browserHash} and patient_id is not distinct from ${challenge.patientId}::uuid
    and expires_at > ${latestNow(now)} as matches`;

export const deleteExpiredChallenges = (now: Date) => sql`
  delete from passkey_challenge where expires_at <= ${now}`;

export interface PasskeyRow {
  passkey_id: PasskeyId;
  credential_id: Buffer;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

export const findPasskeys = (patientId: PatientId) => sql<PasskeyRow>`
  select passkey_id, credential_id, transports, name, created_at, last_used_at
  from account_passkey where patient_id = ${patientId} order by created_at, passkey_id`;

/** Serializes the transactions that add passkeys to one account; no row means that the account is gone. */
export const lockAccount = (patientId: PatientId) => sql<{ language: string | null }>`
  select ${MAIL_LANGUAGE} as language from patient p join patient_password w on w.patient_id = ${patientId}
  where p.patient_id = ${patientId} for no key update of p`;

/** Claims a credential for a patient; returns no row when it belongs to somebody already. */
export const claimCredential = (credentialId: Buffer, patientId: PatientId) => sql<{ patient_id: PatientId }>`
  insert into passkey_route (credential_id, patient_id) values (${credentialId}, ${patientId})
  on conflict (credential_id) do nothing returning patient_id`;

export interface NewPasskey {
  patientId: PatientId;
  passkeyId: PasskeyId;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: readonly string[];
  name: string;
  now: Date;
}

export const insertPasskey = (passkey: NewPasskey) => sql`
  insert into account_passkey (patient_id, passkey_id, credential_id, public_key, counter, transports, name, created_at)
  values (${passkey.patientId}, ${passkey.passkeyId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
    ${passkey.transports}, ${passkey.name}, ${passkey.now})`;

export const deletePasskey = (patientId: PatientId, passkeyId: PasskeyId) => sql<{ credential_id: Buffer }>`
  delete from account_passkey where patient_id = ${patientId} and passkey_id = ${passkeyId} returning credential_id`;

export const deleteAllPasskeys = (patientId: PatientId) => sql<{ credential_id: Buffer }>`
  delete from account_passkey where patient_id = ${patientId} returning credential_id`;

export const deleteRoute = (credentialId: Buffer) => sql`
  delete from passkey_route where credential_id = ${credentialId}`;

export const findCredentialOwner = (credentialId: Buffer) => sql<{ patient_id: PatientId }>`
  select patient_id from passkey_route where credential_id = ${credentialId}`;

export interface SignInRow {
  patient_id: PatientId;
  passkey_id: PasskeyId;
  public_key: Buffer;
  counter: number;
  email: string;
  first_name: string;
  last_name: string;
  is_test_patient: boolean;
}

export const findPasskeyForSignIn = (patientId: PatientId, credentialId: Buffer) => sql<SignInRow>`
  select k.patient_id, k.passkey_id, k.public_key, k.counter, p.email, p.first_name, p.last_name,
    p.test_organization_id is not null as is_test_patient
  from account_passkey k
  join patient p on p.patient_id = ${patientId}
  where k.patient_id = ${patientId} and k.credential_id = ${credentialId}`;

/**
 * Updates the signature counter. By WebAuthn §6.1.1 a counter that does not rise betrays a copy of the key, unless it
 * is always 0: no row is returned then, nor when the passkey was removed meanwhile.
 */
export const updatePasskeyCounter = (passkey: {
  patientId: PatientId;
  passkeyId: PasskeyId;
  counter: number;
  now: Date;
}) => sql<{ passkey_id: PasskeyId }>`
  update account_passkey set counter = ${passkey.counter}, last_used_at = ${passkey.now}
  where patient_id = ${passkey.patientId} and passkey_id = ${passkey.passkeyId}
    and (counter < ${passkey.counter} or (counter = 0 and ${passkey.counter}::bigint = 0))
  returning passkey_id`;
