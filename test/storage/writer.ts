import fs from 'node:fs';
import type { ConsentStatus } from '../../contract/account/consent.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../contract/brands.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { denyRequests } from '../../server/surfaces/oauth/authorization-server.ts';
import { ALL_DATA_SCOPES } from '../../server/consent/access/sensitivity-labels.ts';
import { decideTestPatientConsent } from '../../server/consent/decisions/decide-test-patient-consent.ts';
import { createJobWorker } from '../../server/platform/jobs/worker.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { createOrganization } from '../../server/identity/members/create-organization.ts';
import { maybeOne, type Db } from '../../server/platform/db/db.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { sql } from '../../server/platform/db/sql.ts';

/**
 * A process to be killed: `writer.ts MODE DATA_DIRECTORY [DATABASE_URL]`. Prints on its standard output what it finds
 * (`found {…}`) and then, in the mode `write`, that it begins (`writes`) and everything that was acknowledged to it
 * (`stored KEY`), forever.
 */
const [mode = 'write', dataDirectory = '', databaseUrl] = process.argv.slice(2);
const deps = { clock: systemClock };

const pause = new Int32Array(new SharedArrayBuffer(4));

/** All of the line, before anything else happens: where its reader is busy, the output takes a part of it, or nothing yet. */
function print(line: string): void {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0;)
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
}

/** What the store holds, and how much of it is not whole: records without the rows of their transaction. */
export interface StoreContent {
  keys: string[];
  /** By key, the transaction that wrote it. */
  transactions: Record<string, string>;
  torn: number;
}

interface EnrollmentRow {
  patient_id: PatientId;
  project_id: ProjectId;
  organization_id: OrganizationId;
}

async function readStore(db: Db): Promise<StoreContent> {
  const written = await db.query(sql<{ key: string; transaction: string }>`
    select actor_id as key, xmin::text as transaction from audit_entry where action = 'webhook.tested'
    union all select consent_record_id::text, xmin::text from consent_record
    union all select unique_key, xmin::text from job`);
  const torn = await db.query(sql`
    select from consent_record r
    full join consent_record_patient u using (consent_record_id)
    full join (select * from audit_entry where action = 'consent.recorded') a using (consent_record_id)
    where r.patient_id is null or u.patient_id is null or a.patient_id is null
    union all
    select from consent c where not exists (select from consent_record r where r.consent_record_id = c.consent_record_id)`);
  return {
    keys: written.map(({ key }) => key),
    transactions: Object.fromEntries(written.map(({ key, transaction }) => [key, transaction])),
    torn: torn.length,
  };
}

async function ensureEnrollment(db: Db): Promise<EnrollmentRow> {
  const known = await maybeOne(
    db,
    sql<EnrollmentRow>`select patient_id, project_id, organization_id from enrollment`,
  );
  if (known) return known;
  const created = await createOrganization(
    { ...deps, db },
    { name: 'Clinic', project: 'Study', adminEmail: 'a@b.example' },
  );
  if (!created) throw new Error('no organization');
  const { organizationId, projectId } = created;
  const patientId = generateId<PatientId>();
  await db.tx(async (tx) => {
    await tx.query(sql`
      insert into patient (patient_id, test_organization_id, email, first_name, last_name, created_at)
      values (${patientId}, ${organizationId}, 'a@b.example', 'Ada', 'Elm', now())`);
    await tx.query(sql`
      insert into enrollment (patient_id, project_id, organization_id, created_at)
      values (${patientId}, ${projectId}, ${organizationId}, now())`);
  });
  return { patient_id: patientId, project_id: projectId, organization_id: organizationId };
}

async function write(db: Db): Promise<never> {
  const patient = await ensureEnrollment(db);
  const audit = createAuditLog({ ...deps, db });
  const jobs = createJobWorker({ ...deps, db, onError: () => {} }, [
    { kinds: [{ kind: 'test', maxAttempts: 1, delaySeconds: () => 1, run: async () => {} }], concurrency: 1 },
  ]);
  const append = async (): Promise<string> => {
    const id = generateId();
    const organizationId = patient.organization_id;
    await audit.append({ organizationId, action: 'webhook.tested', actor: { kind: 'system', id } });
    return id;
  };
  let count = 0;
  const decide = (): Promise<string> => {
    const consentStatus: ConsentStatus = count++ % 2 === 0 ? 'OPTED_IN' : 'OPTED_OUT';
    const { patient_id: patientId, project_id: projectId } = patient;
    const consentType = 'PATIENT_DIRECTED_DATA_EXCHANGE';
    return decideTestPatientConsent(
      { ...deps, db, audit, denyRequests, emit: createEmitter(() => {}) },
      { patientId, projectId, consentType, consentStatus, scopes: ALL_DATA_SCOPES, expiresAt: null },
    );
  };
  const enqueue = async (): Promise<string> => {
    const uniqueKey = generateId();
    await db.tx((tx) => jobs.enqueue(tx, { kind: 'test', uniqueKey, payload: { text: 'x'.repeat(1000) } }));
    return uniqueKey;
  };
  const repeatForever = async (work: () => Promise<string>): Promise<never> => {
    for (;;) print(`stored ${await work()}`);
  };
  print('writes');
  return Promise.race([append, append, append, decide, enqueue].map(repeatForever));
}

const db = await openDb({
  databaseUrl: databaseUrl || undefined,
  dataDirectory,
  onFatal: (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(70);
  },
});
print(`found ${JSON.stringify(await readStore(db))}`);
if (mode === 'write') await write(db);
else if (mode === 'hold') setInterval(() => {}, 1000);
else await db.close();
