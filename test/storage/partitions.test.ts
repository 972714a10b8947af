import { updateSupersededBy } from '../../server/clinical/entries/entries.sql.ts';
import {
  findVisitDates,
  updateGroupKeys,
  updateNames,
} from '../../server/clinical/entries/entry-context.sql.ts';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ZipFile } from 'yazl';
import { purgeExpiredAccountData } from '../../server/identity/accounts/purge-expired.ts';
import { resolveSession } from '../../server/identity/accounts/session.ts';
import { createService } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { emitExpiryEvents } from '../../server/consent/decisions/expiry-events.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import {
  listUnreadDocuments,
  stateUnreadDocument,
} from '../../server/clinical/ingest/batches/unread-documents.ts';
import { createNoticeMailJob } from '../../server/surfaces/portal/notices/notice-mail.ts';
import { addReadCounts, selectUsualReads } from '../../server/surfaces/portal/notices/notices.sql.ts';
import { purgeReadCounts } from '../../server/surfaces/portal/notices/notices.ts';
import { notifyDigests } from '../../server/surfaces/portal/notices/notify-digests.ts';
import { notifyHeldUploads } from '../../server/surfaces/portal/notices/notify-held-uploads.ts';
import { notifyUnusedConsents } from '../../server/surfaces/portal/notices/notify-unused-consents.ts';
import { selectPeople } from '../../server/identity/patients/patients.sql.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { sumWebhookDays } from '../../server/surfaces/webhooks/maintenance/sum-days.ts';
import { sumWebhookHours } from '../../server/surfaces/webhooks/maintenance/sum-hours.ts';
import { countDays } from '../../server/surfaces/insights/count-days.ts';
import { sumUsageDays } from '../../server/surfaces/insights/sum-usage-days.ts';
import { TOOLS } from '../../server/surfaces/mcp/tools/tools.ts';
import { PATIENT_TABLES } from '../../server/identity/patients/delete-patient.sql.ts';
import { NOT_READ_IN_TIME } from '../../server/clinical/ingest/batches/read-again.ts';
import {
  findBatchesByRejection,
  hasUnfinishedOfSource,
  isTakingOutOfSource,
  selectUploader,
} from '../../server/clinical/ingest/batches/uploads.sql.ts';
import {
  deleteTakenOut,
  findContent,
  findFetched,
  findLarge,
  findTakenOut,
  insertTakenOut,
} from '../../server/clinical/store/taken-out.sql.ts';
import { reindexAll } from '../../server/clinical/ingest/import/reindex.ts';
import { READING_VERSION } from '../../server/clinical/store/reading-version.ts';
import { countRecordsReadBefore, findRecordReadBefore } from '../../server/clinical/store/records.sql.ts';
import { recordFailure, requeueSync } from '../../server/clinical/sources/syncs.sql.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
import { AuthorizationRequestId, BatchId, PatientId, SourceId } from '../../contract/brands.ts';
import { findBodiesByIds } from '../../server/clinical/store/bodies-by-id.sql.ts';
import { selectPathOfContent } from '../../server/clinical/ingest/originals/documents.sql.ts';
import { selectDecided } from '../../server/consent/records/find-patient.sql.ts';
import { purgeOrphans } from '../../server/clinical/ingest/originals/purge-orphans.ts';
import { endBlockedConnections } from '../../server/surfaces/oauth/apps/end-connections.ts';
import { purgeOAuth } from '../../server/surfaces/oauth/purge-oauth.ts';
import { noteFormerPatients, touchPerson } from '../../server/clinical/store/person-changes.sql.ts';
import { clearUnannounced, selectLateChanges } from '../../server/clinical/store/record-changes.sql.ts';
import { NO_LABELS } from '../../server/consent/access/sensitivity-labels.ts';
import { purgeDrafts } from '../../server/consent/decisions/draft.ts';
import { createRecordsUpdatedEmitter } from '../../server/consent/decisions/records-updated-event.ts';
import { updateProgress } from '../../server/surfaces/oauth/requests/requests.sql.ts';
import {
  type Flow,
  buildAuthorizePath,
  callMcp,
  obtainCode,
  decideRequest,
  exchangeCode,
  newFlow,
  createPkce,
  refresh,
  registerClient,
  getRequestId,
  obtainTokens,
} from '../harness/authorization.ts';
import { recordConsentWithScreenshots } from '../harness/consent-record.ts';
import { newAccount, newPerson } from '../harness/account.ts';
import { createArchive } from '../harness/archive.ts';
import { createAuthenticator } from '../harness/authenticator.ts';
import { startFakeEmbeddings, type FakeEmbeddings } from '../harness/fake-embeddings.ts';
import { startFakeFhirServer, type FakeFhirServer } from '../harness/fake-fhir-server.ts';
import { extractLinkToken, listMailsTo } from '../harness/mails.ts';
import { downloadArchive, uploadOnPage, waitForUploads } from '../harness/my-data.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  call,
  callTool,
  decide,
  newOrganization,
  newTestPatient,
  getOrganizationToken,
  generateRecordArchive,
  getToolText,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { openTestStore } from '../harness/store.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';
import { getVocabulary } from '../harness/vocabulary.ts';
import { countColumns, openPartitioned, findPartitions, recordStatements } from './partitioned.ts';
import { exerciseClients } from './exercise-clients.ts';
import { exerciseFhir } from './exercise-fhir.ts';
import { exerciseEmbeddings, exerciseOwnRecord } from './exercise-own-record.ts';
import { exerciseStudy } from './exercise-study.ts';
import { exerciseObjects } from './exercise-objects.ts';
import { exerciseDocuments, exerciseRemoval, importArchive } from './exercise-uploads.ts';
import { countCalls, findFunctionsOn } from './query-functions.ts';

/** Not distributed by patient: they are asked before the patient is known. */
const LOOKUPS = [
  'patient_email',
  'patient_phone',
  'consent_record_patient',
  'passkey_route',
  'passkey_challenge',
  'oauth_request',
  'email_change',
];

/** Statements that go to every partition, by a piece of their text, and why that is right. */
const ALL_PARTITIONS: Readonly<Record<string, string>> = {
  'where p.test_organization_id = $1\n':
    "the listing of an organization's test patients: console and tests, a page at a time",
  'count(*) as total from patient where test_organization_id': 'the total of that listing',
  'from record_head where patient_id > $1 order by patient_id':
    '`recordsAfter`: reindex goes through every patient',
  'from record_head\n  where patient_id > $1 and total > 0':
    'the job that reads records anew after an upgrade: once an hour where there is none',
  'count(*)::integer as count from record_head':
    'how many those are: at each start and by `chartgate doctor`',
  'from upload_rejection r join upload_batch b':
    '`chartgate read-again`: an operator lists what was not read in time, of every patient',
  'select patient_id from enrollment\n  where organization_id = $1':
    'whether an organization has enrolled anybody: ends at the first row',
  'from enrollment e join upload_batch b on b.patient_id = e.patient_id':
    'whether anything was uploaded by who shares with an organization: asked on the console until all first steps are done, ends at the first row',
  'where p.patient_id = $1 and p.test_organization_id = $2':
    'the projects of one test patient by a select that follows the row: its partition is known when it runs',
  'from call cross join lateral':
    'answers that were kept, of several calls at once: each row of it reads the partition of its patient, known when it runs',
  'from document d where (d.patient_id, d.document_id) >':
    'the move of originals into the object store or out of it, of everybody, a page at a time: a command',
  'from upload_batch u\n  where (u.patient_id, u.batch_id) >': 'the same of archives that are not read yet',
  'from consent_screenshot\n  where (patient_id, consent_record_id, screenshot_id) >':
    'the same of pictures of decisions',
  'from stored_object\n  where (patient_id, object_id) >':
    'which objects the object store has not, of everybody, a page at a time: a command',
  'from stored_object group by use': 'how many objects there are: a command',
  'o.no_new_registrations\n':
    'whether some patient has let a client in: asked only at an organization that takes no new ones',
  'exists (select from stored_object)': 'whether there is an object at all, once at a start',
  'delete from review_draft where expires_at': 'the hourly purge of drafts, whosever they are',
  'select patient_id from past_enrollment e\n  where exists':
    'the hourly purge of who was enrolled once and never came, whosever they are',
  'where m.email = $1':
    'a login: the address is looked up first; on a sharded store its patient is asked for in a second step',
  'where m.email = any($1::text[])':
    'an enrollment of many by address: the same, for a list of patients of all shards',
  'delete from email_change c\n  where expires_at':
    'the purge of mailed links, and of those whose account is gone, now and then: nobody waits for it',
  'from email_change c join patient_password w on':
    'a mailed link: its row is looked up first; on a sharded store its patient is asked for in a second step',
  'order by patient_id limit $7 offset $8) page':
    'the consents of all who take part in a project, a page at a time',
  'from consent c join project pr using (project_id)': 'the total of that listing',
  'o.external_id = e.external_id': 'who else of an organization has the external id of somebody it enrolls',
  'select distinct on (lower(e.email)) lower(e.email) as email':
    'whom an organization calls by these addresses, when it enrolls: each shard looks into its index',
  'where p.patient_id = any($1::uuid[])\n  order by p.patient_id for key share':
    'those of them: a list of patients of all shards',
  'and lower(e.email) = $3\n    and e.patient_id <> $4':
    'whether a project calls somebody else by a corrected address: each shard looks into its index',
  'where organization_id = $1 and lower(email) = $2':
    'whom an organization means by an address: each shard looks into its index',
  'and e.standing is null and e.patient_id <>':
    'whose enrollment has the address of somebody who comes to an invitation: each shard looks into its index',
  'where organization_id = $1 and external_id = $2':
    'whom an organization means by an id of its own: each shard looks into its index',
  'coalesce(p.test_organization_id is not null, false)':
    "the list of an organization's patients, a page at a time: each shard looks into its index",
  'as matched, count(*) filter':
    'whom a filter of that list finds for an invitation: the console, before it is sent',
  'select e.patient_id, e.project_id from enrollment e where':
    'whose enrollments a filter of that list ends, some at a time',
  'with due as (\n    select e.patient_id, e.project_id from enrollment e':
    'the invitations themselves, some hundred at a time',
  "date_trunc('week', e.invited_at": 'how far those came who were invited in a time',
  'select e.project_id, count(*) as patients from enrollment e':
    'how many take part in each project of an organization: each shard looks into its index',
  'select distinct e.patient_id from enrollment e':
    'everybody for whom a source is asked anew, a page at a time',
  'count(distinct e.patient_id) as patients': 'how many those are',
  'order by patient_id limit $7 offset $8': "what has become of a source's patients, a page at a time",
  'count(*) as total from source_sync': 'the total of that listing, and how many are in each state',
  'order by r.decided_at desc, r.consent_record_id desc limit $':
    "a page of an organization's decisions: each shard looks into its index, and the rows of the page are looked up",
  'with recursive version as (':
    'the versions of the page that decisions of an organization were made on: some probes of the index of each shard',
  'from consent_record r\n  where r.organization_id = $':
    "the counts of an organization's decisions: each shard looks into its index",
  'select patient_id from upload_batch where batch_id = $1':
    'whose an upload is of which only the id is known: each shard looks into its index',
  'delete from source_sync where source_id = $1': 'the end of a source for all of its patients',
  'delete from taken_out_resource where source_id = $1': 'the same',
  'delete from account_event where at < $1':
    'the purge of what happened to anybody a year ago, now and then; nobody waits for it',
  'delete from account_session where expires_at <= $1':
    'the purge of expired sessions of everybody, now and then; nobody waits for it',
  'where r.resource_type = $':
    'a resource by its type and id alone: each shard looks into its index of ids; at most a hundred are looked through',
  'from consent where consent_status = ':
    'whether the time of a consent has ended, of anybody: each shard looks into its index of ends',
  'update consent c set expiry_emitted = true':
    'those whose time has ended, some at a time: a timer, nobody waits for it',
  'delete from blob_chunk c using':
    'the purge of what was sent and never acknowledged, by anybody, now and then; nobody waits for it',
  'from patient where patient_id = any(':
    'which of those whom a part of the log names are people: a timer, nobody waits for it',
  'select distinct patient_id, to_char(held_at':
    'the uploads that have waited for an answer, of everybody, a page at a time: a timer, nobody waits for it',
  'from consent c join project pr on pr.project_id = c.project_id':
    'the consents that nobody has used for long, a page at a time, once a day; how many are in force',
  'update notice_settings s': 'whose weekly digest is due, some at a time: a timer, nobody waits for it',
  'delete from read_count where hour <':
    'the purge of old counts of reads, now and then; nobody waits for it',
  'delete from resource_version v\n  where valid_until <= $1':
    'the purge of what resources were before they changed, now and then; nobody waits for it',
  'select patient_id from unnest($1::uuid[]) as given(patient_id)':
    'which of a page of all records lack vectors, once an hour: nobody waits for it',
  'update consent set asked_again = false where project_id':
    'a project has changed its words: of all who share with it nobody was asked about these',
  'order by a.first_seen_at desc, a.app_id desc':
    'the apps that some patient has connected: each shard looks into its index of apps',
  'delete from client_app a':
    'the purge of apps that nobody let in, now and then: each shard looks into its index of apps',
  'group by a.organization_id':
    'the apps that a block catches, now and then: each shard looks into its index of apps',
  'group by g.app_id': 'how many patients have each app of a page connected: the same',
  'count(*)::integer as connections': 'what a block would end, of every patient: the same',
  "revoked_because = 'client_blocked'\n": 'what a block ends, of every patient: the same',
  "then 'expired'": 'how the connections of an app stand, of every patient: the same',
  'select distinct g.app_id, g.client_id': 'the clients of the apps of a page, of every patient: the same',
  'group by g.client_id': 'the registrations of an app, of every patient: the same',
  'select distinct c.patient_id, c.project_id from consent c':
    'all who share with a project that has changed its words, a page at a time: a job, nobody waits for it',
  'from oauth_grant g where g.patient_id = e.patient_id':
    'what clients are called, by a select that follows a page of the log: each row names its patient',
  'select from consent c\n    join project p':
    'how many consents end soon, ten thousand at most: each shard looks into its index of ends',
  "y.state = 'failed'":
    'how many of a source were not fetched: each shard looks into an index of these alone',
  "where b.status = 'failed' and b.received_at":
    'how many uploads of the last days failed: each shard looks into an index of these alone',
  'update record_head h set body_bytes':
    'the bytes of records that have changed, some at a time, once an hour: nobody waits for it',
  'select distinct on (e.patient_id) e.patient_id, e.project_id\n':
    'what is stored of those who take part in projects of an organization, once an hour: nobody waits for it',
  'from consent_record r join consent_screenshot s':
    'the bytes of the evidence of an organization, once an hour: nobody waits for it',
  'order by c.expires_at limit':
    'whose consents end soon, of anybody, some at a time, once an hour: nobody waits for it',
};

describe('statements on what belongs to a patient', () => {
  let service: TestService;
  let statements: ReadonlyMap<string, Sql>;
  let db: Db;
  let called: Set<string>;
  let ehr: FakeFhirServer;
  let embeddings: FakeEmbeddings;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-partitions-'));

  before(async () => {
    const calls = await countCalls();
    ({ db } = await openPartitioned(LOOKUPS));
    ehr = await startFakeFhirServer();
    embeddings = await startFakeEmbeddings();
    const memory = recordStatements(db);
    ({ statements } = memory);
    service = await startServiceOn(memory.db);
    await exerciseAll(service, memory.db);
    called = await calls();
  });
  after(async () => {
    await service.stop();
    await ehr.stop();
    await embeddings.stop();
    fs.rmSync(folder, { recursive: true });
  });

  async function startServiceOn(store: Db): Promise<TestService> {
    const port = String(await findFreePort());
    const config = readConfig({
      PORT: port,
      // Passkeys are made for names, not for addresses.
      CHARTGATE_CONSENT_APP_URL: `http://localhost:${port}/consent`,
      CHARTGATE_DATA_DIR: folder,
      CHARTGATE_LOG_LEVEL: 'error',
      CHARTGATE_SOURCES_ALLOW_PRIVATE: '1',
      CHARTGATE_EMBEDDINGS_URL: embeddings.url,
      CHARTGATE_EMBEDDINGS_MODEL: 'letters',
    });
    const made = createService({ config, db: store, clock: systemClock, outbound: ehr.outboundClient });
    await made.app.listen({ port: config.http.port, host: config.http.host });
    await made.worker.start();
    const parts = { store: { db: store }, clock: systemClock } as unknown as TestService;
    return {
      ...parts,
      ...made,
      config,
      baseUrl: config.http.baseUrl,
      organization: await newOrganization(parts),
      async stop() {
        await made.app.close();
        await made.worker.stop();
        await store.close();
      },
    };
  }

  it('touch the partition of that patient and no other', async () => {
    const family = new RegExp(`\\b(${PATIENT_TABLES.join('|')})\\b`);
    const asked = [...statements.values()].filter(
      ({ text }) => family.test(text) && !/^\s*lock table/.test(text),
    );
    assert.ok(asked.length > 60, `${asked.length} statements were played`);
    const met = new Set<string>();
    const astray: string[] = [];
    for (const statement of asked) {
      const touched = await findPartitions(db, statement);
      const exception = Object.keys(ALL_PARTITIONS).find((piece) => statement.text.includes(piece));
      if (exception !== undefined && touched.length > 1) met.add(exception);
      else if (touched.length > 1) astray.push(`${touched.length} partitions: ${statement.text}`);
    }
    assert.deepEqual(astray, []);
    assert.deepEqual([...met].sort(), Object.keys(ALL_PARTITIONS).sort(), 'every exception is needed');
  });

  it('would be caught if they forgot the patient', async () => {
    assert.deepEqual(await findPartitions(db, sql`select from resource where seq = ${1}`), [0, 1, 2, 3]);
    const id = '01890000-0000-7000-8000-000000000000';
    assert.equal((await findPartitions(db, sql`select from resource where patient_id = ${id}`)).length, 1);
    const half = sql`select from passage_use u join passage p using (passage_hash) where u.patient_id = ${id}`;
    assert.deepEqual(await findPartitions(db, half), [0, 1, 2, 3]);
  });

  it('were all played: every function that makes one was called', () => {
    const functions = findFunctionsOn(PATIENT_TABLES);
    assert.ok(functions.length > 50, `${functions.length} functions`);
    assert.deepEqual(
      functions.filter((name) => !called.has(name)),
      [],
      'add them to the play below',
    );
  });

  it('have the same columns when a table has one more, so that nodes go on while another migrates', async () => {
    const asked = [...statements.values()].filter(({ text }) =>
      /^\s*\(*(select|with|insert|update|delete)\b/.test(text),
    );
    assert.ok(asked.length > 300, `${asked.length} statements`);
    const countAll = async (): Promise<number[]> =>
      Promise.all(asked.map((statement) => countColumns(db, statement)));
    const before = await countAll();
    const tables = await db.query(sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
    for (const { name } of tables)
      await db.query(raw(`alter table ${name} add column of_a_later_version text`));
    const after = await countAll();
    assert.deepEqual(
      asked.filter((_statement, index) => after[index] !== before[index]).map(({ text }) => text),
      [],
      'PostgreSQL refuses a prepared statement whose result has changed: name the columns',
    );
    const everyColumn = await countColumns(db, sql`select * from organization`);
    assert.ok(everyColumn > (await countColumns(db, sql`select name, created_at from organization`)));
  });

  it('run on the embedded engine as they do on PostgreSQL', async () => {
    const store = await openTestStore('embedded');
    const embedded = await startServiceOn(store.db);
    try {
      await exerciseAll(embedded, store.db);
    } finally {
      await embedded.stop();
      fs.rmSync(store.dataDirectory, { recursive: true });
    }
  });

  /** The main job and all around it, so that every statement comes by once. */
  async function exerciseAll(service: TestService, db: Db): Promise<void> {
    const { organizationId } = service.organization;
    const admin = await getOrganizationToken(service);
    const patient = await newTestPatient(service);
    const patientsUrl = `/v1/organizations/${organizationId}/test-patients`;

    // In a thread of the service nobody would remember the statements.
    await importArchive({ patient, db }, fs.readFileSync(await generateRecordArchive({ years: 3 })));
    const first = await importArchive({ patient, db }, await createZip(buildFirstVisit()));
    assert.equal(first.status, 'completed_with_errors');
    await exerciseStatements(db, PatientId.parse(patient.id));
    const last = await importArchive({ patient, db }, await createZip(buildSecondVisit()));
    assert.equal(last.resources_updated, 3, 'two changed, and one got its late reference');
    const uploads = `/v1/patients/${patient.id}/upload-documents`;
    for (const url of [uploads, `${uploads}/${last.batch_id}`])
      assert.equal((await call(service, url, { token: patient.token })).status, 200);
    await exerciseDocuments(service, patient);

    const visits = getToolText(await callTool(service, patient, 'get_visits', { years: 100 }));
    const encounterId = /Encounter\/[\w-]+/.exec(visits)?.[0];
    const inputs: Record<string, object[]> = {
      search: [
        { query: 'blood pressure -nothing' },
        { query: 'metfromin' },
        { query: 'stopped medications' },
      ],
      search_clinical_notes: [{ query: 'pain' }, { encounterId }],
      get_details: [{ references: ['Patient', encounterId] }],
      get_other_records: [{}, { kind: 'order' }],
    };
    for (const { name } of TOOLS) {
      const fallback =
        name === 'get_health_summary' || name.startsWith('update')
          ? [{}]
          : [{}, { years: 1, beforeDate: '2026-01-01' }];
      for (const input of inputs[name] ?? fallback) {
        const { body } = await callTool(service, patient, name, input);
        assert.ok(
          body.result !== undefined && body.result.isError !== true,
          `${name}: ${JSON.stringify(body).slice(0, 300)}`,
        );
      }
    }
    // Stored by a program that read another period in them.
    await db.query(sql`update resource set first_day = '1900-01-01' where patient_id = ${patient.id}::uuid`);
    await reindexAll({ db, clock: systemClock, extractText: async () => null, getVocabulary });
    await db.query(findRecordReadBefore(patient.id as PatientId, READING_VERSION + 1));
    await db.query(countRecordsReadBefore(READING_VERSION));
    await exerciseOwnRecord(service, patient);
    await exerciseEmbeddings(service, { patient, db, fake: embeddings, outbound: ehr.outboundClient });
    await exerciseStudy(service, db);
    await exerciseAccount(service, db);
    await exerciseMyData(service);
    await exerciseAuthorization(service, db);
    await exerciseClients(service);

    await exerciseFhir(service, { patient, admin, db });
    await exerciseConsentRecords(service, { patient, admin });
    await exerciseExpiry(service, db);
    await exerciseSources(service, { ehr, patient, admin });
    const sync = { patientId: PatientId.parse(patient.id), sourceId: SourceId.parse(patient.id) };
    await db.query(recordFailure(sync, 'timeout'));
    await db.query(requeueSync(sync));
    await db.query(hasUnfinishedOfSource(sync.patientId, sync.sourceId));
    await db.query(isTakingOutOfSource(sync.patientId, sync.sourceId));
    const hash = Buffer.alloc(32);
    const rows = [{ resourceHash: hash, contentHash: hash }];
    await db.query(insertTakenOut(sync.patientId, sync.sourceId, rows));
    await db.query(selectLateChanges(sync.patientId, new Date()));
    await db.query(touchPerson(sync.patientId, { now: new Date(), createdAt: new Date() }));
    await db.query(noteFormerPatients(sync.patientId, [NO_LABELS], new Date()));
    await db.query(clearUnannounced(sync.patientId));
    await db.query(findTakenOut(sync.patientId, sync.sourceId));
    await db.query(findLarge(sync.patientId, [1]));
    await db.query(findContent(sync.patientId, 1));
    await db.query(findFetched(sync.patientId, BatchId.parse(crypto.randomUUID()), [1]));
    await db.query(deleteTakenOut(sync.patientId, sync.sourceId, [hash]));
    await db.query(findVisitDates(sync.patientId, ['Encounter/1']));
    await db.query(selectDecided([sync.patientId], { organizationId, projectIds: null }));
    await db.query(selectPathOfContent(sync.patientId, { sha256: Buffer.alloc(32), path: 'a.txt' }));
    await db.query(updateNames(sync.patientId, []));
    await db.query(updateGroupKeys(sync.patientId, []));
    await db.query(updateSupersededBy(sync.patientId, []));
    await db.query(findBodiesByIds(sync.patientId, 'Medication', ['1']));
    await purgeOrphans({ db, clock: systemClock });
    const later = { now: () => new Date(Date.now() + 2 * 3600 * 1000) };
    await sumWebhookHours({ db, clock: later }, new AbortController().signal);
    await sumWebhookDays({ db }, new AbortController().signal);
    await countDays({ db, clock: later }, new AbortController().signal);
    await sumUsageDays({ db, clock: later }, new AbortController().signal);
    const batches = (await call(service, uploads, { token: patient.token })).body.results;
    const again = await call(service, `${uploads}/${batches[0].batchId}/read-again`, {
      method: 'POST',
      token: patient.token,
    });
    assert.equal(again.status, 409);
    await db.query(findBatchesByRejection(NOT_READ_IN_TIME, null));
    await db.query(selectUploader(BatchId.parse(crypto.randomUUID())));
    await exerciseObjects(db, patient);
    await exerciseRemoval(service, { patient, db });

    const today = new Date().toISOString().slice(0, 10);
    for (const what of [
      'access-log',
      'attention',
      'first-steps',
      'patients?sourceState=failed',
      `daily-figures?from=${today}&to=${today}`,
    ])
      assert.equal(
        (await call(service, `/v1/organizations/${organizationId}/${what}`, { token: admin })).status,
        200,
      );
    for (const token of [admin, patient.token])
      for (const what of ['access-log', 'consents'])
        assert.equal((await call(service, `/v1/patients/${patient.id}/${what}`, { token })).status, 200);
    await call(service, `${patientsUrl}?limit=10`, { token: admin });
    await call(service, `${patientsUrl}/${patient.id}`, { token: admin });
    const member = `${patientsUrl}/${patient.id}/projects/${patient.projectId}`;
    await call(service, member, { method: 'PUT', token: admin });
    for (const what of ['token', 'grant'])
      await call(service, `${member}/${what}`, { token: admin, json: {} });
    const { status } = await call(service, `${patientsUrl}/${patient.id}`, {
      method: 'DELETE',
      token: admin,
    });
    assert.ok(status < 300, `deleted: ${status}`);
  }
});

/** What a patient states of a document that could not be read, and takes back. */
async function exerciseStatements(db: Db, patientId: PatientId): Promise<void> {
  const { results } = await listUnreadDocuments(db, patientId);
  const audit = createAuditLog({ db, clock: systemClock });
  const emitUpdate = createRecordsUpdatedEmitter(createEmitter(() => {}));
  const deps = { db, clock: systemClock, audit, emitUpdate };
  const jobs = { enqueue: async () => {}, wake: () => {} };
  for (const { digest } of results)
    for (const nothingPrivate of [true, false])
      await stateUnreadDocument({ ...deps, jobs }, { patientId, digest, nothingPrivate });
}

/** Requests that are granted, denied, completed and forgotten; grants that are rotated, reused and revoked. */
async function exerciseAuthorization(service: TestService, db: Db): Promise<void> {
  const flow = await newFlow(service);
  const { browser, client, patient } = flow;
  const clientId = client.client_id as string;
  const code = await obtainCode(flow);
  const tokens = (await exchangeCode(service, flow, code)).body;
  for (const method of ['tools/call', 'tools/list'])
    assert.equal((await callMcp(service, tokens.access_token as string, method)).status, 200);
  const first = tokens.refresh_token as string;
  assert.equal((await refresh(service, clientId, first)).status, 200);
  const again = await browser.get(buildAuthorizePath({ clientId, challenge: flow.pkce.challenge }));
  assert.equal((await browser.get(`/oauth/interaction/${getRequestId(again)}`)).body.shortForm, true);
  assert.equal((await refresh(service, clientId, first)).status, 400);
  assert.equal((await exchangeCode(service, flow, code)).status, 400);
  const other = await newFlow(service);
  const { projectId } = service.organization;
  const denied = getRequestId(
    await other.browser.get(
      buildAuthorizePath({ clientId: other.client.client_id as string, challenge: other.pkce.challenge }),
    ),
  );
  await other.browser.post(`/oauth/interaction/${denied}/draft`, {
    confirmedAs: other.patient.email,
    choices: { categories: [], sensitivities: [], duration: 'once', day: '', representative: null },
    changedAt: new Date().toISOString(),
  });
  await decideRequest(other.browser, denied, 'deny');
  assert.equal((await other.browser.get(`/oauth/complete/${denied}`)).status, 303);
  await db.query(
    updateProgress({
      requestId: AuthorizationRequestId.parse(denied),
      status: 'ready',
      progress: '[]',
      expiresAt: new Date(),
    }),
  );
  // Whoever was not enrolled takes part by saying yes.
  const newcomer = createTestBrowser(service);
  await newAccount(service, newcomer);
  assert.ok(await obtainCode({ ...other, browser: newcomer }));
  const login = { email: patient.email, password: patient.password, projectId };
  const { token } = (await call(service, '/v1/auth/token', { json: login })).body as { token: string };
  const withdrawn = await call(service, `/v1/projects/${projectId}/patients/${patient.id}/consent`, {
    token,
    json: { consentStatus: 'OPTED_OUT' },
  });
  assert.equal(withdrawn.status, 201);
  assert.equal((await browser.get('/account/consents')).body.consents[0].status, 'withdrawn');
  await browser.post('/account/sign-out');
  await endBlockedConnections({ db, clock: systemClock, audit: createAuditLog({ db, clock: systemClock }) });
  await purgeOAuth({ db, clock: systemClock });
  await purgeDrafts({ db, clock: systemClock });
}

/** Records, their screenshots and receipts, found in every way by an organization and by the patient. */
async function exerciseConsentRecords(
  service: TestService,
  { patient, admin }: { patient: TestPatient; admin: string },
): Promise<void> {
  const { projectId } = patient;
  const seen = await recordConsentWithScreenshots(service, patient);
  const person = { email: 'known@mail.example', firstName: 'A', lastName: 'B', phone: '+1 555 0100' };
  await call(service, `/v1/projects/${projectId}/patients`, {
    token: admin,
    json: { patients: [{ ...person, externalId: 'known' }], suppressNotifications: true },
  });
  const record = `/v1/consents/${seen.consentRecordId}`;
  const list = '/v1/patients/consents?';
  const consents = `/v1/organizations/${service.organization.organizationId}/consent`;
  for (const [url, token, wanted] of [
    [record, admin, 200],
    [`${record}/screenshots`, admin, 200],
    [`${record}/screenshots/${seen.screenshotId}`, admin, 200],
    [`${record}/receipt`, admin, 200],
    [`${list}email=${patient.email}`, admin, 200],
    [`${list}patientId=${patient.id}`, admin, 200],
    [`${list}phone=%2B15550100`, admin, 403],
    [`${list}externalId=known`, admin, 403],
    [`${list}phone=%2B15550100`, patient.token, 403],
    [`${list}externalId=known`, patient.token, 403],
    [`/v1/patients/${patient.id}/consents`, admin, 200],
    [`/v1/projects/${projectId}/consents`, admin, 200],
    [`/v1/patients/${patient.id}/consented-data-scopes/study/${projectId}`, admin, 200],
    [`${record}/evidence`, admin, 200],
    [`${consents}-records?after=${seen.consentRecordId}`, admin, 200],
    [`${consents}-stats`, admin, 200],
    [`${consents}-page-versions`, admin, 200],
  ] as const)
    assert.equal((await call(service, url, { token })).status, wanted, url);
}

/** A source is connected, asked for one patient and for all, seen by everybody, and disconnected. */
async function exerciseSources(
  service: TestService,
  { ehr, patient, admin }: { ehr: FakeFhirServer; patient: TestPatient; admin: string },
): Promise<void> {
  const url = `/v1/organizations/${service.organization.organizationId}/sources`;
  const json = {
    name: 'Hospital',
    baseUrl: ehr.base,
    matching: { by: 'demographics', requireEmail: false },
    servesTestPatients: true,
  };
  const { id } = (await call(service, url, { token: admin, json })).body as { id: string };
  const person = { resourceType: 'Patient', id: 'p1', birthDate: '1970-01-01', name: [{ family: 'Nowak' }] };
  ehr.resources = [JSON.stringify(person)];
  const matching = { by: 'id' };
  for (const changes of [{ matching }, { status: 'paused' }, { status: 'active' }])
    await call(service, `${url}/${id}`, { method: 'PATCH', token: admin, json: changes });
  await call(service, `${url}/${id}/sync`, { token: admin, json: { patientId: patient.id } });
  await call(service, `${url}/${id}/syncs`, { token: admin });
  await call(service, url, { token: admin });
  const mine = `/v1/patients/${patient.id}/sources`;
  await call(service, mine, { token: patient.token });
  await call(service, `${mine}/refresh`, { method: 'POST', token: patient.token });
  await call(service, `${url}/${id}/sync`, { method: 'POST', token: admin });
  const asked = await newTestPatient(service, { consent: false });
  await service.store.db.query(sql`
    update enrollment set external_id = 'p1' where patient_id = ${asked.id}`);
  await service.store.db.query(sql`update patient set last_name = 'Nowak' where patient_id = ${asked.id}`);
  await decide(service, asked, 'OPTED_IN');
  for (;;) {
    const { body } = await call(service, `${url}/${id}/syncs?patientId=${asked.id}`, { token: admin });
    if (body.results[0]?.state === 'up_to_date') break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal((await call(service, `${url}/${id}`, { method: 'DELETE', token: admin })).status, 204);
}

/** A session is begun, used, extended, ended and forgotten. */
async function exerciseAccount(service: TestService, db: Db): Promise<void> {
  const browser = createTestBrowser(service);
  const { email, password } = await newAccount(service, browser);
  await browser.post('/account/sign-in', { email, password });
  const cookie = browser.cookies.get('chartgate-session') ?? '';
  const later = { now: () => new Date(Date.now() + 15 * 60_000) };
  assert.equal((await resolveSession({ db, clock: later }, cookie))?.person.email, email);
  await createTestBrowser(service).post('/account/sign-in', { email, password });
  const { sessions } = (await browser.get('/account/sessions')).body as {
    sessions: { id: string; isThis: boolean }[];
  };
  await browser.post('/account/sessions/end', { id: sessions.find(({ isThis }) => !isThis)?.id });
  assert.equal((await browser.get('/account/events')).status, 200);
  await exerciseEmailChange(service, { browser, email, password });
  assert.equal((await browser.post('/account/sign-out')).status, 204);
  await purgeExpiredAccountData({ db, clock: later });
}

/** The account gets an address that was enrolled, and its former one back; a change that nobody asked for is ended. */
async function exerciseEmailChange(
  service: TestService,
  account: { browser: TestBrowser; email: string; password: string },
): Promise<void> {
  const { email, firstName, lastName } = newPerson();
  const { status } = await call(service, `/v1/projects/${service.organization.projectId}/patients`, {
    token: await getOrganizationToken(service),
    json: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
  });
  assert.equal(status, 200);
  const asked = { email, currentPassword: account.password };
  assert.equal((await account.browser.post('/account/email', asked)).status, 202);
  const [mail] = await listMailsTo(service, email);
  const ended = { token: extractLinkToken(mail ?? assert.fail('no mail'), 'email') };
  assert.equal((await createTestBrowser(service).post('/account/email/cancel', ended)).status, 204);
  assert.equal((await account.browser.post('/account/email', asked)).status, 202);
  for (const [address, isRestoration] of [
    [email, false],
    [account.email, true],
  ] as const) {
    const mails = await listMailsTo(service, address);
    const json = { token: extractLinkToken(mails.at(-1) ?? assert.fail('no mail'), 'email') };
    const shown = await account.browser.post('/account/email/link', json);
    assert.deepEqual([shown.body.email, shown.body.isRestoration], [address, isRestoration]);
    assert.equal((await account.browser.post('/account/email/confirm', json)).status, 200);
  }
}

/** All that a person does on their own page, to the end of their account. */
async function exerciseMyData(service: TestService): Promise<void> {
  const browser = createTestBrowser(service);
  const { password } = await newAccount(service, browser);
  const { projectId } = service.organization;
  const client = await registerClient(service);
  await obtainTokens(service, { browser, client, pkce: createPkce() } as Flow);
  const document = await createArchive({ 'o.json': { resourceType: 'Patient', id: 'p' }, 'a.docx': 'kept' });
  assert.equal((await uploadOnPage(service, browser, document)).status, 202);
  await waitForUploads(browser);
  const narrower = {
    projectId,
    consentDataResourceScopes: ['LABS'],
    consentDataSensitivityScopes: null,
  };
  assert.equal((await browser.post('/account/consents/narrow', narrower)).status, 200);
  await browser.get('/account/consents');
  const app = { projectId, clientId: client.client_id };
  assert.equal((await browser.post('/account/consents/disconnect', app)).status, 204);
  const { body: listed } = await browser.get('/account/receipts');
  const receipt = `/account/receipts/${listed.receipts.at(-1).consentRecordId}`;
  const { body: content } = await browser.get(`${receipt}/content`);
  assert.equal((await browser.get(`${receipt}/screenshots/${content.screenshots[0].id}`)).status, 200);
  await exerciseNotices(service, browser);
  assert.ok((await downloadArchive(service, browser)).has('record/Patient.ndjson'));

  const key = createAuthenticator(new URL(service.config.http.consentAppUrl).origin);
  const { options } = (await browser.post('/account/passkeys/options')).body;
  const added = await browser.post('/account/passkeys', { name: 'Key', response: key.create(options) });
  const shown = key.get((await browser.post('/account/sign-in/passkey/options')).body.options);
  assert.equal((await browser.post('/account/sign-in/passkey', { response: shown })).status, 200);
  assert.equal((await browser.post('/account/passkeys/remove', { id: added.body.id })).status, 204);
  assert.equal((await browser.post('/account/delete', { password })).status, 204);
}

/** The person wants a digest, an app reads unusually often, and the timers of another time look at both. */
async function exerciseNotices(service: TestService, browser: TestBrowser): Promise<void> {
  const { db } = service.store;
  const wanted = {
    firstRead: true,
    unusualVolume: true,
    unusedConsent: true,
    heldUpload: true,
    weeklyDigest: true,
  };
  assert.equal((await browser.post('/account/notices', wanted)).status, 204);
  assert.deepEqual((await browser.get('/account/notices')).body.settings, wanted);
  const clock = { now: () => new Date(Date.now() + 100 * 24 * 3600 * 1000) };
  const digests: { patientId: PatientId; kind: string; at: string }[] = [];
  const enqueue = async (_: unknown, job: { payload: unknown }) =>
    void digests.push(job.payload as (typeof digests)[number]);
  const deps = { db, clock, jobs: { enqueue, wake: () => {} } };
  await notifyUnusedConsents(deps, new AbortController().signal);
  await notifyHeldUploads(deps, new AbortController().signal);
  await notifyDigests(deps, new AbortController().signal);
  const digest = digests.find(({ kind }) => kind === 'weekly_digest');
  assert.ok(digest);
  const { patientId } = digest;
  const mails = createNoticeMailJob({ db, send: async () => {}, consentAppUrl: service.baseUrl });
  await mails.run(digest as never, new AbortController().signal);
  const week = { from: new Date(0), until: clock.now() };
  await db.query(selectUsualReads({ patientId, reader: 'direct' }, week));
  await db.query(addReadCounts([{ patient_id: patientId, reader: 'direct', hour: new Date(), reads: 1 }]));
  const others = Array.from({ length: 20 }, () => PatientId.parse(crypto.randomUUID()));
  await db.query(selectPeople([patientId, ...others]));
  await purgeReadCounts(deps);
}

const buildBundle = (...resources: { resourceType: string; id: string; [name: string]: unknown }[]): string =>
  JSON.stringify({
    resourceType: 'Bundle',
    type: 'collection',
    entry: resources.map((resource) => ({ resource })),
  });

const observation = (value: number) => ({
  resourceType: 'Observation',
  id: 'potassium',
  status: 'final',
  code: { text: 'Potassium' },
  effectiveDateTime: '2026-02-03',
  valueQuantity: { value, unit: 'mmol/L' },
  performer: [{ reference: 'Organization/late' }],
  identifier: [{ system: 'urn:lab', value: '1' }],
});

const practitioner = (name: string) => ({
  resourceType: 'Practitioner',
  id: 'early',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '123' }],
  name: [{ family: name }],
});

const attachment = { contentType: 'text/plain', data: Buffer.from('Slept badly.').toString('base64') };

/** References that lead nowhere yet, a document that is not understood, one that is broken. */
const buildFirstVisit = (): Record<string, string> => ({
  'visit.json': buildBundle(
    {
      resourceType: 'Encounter',
      id: 'visit',
      status: 'finished',
      class: { code: 'AMB' },
      period: { start: '2026-02-03' },
      serviceProvider: { reference: 'Organization/late' },
      partOf: { reference: 'Encounter?identifier=urn:visit|999' },
      participant: [{ individual: { reference: 'Practitioner?identifier=urn:npi|999' } }],
    },
    observation(4.1),
    practitioner('Birch'),
    // One note in two resources, of which the report alone says that it is protected; and a report that holds no note.
    {
      resourceType: 'DocumentReference',
      id: 'note',
      status: 'current',
      date: '2026-02-03',
      content: [{ attachment: attachment }],
      context: { related: [{ reference: 'DiagnosticReport/panel' }] },
    },
    {
      resourceType: 'DiagnosticReport',
      id: 'note',
      status: 'final',
      effectiveDateTime: '2026-02-03',
      presentedForm: [attachment],
      meta: { security: [{ code: 'PSY' }] },
    },
    // A letter that is a Binary of its own, beside one that cannot be read.
    {
      resourceType: 'Communication',
      id: 'letters',
      status: 'completed',
      payload: [
        { contentAttachment: { url: 'Binary/letter' } },
        { contentAttachment: { contentType: 'application/msword', data: 'UEsDBAo=' } },
      ],
    },
    { resourceType: 'Binary', id: 'letter', ...attachment },
  ),
  'scan.bin': '\u0000\u0001 not understood',
  'broken.json': '{"resourceType": "Observation", ',
});

/** Somebody whose consent ends. */
async function exerciseExpiry(service: TestService, db: Db): Promise<void> {
  const { id } = await newTestPatient(service);
  await db.query(sql`update consent set expires_at = now() - interval '1 hour' where patient_id = ${id}`);
  await emitExpiryEvents(
    { db, clock: systemClock, emit: createEmitter(() => {}) },
    new AbortController().signal,
  );
}

/** The target of those references, and what has changed. */
const buildSecondVisit = (): Record<string, string> => ({
  'organization.json': buildBundle(
    { resourceType: 'Organization', id: 'late', name: 'Riverside' },
    observation(4.2),
    practitioner('Elm'),
    { resourceType: 'Practitioner', id: 'late', identifier: [{ system: 'urn:npi', value: '999' }] },
  ),
});

async function createZip(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>));
}
