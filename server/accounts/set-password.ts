import type { z } from 'zod';
import type { Person } from '../../contract/account.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { hashPassword } from '../kernel/password.ts';
import { invalidInput, type InputFault } from '../kernel/refusal.ts';
import { hashSecret } from '../kernel/secret.ts';
import * as patients from '../patients/patients.sql.ts';
import { maybeOne, one, type Db, type Tx } from '../storage/db.ts';
import * as statements from './accounts.sql.ts';
import { invalidLink, openLink } from './open-link.ts';
import { passwordFaults } from './password-rule.ts';
import { beginSession, endSession, personOf } from './session.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

interface Wanted {
  token: string;
  password: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

interface Account {
  person: z.infer<typeof Person>;
  session: string;
  continueWith: string | null;
}

/**
 * The only way to an account and to a new password of one: a link that was read in the mailbox of that address.
 * `before`: the session the browser had.
 */
export async function setPassword(
  { db, clock }: Deps,
  wanted: Wanted,
  before: string | null,
): Promise<Account> {
  const { email, needsName, continueWith } = await openLink({ db, clock }, wanted.token);
  const faults = [...passwordFaults(wanted.password, email), ...(needsName ? nameFaults(wanted) : [])];
  if (faults.length > 0) throw invalidInput(faults);
  const passwordHash = await hashPassword(wanted.password);
  const hash = hashSecret(wanted.token);
  return db.tx(async (tx) => {
    const now = clock.now();
    const links = await tx.query(statements.takeLinks({ email, hash, now }));
    if (!links.some(({ taken }) => taken)) throw invalidLink();
    const person = await knownOrCreated(tx, { ...wanted, email }, now);
    // Its password is its organization's to set; no link is mailed for one.
    if (person.is_test_patient) throw invalidLink();
    await tx.query(patients.putPassword(person.patient_id, passwordHash, now));
    await endSession(tx, before);
    await tx.query(statements.deleteSessionsOf(person.patient_id));
    // The first moment after the change: what began before it, or with it, is no session any more.
    const session = await beginSession(tx, person.patient_id, new Date(now.getTime() + 1));
    return { person: personOf(person), session, continueWith };
  });
}

type Names = Pick<Wanted, 'firstName' | 'lastName'>;

/** Whose the address is: of somebody an organization enrolled, or of a new patient. Safe against an enrollment at once. */
async function knownOrCreated(
  tx: Tx,
  { email, firstName, lastName }: Names & { email: string },
  now: Date,
): Promise<statements.PersonRow> {
  const known = await maybeOne(tx, statements.personByEmail(email));
  if (known) return known;
  if (firstName === undefined || lastName === undefined)
    throw invalidInput(nameFaults({ firstName, lastName }));
  const patient: patients.NewPatient = {
    patientId: newId(),
    testOrganizationId: null,
    email,
    firstName,
    lastName,
    dateOfBirth: null,
    phone: null,
    language: null,
  };
  const taken = await tx.query(patients.takeEmails([patient]));
  if (taken.length > 0) {
    await tx.query(patients.insertPatients([patient], now));
    await tx.query(patients.insertRecordHeads([patient]));
  }
  return one(tx, statements.personByEmail(email));
}

const nameFaults = (names: Names): InputFault[] =>
  (['firstName', 'lastName'] as const)
    .filter((path) => names[path] === undefined)
    .map((path) => ({ path, message: 'is needed for a new account' }));
