import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PATIENT_TABLES } from '../../server/identity/patients/delete-patient.sql.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

/** Tables of other families that name a patient. */
const NAMING: Readonly<Record<string, string>> = {
  audit_entry: "an organization's log: it is kept by organization, and stays when the patient is deleted",
  webhook_event:
    'events emitted to an organization: kept by organization, its deliveries rest on it, and it holds no name',
};

/** Tables of the family that are found by something else, so that a patient can be found at all. */
const LOOKUPS: Readonly<Record<string, string>> = {
  patient_email: 'from what a person types at a login to their patient',
  patient_phone: 'from a telephone number to those whom an organization knows by it',
  consent_record_patient: "from a consent record's id to its patient",
  passkey_route: 'from a credential to its patient: who signs in by passkey types no name',
  passkey_challenge: 'a challenge, for one browser, before anybody knows who the patient is',
  email_change: 'a mailed link, which is followed in any browser: from its secret to the patient',
  oauth_request: 'an authorization request, begun before anybody knows who the patient is',
};

/** Indexes of the family that do not begin with the patient; none is unique. */
const OTHER_INDEXES: Readonly<Record<string, string>> = {
  patient_of_test_organization: "the list of an organization's test patients, which goes to every shard",
  oauth_grant_of_app:
    'the connections of an app, which a block ends for every patient; it goes to every shard',
  oauth_grant_of_client: 'the apps of a client, by which an organization names it; it goes to every shard',
  oauth_request_granted: 'what a withdrawal ends before its code is out, of a lookup',
  oauth_request_expired: 'what the hourly purge deletes, of a lookup',
  enrollment_of_organization: "the list of an organization's enrollments, which goes to every shard",
  enrollment_list: "the list of an organization's patients, a page at a time, which goes to every shard",
  enrollment_list_of_project: 'the same of one project',
  enrollment_by_name: 'a search in that list',
  enrollment_by_last_name: 'the same',
  enrollment_by_email: 'the same',
  enrollment_by_folded_id: 'the same',
  patient_phone_prefix: 'the same, of a lookup',
  past_enrollment_list: 'those of that list who take part no more',
  review_draft_expired: 'what the hourly purge deletes',
  consent_of_project: "the list of a project's decisions, which goes to every shard",
  consent_record_of_organization: "the list of an organization's decisions, which goes to every shard",
  consent_record_ending: "which of an organization's consents end, which goes to every shard",
  consent_record_of_client: "the list of an organization's decisions on one app, which goes to every shard",
  consent_record_of_page:
    "the list of an organization's decisions on one version of the page, which goes to every shard",
  consent_to_expire: 'the timer that emits events of consents whose end has come, whosever they are',
  consent_to_ask_again: 'the timer that asks people whose consent ends soon, whosever they are',
  resource_by_fhir_id: 'a read by type and id alone, which goes to every shard',
  resource_version_expired: 'what the hourly purge deletes',
  enrollment_by_external_id: 'whom an organization means by an id of its own, which goes to every shard',
  kept_answer_expired: 'what the hourly purge deletes',
  source_sync_of_source: "the list of a source's patients, which goes to every shard",
  taken_out_resource_of_source: 'what is forgotten with a source, which goes to every shard',
  account_event_age: 'what the hourly purge deletes',
  notice_digest_due: 'the timer that sends digests whose time has come, whosever they are',
  upload_batch_held: 'the timer that reminds of uploads that wait for an answer, whosever they are',
  read_count_expired: 'what the hourly purge deletes',
  passkey_challenge_expired: 'what the hourly purge deletes, of a lookup',
  source_sync_troubled: "the count of a source's patients who were not fetched, which goes to every shard",
  upload_batch_by_id: 'whose an upload is of which only the id is known',
  upload_batch_failed: 'the count of what failed of late, which goes to every shard',
};

interface Index {
  table: string;
  name: string;
  first: string;
  unique: boolean;
}

describe('the keys of what belongs to a patient', () => {
  let store: TestStore;
  let db: Db;
  let indexes: Index[];
  before(async () => {
    ({ db } = store = await openTestStore('postgresql'));
    indexes = await db.query(sql<Index>`
      select t.relname as table, i.relname as name, x.indisunique as unique,
        pg_get_indexdef(x.indexrelid, 1, true) as first
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      join pg_namespace s on s.oid = t.relnamespace
      where s.nspname = 'public' and t.relname = any(${[...PATIENT_TABLES]}::text[])`);
  });
  after(() => store.remove());

  it('are complete: every table with a patient_id is known, and deleted with the patient, or named with its reason', async () => {
    const tables = await db.query(sql<{ name: string }>`
      select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attname = 'patient_id'`);
    assert.deepEqual(
      tables.map(({ name }) => name).sort(),
      [...PATIENT_TABLES, ...Object.keys(NAMING)].sort(),
    );
  });

  it('begin with the patient, except in the lookups', () => {
    const unique = indexes.filter((index) => index.unique && !(index.table in LOOKUPS));
    assert.deepEqual(
      unique.filter(({ first }) => first !== 'patient_id'),
      [],
    );
    const primary = indexes.filter(({ name, table }) => name === `${table}_pkey`).map(({ table }) => table);
    assert.deepEqual(primary.sort(), [...PATIENT_TABLES].sort(), 'every table has a primary key');
  });

  it('have a lookup begin with something else, or it would not be one', () => {
    for (const table of Object.keys(LOOKUPS)) {
      assert.deepEqual(
        indexes.filter((index) => index.table === table && index.first === 'patient_id'),
        [],
        table,
      );
    }
  });

  it('begin with the patient in every other index too, except those with a reason', () => {
    const others = indexes.filter((index) => !index.unique && index.first !== 'patient_id');
    assert.deepEqual(others.map(({ name }) => name).sort(), Object.keys(OTHER_INDEXES).sort());
  });

  it('are those by which docs/scaling.md distributes every table there is', async () => {
    const page = readFileSync(path.join(import.meta.dirname, '../../docs/scaling.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (`?)(\w+)`? \| (lookup)?/gm)].map(
      ([, table = '', quote, by = '', lookup]) => ({ table, column: quote === '`' ? by : null, by, lookup }),
    );
    const keys = await db.query(sql<{ table: string; columns: string[] | null }>`
      select t.relname as table, array(select a.attname::text from pg_attribute a
        where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
      from pg_class t left join pg_index x on x.indrelid = t.oid and x.indisunique
      where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = 'public'::regnamespace`);
    const tables = [...new Set(keys.map(({ table }) => table))].sort();
    assert.deepEqual(rows.map(({ table }) => table).sort(), tables, 'each table once');
    for (const { table, column, by, lookup } of rows) {
      const isPatients = PATIENT_TABLES.some((name) => name === table);
      assert.equal(lookup !== undefined, table in LOOKUPS, table);
      assert.equal(by === 'patient_id', isPatients && !(table in LOOKUPS), table);
      assert.ok(column !== null || by === 'reference' || by === 'local', `${table} by ${by}`);
      // A unique key of a distributed table holds the column that it is distributed by (Citus).
      for (const key of keys.filter((each) => each.table === table && column !== null))
        assert.ok(key.columns?.includes(column ?? ''), `${table} has a unique key without ${column}`);
    }
  });

  it('are not tied to another family by a foreign key', async () => {
    const keys = await db.query(sql<{ table: string; target: string }>`
      select conrelid::regclass::text as table, confrelid::regclass::text as target from pg_constraint where contype = 'f'`);
    const reference = [
      'organization',
      'organization_mark',
      'project',
      'project_version',
      'api_key',
      'api_key_secret',
      'member',
      'member_session',
      'member_invitation',
      'member_recovery_code',
      'member_password_link',
      'member_passkey',
      'member_identity',
      'organization_mark',
      'client_app',
      'client_judgement',
    ];
    for (const { table, target } of keys) {
      assert.ok(reference.includes(target) && reference.includes(table), `${table} refers to ${target}`);
    }
  });

  it('use nothing that a distributed store does not have: sequences, triggers, exclusions, deferral, generated columns', async () => {
    const found = await db.query(sql`
      select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
      union all select tgname from pg_trigger where not tgisinternal
      union all select conname from pg_constraint where contype = 'x' or condeferrable
      union all select attname from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and (a.attgenerated <> '' or a.attidentity <> '')`);
    assert.deepEqual(found, []);
  });
});
