import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConsentRecordId, PatientId } from '../../contract/brands.ts';
import { createAuditLog, type Audit } from '../../server/platform/audit/append.ts';
import { sealAll } from '../../server/platform/audit/seal.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { createSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import type { Mail } from '../../server/platform/mail/mail.ts';
import { createNoticeMailJob } from '../../server/surfaces/portal/notices/notice-mail.ts';
import { updateSettings } from '../../server/surfaces/portal/notices/notice-settings.ts';
import { notifyDigests } from '../../server/surfaces/portal/notices/notify-digests.ts';
import { notifyHeldUploads } from '../../server/surfaces/portal/notices/notify-held-uploads.ts';
import { notifyReads } from '../../server/surfaces/portal/notices/notify-reads.ts';
import { notifyUnusedConsents } from '../../server/surfaces/portal/notices/notify-unused-consents.ts';
import { createTestClock, type TestClock } from '../harness/clock.ts';
import { newOrganization } from '../harness/service.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const ALL = {
  firstRead: true,
  unusualVolume: true,
  unusedConsent: true,
  heldUpload: true,
  weeklyDigest: true,
};
const never = new AbortController().signal;

describe('mails to a patient about the use of the record', () => {
  let store: TestStore;
  let clock: TestClock;
  let audit: Audit;
  let organization: Awaited<ReturnType<typeof newOrganization>>;
  before(async () => {
    store = await openTestStore();
    clock = createTestClock();
    audit = createAuditLog({ db: store.db, clock });
    organization = await newOrganization({ store, clock });
    // At the beginning of an hour, so that a test knows which reads are in one.
    clock.advance(HOUR - (clock.now().getTime() % HOUR));
  });
  after(() => store.remove());

  const newPatient = async (more: { isTest?: boolean; language?: string } = {}): Promise<PatientId> => {
    const patientId = generateId<PatientId>();
    await store.db.query(sql`
        insert into patient (patient_id, test_organization_id, email, first_name, last_name, language, created_at)
        values (${patientId}, ${more.isTest ? organization.organizationId : null}, ${`${patientId}@mail.example`}, 'Jo',
          'Larsen', ${more.language ?? null}, ${clock.now()})`);
    return patientId;
  };

  const read = async (patientId: PatientId, client: string, times = 1): Promise<void> =>
    audit.writeAll(
      store.db,
      Array.from({ length: times }, () => ({
        organizationId: organization.organizationId,
        projectId: organization.projectId,
        action: 'mcp.tools_call' as const,
        actor: { kind: 'patient' as const, id: patientId },
        client,
        patientId,
        detail: { tool: 'get_labs', categories: ['LABS'] },
      })),
    );

  const readAsPartner = (patientId: PatientId): Promise<void> =>
    audit.write(store.db, {
      organizationId: organization.organizationId,
      action: 'fhir.everything',
      actor: { kind: 'researcher', id: 'r' },
      client: 'direct',
      patientId,
    });

  /** Seals the log, runs the timers and then the jobs that they enqueued; answers the mails. */
  const runTimers = async (): Promise<Mail[]> => {
    const { db } = store;
    const keys = createSigningKeys({ db, clock });
    await sealAll({ db, clock, keys, baseUrl: 'https://chartgate.example' });
    const payloads = new Map<string, unknown>();
    const jobs = {
      wake: () => {},
      enqueue: async (_: unknown, job: { uniqueKey: string; payload: unknown }) => {
        assert.ok(!payloads.has(job.uniqueKey), `${job.uniqueKey} is enqueued once`);
        payloads.set(job.uniqueKey, job.payload);
      },
    };
    await notifyReads({ db, clock, jobs }, never);
    await notifyDigests({ db, clock, jobs }, never);
    await notifyHeldUploads({ db, clock, jobs }, never);
    await notifyUnusedConsents({ db, clock, jobs }, never);
    const mails: Mail[] = [];
    const job = createNoticeMailJob({
      db,
      send: async (mail) => void mails.push(mail),
      consentAppUrl: 'https://chartgate.example/consent',
    });
    for (const payload of payloads.values())
      await job.run(JSON.parse(JSON.stringify(payload)) as never, never);
    return mails;
  };

  const listSubjects = (mails: readonly Mail[], patientId: PatientId): string[] =>
    mails.filter(({ to }) => to === `${patientId}@mail.example`).map(({ subject }) => subject);

  it('say that a new app has read, once for each app, and nothing about what it read', async () => {
    const patient = await newPatient();
    await read(patient, 'first', 3);
    const mails = await runTimers();
    assert.deepEqual(listSubjects(mails, patient), ['A new app has read your data']);
    assert.match(mails[0]?.text ?? '', /https:\/\/chartgate\.example\/consent\/#\/my-data\n/);
    assert.doesNotMatch(mails[0]?.text ?? '', /lab|first\b(?! time)/i);
    await read(patient, 'first');
    assert.deepEqual(await runTimers(), []);
    await read(patient, 'second');
    assert.deepEqual(listSubjects(await runTimers(), patient), ['A new app has read your data']);
  });

  it('are in the language of the patient', async () => {
    const patient = await newPatient({ language: 'es-MX' });
    await read(patient, 'first');
    assert.deepEqual(listSubjects(await runTimers(), patient), ['Una aplicación nueva ha leído sus datos']);
  });

  it('are sent neither to a test patient nor about a read by a partner', async () => {
    const [testPatient, shared] = [await newPatient({ isTest: true }), await newPatient()];
    await read(testPatient, 'first', 120);
    await readAsPartner(shared);
    assert.deepEqual(await runTimers(), []);
  });

  it('say that an app reads unusually often, at most once a day', async () => {
    const patient = await newPatient();
    await read(patient, 'agent', 99);
    assert.deepEqual(listSubjects(await runTimers(), patient), ['A new app has read your data']);
    await read(patient, 'agent');
    const unusual = ['An app reads your data more often than usual'];
    assert.deepEqual(listSubjects(await runTimers(), patient), unusual);
    await read(patient, 'agent', 50);
    assert.deepEqual(await runTimers(), []);
    clock.advance(DAY);
    await read(patient, 'agent', 1000);
    assert.deepEqual(await runTimers(), [], '150 in an hour are usual by now');
    await read(patient, 'agent', 501);
    assert.deepEqual(listSubjects(await runTimers(), patient), unusual);
  });

  it('count an entry that is sealed later, and none twice', async () => {
    const patient = await newPatient();
    await read(patient, 'agent', 2);
    await runTimers();
    await read(patient, 'agent');
    await runTimers();
    await runTimers();
    const counted = await one(
      store.db,
      sql<{ reads: number }>`select sum(reads)::int as reads from read_count where patient_id = ${patient}`,
    );
    assert.equal(counted.reads, 3);
  });

  it('offer to end a consent that nobody has read under for 90 days, once for each last use', async () => {
    const [used, unused, young] = [await newPatient(), await newPatient(), await newPatient()];
    const consent = (patientId: PatientId) =>
      store.db.query(sql`
        insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at)
        values (${patientId}, ${organization.projectId}, 'PATIENT_DIRECTED_DATA_EXCHANGE',
          ${generateId<ConsentRecordId>()}, 'OPTED_IN', ${new Date(clock.now().getTime() + 365 * DAY)}, ${clock.now()})`);
    await consent(used);
    await consent(unused);
    clock.advance(2 * DAY);
    await consent(young);
    clock.advance(87 * DAY);
    assert.deepEqual(await runTimers(), []);
    await readAsPartner(used);
    clock.advance(DAY);
    const offer = ['Do you still want to share your data?'];
    const mails = await runTimers();
    assert.deepEqual(
      mails.map(({ to }) => to),
      [`${unused}@mail.example`],
    );
    assert.deepEqual(listSubjects(mails, unused), offer);
    assert.deepEqual(await runTimers(), []);
    clock.advance(90 * DAY);
    const later = await runTimers();
    assert.deepEqual(listSubjects(later, unused), [], 'it was offered');
    assert.deepEqual(listSubjects(later, used), offer);
    assert.deepEqual(listSubjects(later, young), offer);
    await store.db.query(sql`delete from consent`);
  });

  it('sum up a week for those who want it', async () => {
    const patient = await newPatient();
    await updateSettings({ db: store.db, clock }, patient, ALL);
    await read(patient, 'one', 4);
    await read(patient, 'two');
    await readAsPartner(patient);
    await runTimers();
    clock.advance(7 * DAY - 1);
    assert.deepEqual(await runTimers(), []);
    clock.advance(1);
    const [digest] = await runTimers();
    assert.equal(digest?.subject, 'Your data: the last seven days');
    assert.match(
      digest.text,
      /2 apps read your data, 5 times in all\.\n- Organizations that you share with read your data once\./,
    );
    clock.advance(22 * DAY);
    const mails = await runTimers();
    assert.equal(mails.length, 1, 'weeks that nobody looked are not sent again');
    assert.match(mails[0]?.text ?? '', /No app read your data/);
    await updateSettings({ db: store.db, clock }, patient, { ...ALL, weeklyDigest: false });
    clock.advance(8 * DAY);
    assert.deepEqual(await runTimers(), []);
  });

  it('remind once of what has waited for an answer for three days, and of no file by name', async () => {
    const [patient, answered] = [await newPatient(), await newPatient({ language: 'es' })];
    const hold = async (patientId: PatientId): Promise<string> => {
      const batchId = generateId();
      await store.db.query(sql`
        insert into upload_batch (patient_id, batch_id, status, received_at, held_at, paths, position)
        values (${patientId}, ${batchId}, 'needs_confirmation', ${clock.now()}, ${clock.now()}, ${['hiv-clinic.pdf']},
          (select coalesce(max(position), 0) + 1 from upload_batch))`);
      return batchId;
    };
    for (const patientId of [patient, patient, answered]) await hold(patientId);
    clock.advance(3 * DAY - 1);
    assert.deepEqual(await runTimers(), []);
    await store.db.query(sql`
      update upload_batch set status = 'completed' where patient_id = ${answered}`);
    clock.advance(1);
    const [mail, ...others] = await runTimers();
    assert.deepEqual([mail?.to, others], [`${patient}@mail.example`, []]);
    assert.equal(mail?.subject, 'Something you sent is waiting for your answer');
    assert.match(mail.text, /consent\/#\/my-data\/documents\n/);
    assert.doesNotMatch(`${mail.subject} ${mail.text}`, /hiv|clinic|pdf/i);
    clock.advance(20 * DAY);
    assert.deepEqual(await runTimers(), []);
  });

  it('are not sent to whoever does not want them, also when it is noticed before', async () => {
    const patient = await newPatient();
    const none = {
      firstRead: false,
      unusualVolume: false,
      unusedConsent: false,
      heldUpload: false,
      weeklyDigest: false,
    };
    await updateSettings({ db: store.db, clock }, patient, none);
    await read(patient, 'agent', 200);
    assert.deepEqual(await runTimers(), []);
    await updateSettings({ db: store.db, clock }, patient, ALL);
    await read(patient, 'agent');
    assert.deepEqual(await runTimers(), [], 'that was noticed when nobody wanted to hear of it');
  });
});
