import type { z } from 'zod';
import type { Person } from '../../../contract/account/account.ts';
import type { Email } from '../../../contract/brands.ts';
import { createPatients, type CreateRecords } from '../patients/create-patients.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generatePatientId } from '../../platform/kernel/ids.ts';
import { invalidInput, type FieldError } from '../../platform/kernel/refusal.ts';
import { hashSecret } from '../../platform/kernel/secret.ts';
import * as patients from '../patients/patients.sql.ts';
import { maybeOne, one, type Db, type Tx } from '../../platform/db/db.ts';
import * as statements from './accounts.sql.ts';
import type { PasswordLine } from '../tokens/password-line.ts';
import { invalidLink, type OpenedLink } from './account-link.ts';
import { lockAccount } from './passkeys/passkeys.sql.ts';
import { removeAllPasskeys } from './passkeys/remove-passkeys.ts';
import { requireStrongPassword, type PasswordRule } from './password-rule.ts';
import { beginSession, endSession, toPersonDto } from './session.ts';

interface Deps {
  db: Db;
  clock: Clock;
  createRecords: CreateRecords;
  passwords: PasswordLine;
  passwordRule: PasswordRule;
  /** Throws for a dead link; guesses at links are counted. */
  openLink(token: string): Promise<OpenedLink>;
}

interface SetPasswordInput {
  token: string;
  password: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  keepPasskeys: boolean;
}

interface SetPasswordResult {
  person: z.infer<typeof Person>;
  session: string;
  continueWith: string | null;
  projectId: OpenedLink['projectId'];
}

/**
 * Sets the password of an account, which a person without one gets here. A link from the mailbox of the address is the
 * only way to either. What signed in before, sessions and unless they are to be kept passkeys, no longer does: somebody else
 * may have come to the account. `session`: the cookie of the session that the browser had before.
 */
export async function setPassword(
  { db, clock, createRecords, passwords, passwordRule, openLink }: Deps,
  input: SetPasswordInput,
  { session: previousSession, device }: { session: string | null; device: string },
): Promise<SetPasswordResult> {
  const { email, needsName, continueWith, projectId, language } = await openLink(input.token);
  const missing = needsName ? validateNames(input) : [];
  if (missing.length > 0) throw invalidInput(missing);
  const names = [input.firstName ?? '', input.lastName ?? ''];
  await requireStrongPassword(passwordRule, input.password, { email, names });
  const passwordHash = await passwords.hash(input.password, email);
  const hash = hashSecret(input.token);
  return db.tx(async (tx) => {
    const now = clock.now();
    const links = await tx.query(statements.consumeLinks({ email, hash, now }));
    if (!links.some(({ consumed }) => consumed)) throw invalidLink();
    const person = await findOrCreatePerson(tx, createRecords, { ...input, email, language, now });
    // Only its organization sets the password of a test patient; no link is mailed to one.
    if (person.is_test_patient) throw invalidLink();
    const { patient_id: patientId } = person;
    // Who adds a passkey meanwhile waits, and finds their session ended.
    await tx.query(lockAccount(patientId));
    if (language !== null) await tx.query(patients.setFirstLanguage(patientId, language));
    await tx.query(patients.upsertPassword(patientId, passwordHash, now));
    await endSession(tx, previousSession);
    await tx.query(statements.deletePatientSessions(patientId));
    if (!input.keepPasskeys) await removeAllPasskeys(tx, { patientId, device, now });
    const session = await beginSession(tx, { patientId, now, by: 'password_chosen', device });
    return { person: toPersonDto(person), session, continueWith, projectId };
  });
}

type Names = Pick<SetPasswordInput, 'firstName' | 'lastName'>;

/**
 * Returns the owner of the address: a person whom an organization enrolled, or a new patient. Safe against a concurrent
 * enrollment.
 */
async function findOrCreatePerson(
  tx: Tx,
  createRecords: CreateRecords,
  { email, firstName, lastName, language, now }: Names & { email: Email; language: string | null; now: Date },
): Promise<statements.PersonRow> {
  const known = await maybeOne(tx, statements.findPersonByEmail(email));
  // A person whom nothing rested on may have been deleted meanwhile.
  if (known && (await maybeOne(tx, patients.lockPatientsById([known.patient_id])))) {
    // Somebody else's account may have got the address while this waited for the lock.
    const owner = await maybeOne(tx, statements.findPersonByEmail(email));
    if (owner?.patient_id !== known.patient_id) throw invalidLink();
    return known;
  }
  if (firstName === undefined || lastName === undefined)
    throw invalidInput(validateNames({ firstName, lastName }));
  const patient: patients.NewPatient = {
    patientId: generatePatientId(),
    testOrganizationId: null,
    email,
    firstName,
    lastName,
    dateOfBirth: null,
    phone: null,
    language,
  };
  await createPatients(tx, createRecords, { candidates: [patient], now });
  return one(tx, statements.findPersonByEmail(email));
}

const validateNames = (names: Names): FieldError[] =>
  (['firstName', 'lastName'] as const)
    .filter((path) => names[path] === undefined)
    .map((path) => ({ path, message: 'is needed for a new account' }));
