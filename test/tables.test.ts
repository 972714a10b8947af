import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { listSourceFiles, findModule, MODULES, readSource, ROOT, getWing } from './harness/structure.ts';

interface Ownership {
  /** The only module that writes the table. */
  owner: string;
  /** Other modules whose queries read it. */
  readers: readonly string[];
}

/** Every table, who writes it and who reads it. A row that grows is a decision: first ask whether the owner can be asked instead. */
const TABLES: Readonly<Record<string, Ownership>> = {
  account_link: { owner: 'server/identity/accounts', readers: [] },
  account_event: { owner: 'server/identity/accounts', readers: [] },
  email_change: { owner: 'server/identity/accounts', readers: [] },
  account_passkey: { owner: 'server/identity/accounts', readers: [] },
  account_session: { owner: 'server/identity/accounts', readers: [] },
  api_key: {
    owner: 'server/identity/organizations',
    readers: ['server/surfaces/doctor', 'server/surfaces/insights'],
  },
  api_key_address: { owner: 'server/identity/organizations', readers: [] },
  api_key_secret: { owner: 'server/identity/organizations', readers: [] },
  audit_block: { owner: 'server/platform/audit', readers: [] },
  audit_entry: { owner: 'server/platform/audit', readers: [] },
  audit_verification: { owner: 'server/platform/audit', readers: [] },
  batch_document: { owner: 'server/clinical/ingest/originals', readers: [] },
  batch_person: { owner: 'server/clinical/ingest/batches', readers: [] },
  batch_resource: { owner: 'server/clinical/store', readers: [] },
  blob_chunk: { owner: 'server/clinical/ingest/originals', readers: [] },
  client_app: { owner: 'server/surfaces/oauth', readers: [] },
  client_judgement: { owner: 'server/surfaces/oauth', readers: [] },
  clinical_entry: {
    owner: 'server/clinical/entries',
    readers: ['server/clinical/linkage', 'server/clinical/queries'],
  },
  consent: {
    owner: 'server/consent/decisions',
    readers: [
      'server/consent/access',
      'server/consent/grants',
      'server/consent/records',
      'server/surfaces/portal',
    ],
  },
  consent_record: {
    owner: 'server/consent/decisions',
    readers: ['server/consent/receipts', 'server/consent/records', 'server/surfaces/portal'],
  },
  consent_record_patient: { owner: 'server/consent/decisions', readers: ['server/consent/records'] },
  consent_screenshot: {
    owner: 'server/consent/decisions',
    readers: ['server/consent/receipts', 'server/consent/records', 'server/surfaces/portal'],
  },
  content_statement: { owner: 'server/clinical/labels', readers: [] },
  conversion_time: { owner: 'server/clinical/ingest/batches', readers: [] },
  doctor_run: { owner: 'server/surfaces/doctor', readers: [] },
  document: { owner: 'server/clinical/ingest/originals', readers: ['server/surfaces/insights'] },
  draft_screenshot: { owner: 'server/consent/decisions', readers: [] },
  enrollment: {
    owner: 'server/identity/patients',
    readers: [
      'server/clinical/ingest/batches',
      'server/consent/access',
      'server/consent/decisions',
      'server/consent/records',
      'server/surfaces/enrollment',
    ],
  },
  entry_context: { owner: 'server/clinical/entries', readers: ['server/clinical/queries'] },
  job: { owner: 'server/platform/jobs', readers: [] },
  kept_answer: { owner: 'server/clinical/store', readers: [] },
  member: {
    owner: 'server/identity/members',
    readers: ['server/identity/organizations', 'server/surfaces/doctor', 'server/surfaces/insights'],
  },
  member_challenge: { owner: 'server/identity/members', readers: [] },
  member_identity: { owner: 'server/identity/members', readers: [] },
  member_invitation: { owner: 'server/identity/members', readers: [] },
  member_oidc_request: { owner: 'server/identity/members', readers: [] },
  member_passkey: { owner: 'server/identity/members', readers: [] },
  member_password_link: { owner: 'server/identity/members', readers: [] },
  member_recovery_code: { owner: 'server/identity/members', readers: [] },
  member_session: { owner: 'server/identity/members', readers: [] },
  notice: { owner: 'server/surfaces/portal', readers: [] },
  notice_progress: { owner: 'server/surfaces/portal', readers: [] },
  notice_settings: { owner: 'server/surfaces/portal', readers: [] },
  object_deletion: { owner: 'server/platform/objects', readers: [] },
  oauth_client: { owner: 'server/surfaces/oauth', readers: ['server/surfaces/insights'] },
  oauth_grant: {
    owner: 'server/consent/grants',
    readers: ['server/consent/access', 'server/consent/records', 'server/surfaces/portal'],
  },
  oauth_request: { owner: 'server/surfaces/oauth', readers: [] },
  open_reference: { owner: 'server/clinical/store', readers: [] },
  organization: {
    owner: 'server/identity/organizations',
    readers: [
      'server/clinical/sources',
      'server/consent/receipts',
      'server/identity/members',
      'server/identity/patients',
      'server/surfaces/enrollment',
      'server/surfaces/oauth',
      'server/surfaces/portal',
      'server/surfaces/webhooks',
    ],
  },
  organization_day: { owner: 'server/surfaces/insights', readers: [] },
  organization_mark: { owner: 'server/identity/organizations', readers: [] },
  passage: { owner: 'server/clinical/search', readers: [] },
  passage_use: { owner: 'server/clinical/search', readers: [] },
  passkey_challenge: { owner: 'server/identity/accounts', readers: [] },
  passkey_route: { owner: 'server/identity/accounts', readers: [] },
  past_enrollment: { owner: 'server/identity/patients', readers: [] },
  patient: {
    owner: 'server/identity/patients',
    readers: [
      'server/consent/access',
      'server/consent/decisions',
      'server/consent/grants',
      'server/consent/receipts',
      'server/consent/records',
      'server/identity/accounts',
      'server/surfaces/fhir',
    ],
  },
  patient_email: {
    owner: 'server/identity/patients',
    readers: ['server/consent/records', 'server/identity/accounts'],
  },
  patient_password: { owner: 'server/identity/patients', readers: ['server/identity/accounts'] },
  patient_phone: { owner: 'server/identity/patients', readers: ['server/consent/records'] },
  project: {
    owner: 'server/identity/organizations',
    readers: [
      'server/clinical/sources',
      'server/consent/decisions',
      'server/consent/receipts',
      'server/consent/records',
      'server/identity/patients',
      'server/surfaces/enrollment',
      'server/surfaces/insights',
      'server/surfaces/oauth',
      'server/surfaces/portal',
    ],
  },
  project_version: {
    owner: 'server/identity/organizations',
    readers: [
      'server/consent/decisions',
      'server/consent/receipts',
      'server/consent/records',
      'server/surfaces/enrollment',
      'server/surfaces/oauth',
    ],
  },
  rate_limit: { owner: 'server/identity/tokens', readers: [] },
  read_count: { owner: 'server/surfaces/portal', readers: [] },
  record_head: {
    owner: 'server/clinical/store',
    readers: [
      'server/clinical/ingest/batches',
      'server/clinical/ingest/originals',
      'server/clinical/queries',
      'server/clinical/sources',
      'server/surfaces/fhir',
      'server/surfaces/insights',
    ],
  },
  record_holding: {
    owner: 'server/clinical/entries',
    readers: ['server/clinical/queries', 'server/surfaces/fhir'],
  },
  record_source: { owner: 'server/clinical/sources', readers: ['server/clinical/store'] },
  refresh_token_key: { owner: 'server/surfaces/oauth', readers: [] },
  replaced_resource: { owner: 'server/clinical/store', readers: [] },
  resource: {
    owner: 'server/clinical/store',
    readers: [
      'server/clinical/ingest/batches',
      'server/clinical/labels',
      'server/clinical/queries',
      'server/surfaces/fhir',
    ],
  },
  resource_content: { owner: 'server/clinical/labels', readers: [] },
  resource_identifier: { owner: 'server/clinical/store', readers: [] },
  resource_label: {
    owner: 'server/clinical/store',
    readers: [
      'server/clinical/ingest/batches',
      'server/clinical/labels',
      'server/clinical/queries',
      'server/surfaces/fhir',
    ],
  },
  resource_version: { owner: 'server/clinical/store', readers: ['server/surfaces/fhir'] },
  service_secret: { owner: 'server/platform/keys', readers: [] },
  signing_key: { owner: 'server/platform/keys', readers: [] },
  source_key: { owner: 'server/clinical/sources', readers: [] },
  review_draft: { owner: 'server/consent/decisions', readers: [] },
  source_sync: { owner: 'server/clinical/sources', readers: [] },
  stored_object: { owner: 'server/platform/objects', readers: [] },
  taken_out_resource: { owner: 'server/clinical/store', readers: [] },
  upload_batch: {
    owner: 'server/clinical/ingest/batches',
    readers: ['server/clinical/ingest/originals', 'server/clinical/sources', 'server/clinical/store'],
  },
  upload_rejection: {
    owner: 'server/clinical/ingest/batches',
    readers: ['server/clinical/sources', 'server/clinical/store'],
  },
  usage_day: { owner: 'server/platform/usage', readers: [] },
  usage_day_progress: { owner: 'server/platform/usage', readers: [] },
  usage_hour: { owner: 'server/platform/usage', readers: [] },
  webhook: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_attempt: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_delivery: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_event: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_day: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_day_progress: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_hour: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_hour_progress: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_replay: { owner: 'server/surfaces/webhooks', readers: [] },
  webhook_secret: { owner: 'server/surfaces/webhooks', readers: [] },
};

const MIGRATIONS = path.join(ROOT, 'server/platform/db/migrations');

/** The tables that the migrations leave, by their present names. */
function listTables(): string[] {
  const tables = new Set<string>();
  for (const name of fs.readdirSync(MIGRATIONS).sort()) {
    const text = fs.readFileSync(path.join(MIGRATIONS, name), 'utf8');
    for (const [, created, dropped, from, to] of text.matchAll(
      /create (?:unlogged )?table (?:if not exists )?(\w+)|drop table (?:if exists )?(\w+)|alter table (\w+) rename to (\w+)/g,
    )) {
      if (created) tables.add(created);
      if (dropped) tables.delete(dropped);
      if (from && to) {
        tables.delete(from);
        tables.add(to);
      }
    }
  }
  return [...tables].sort();
}

const NAMES = listTables();

interface Use {
  table: string;
  module: string;
  file: string;
}

const WRITES = /\b(?:insert into|update|delete from|merge into|truncate(?: table)?)\s+(?:only\s+)?(\w+)/g;
const READS =
  /\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?(\w+)|,\s*(\w+)\s+(?:as\s+)?[a-z]{1,3}\b(?=\s*(?:,|\n|where|join|left|on|`))/g;

/** The database's functions with their bodies: who calls one reads what it reads. */
const FUNCTIONS = fs
  .readdirSync(MIGRATIONS)
  .flatMap((name) => [
    ...fs
      .readFileSync(path.join(MIGRATIONS, name), 'utf8')
      .matchAll(/create (?:or replace )?function (\w+)[^$]*\$\$([^]*?)\$\$/g),
  ])
  .map(([, name = '', body = '']) => ({ name, body }));

const addCalledFunctions = (statements: string): string =>
  [
    statements,
    ...FUNCTIONS.filter(({ name }) => statements.includes(`${name}(`)).map(({ body }) => body),
  ].join('\n');

function findUses(pattern: RegExp): Use[] {
  const files = listSourceFiles(['server']).filter((file) => file.endsWith('.sql.ts'));
  const uses = files.flatMap((file) => {
    const statements = addCalledFunctions(readSource(file).replaceAll(/\/\*[^]*?\*\/|^import[^;]*;/gm, ''));
    const tables = new Set([...statements.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''));
    return NAMES.filter((table) => tables.has(table)).map((table) => ({
      table,
      module: findModule(file) ?? 'server',
      file,
    }));
  });
  return uses;
}

describe('the tables', () => {
  it('have a row each in the list of owners', () => {
    assert.deepEqual(Object.keys(TABLES).sort(), NAMES);
  });

  it('are written by their owner alone', () => {
    for (const { table, module, file } of findUses(WRITES))
      assert.equal(
        module,
        TABLES[table]?.owner,
        `${file} writes ${table}, which only ${TABLES[table]?.owner} may write`,
      );
  });

  it('are read by their owner and by the listed readers', () => {
    for (const { table, module, file } of findUses(READS)) {
      const { owner, readers } = TABLES[table] as Ownership;
      assert.ok(
        module === owner || readers.includes(module),
        `${file} reads ${table}, which ${owner} owns: ask it for what is needed, or list ${module} as a reader`,
      );
    }
  });

  it('have no reader in a wing above their owner', () => {
    const wings = [...new Set(MODULES.map(getWing))];
    for (const [table, { owner, readers }] of Object.entries(TABLES))
      for (const reader of readers)
        assert.ok(
          wings.indexOf(getWing(reader)) >= wings.indexOf(getWing(owner)),
          `${reader} reads ${table} of ${owner}, which stands in a wing below it`,
        );
  });

  it('have no reader listed that does not read them', () => {
    const reads = findUses(READS);
    for (const [table, { readers }] of Object.entries(TABLES))
      for (const reader of readers)
        assert.ok(
          reads.some((use) => use.table === table && use.module === reader),
          `${reader} does not read ${table}`,
        );
  });
});
