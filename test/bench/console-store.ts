import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';

/** An organization as large as the console must bear (`scaleStore(1)`), or a share of it. */
export interface StoreSize {
  patients: number;
  auditEntries: number;
  attempts: number;
}

export const scaleStore = (share: number): StoreSize => ({
  patients: Math.ceil(100_000 * share),
  auditEntries: Math.ceil(1_000_000 * share),
  attempts: Math.ceil(5_000_000 * share),
});

/** Rows that one statement makes. */
const CHUNK = 100_000;
/** All of it happened within so many days: webhooks' history is kept for 90. */
const DAYS = 85;
const DAY_MS = 24 * 3600 * 1000;
const WEBHOOKS_PER_EVENT = 4;
/** Every fourth delivery took two attempts. */
const ATTEMPTS_PER_DELIVERY = 1.25;
const USES_PER_HOUR = 80;

const TOOLS = ['get_health_summary', 'get_conditions', 'get_medications', 'get_labs', 'get_vitals'] as const;
/** A tool of which there are few calls among a million entries. */
export const RARE_TOOL = 'get_documents';
const RARE_EVERY = 20_000;

/** What the benchmark asks for by name. */
export interface ConsoleStore {
  organizationId: string;
  projectIds: readonly string[];
  /** A project beside them that has five events. */
  smallProjectId: string;
  /** The first gets every event, the last hardly any. */
  webhookIds: readonly string[];
  clientIds: readonly string[];
  patientId: string;
}

interface Fill extends StoreSize, ConsoleStore {
  /** Milliseconds since 1970: all of it happened later. */
  start: number;
  events: number;
}

const toId = (group: string, number: number): string =>
  `00000000-0000-4000-${group}-${number.toString(16).padStart(12, '0')}`;

/** Expressions of SQL; `n` is the number of the row, from 0. */
const uuid = (name: string, number = 'n'): string =>
  `overlay(overlay(md5('${name}' || (${number})) placing '4' from 13) placing '8' from 17)::uuid`;
const pick = (values: readonly string[], number = 'n'): string =>
  `(array['${values.join("', '")}'])[1 + (${number}) % ${values.length}]`;
/** A number that looks drawn by lot, below `limit`, and is the same in each run. */
const draw = (name: string, limit: number, number = 'n'): string =>
  `(('x' || substr(md5('${name}' || (${number})), 1, 7))::bit(28)::int % ${limit})`;
/** The time of the row: all rows are spread evenly over the days. */
const toMs = ({ start }: Fill, total: number, number = 'n'): string =>
  `(${start} + (${number})::int8 * ${Math.floor((DAYS * DAY_MS) / total)})`;
const toTime = (ms: string): string => `to_timestamp(${ms} / 1000.0)`;

/** The first ten digits of a ULID. */
const encodeTime = (ms: string): string =>
  Array.from(
    { length: 10 },
    (_digit, index) =>
      `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (((${ms}) >> ${5 * (9 - index)}) & 31)::int + 1, 1)`,
  ).join(' || ');
const toEventId = (fill: Fill, number: string): string =>
  `('evt_' || ${encodeTime(toMs(fill, fill.events, number))} || upper(lpad(to_hex(${number}), 16, '0')))`;

/** Statements that make rows from `n` = 0 up. */
const insert = (total: number, into: string, select: string): string[] =>
  Array.from({ length: Math.ceil(total / CHUNK) }, (_chunk, index) => {
    const last = Math.min(total, (index + 1) * CHUNK) - 1;
    return `insert into ${into} select ${select} from generate_series(${index * CHUNK}, ${last}) n`;
  });

/** Fills a store by statement, as it would be after 85 days, and analyzes it. `run` runs one statement, however long it takes. */
export async function fillConsoleStore(
  run: (statement: string) => Promise<unknown>,
  { organizationId, projectId }: Pick<CreatedOrganization, 'organizationId' | 'projectId'>,
  size: StoreSize,
): Promise<ConsoleStore> {
  const fill: Fill = {
    ...size,
    organizationId,
    projectIds: [projectId, ...[1, 2, 3].map((number) => toId('8000', number))],
    smallProjectId: toId('8005', 1),
    webhookIds: Array.from({ length: 10 }, (_webhook, index) => toId('8001', index)),
    clientIds: Array.from({ length: 5 }, (_client, index) => toId('8002', index)),
    patientId: '00000000-0000-4000-8003-000000000001',
    start: Date.now() - DAYS * DAY_MS,
    events: Math.ceil(size.attempts / ATTEMPTS_PER_DELIVERY / WEBHOOKS_PER_EVENT),
  };
  const statements = [
    ...listFrame(fill),
    ...listPatients(fill),
    ...listDecisions(fill),
    ...listEntries(fill),
    ...listWebhookHistory(fill),
  ];
  for (const statement of statements) await run(statement);
  await run('vacuum analyze');
  return fill;
}

/** Projects, webhooks, apps, a source, and the roll-up of usage. */
function listFrame(fill: Fill): string[] {
  const { organizationId: organization, projectIds, smallProjectId, webhookIds, clientIds } = fill;
  const quote = (values: readonly string[]): string => `array['${values.join("', '")}']::uuid[]`;
  return [
    `insert into project (project_id, organization_id, name, created_at)
      select id, '${organization}', 'Study ' || place, now() from unnest(${quote([...projectIds.slice(1), smallProjectId])}) with ordinality as t(id, place)`,
    `insert into webhook (organization_id, webhook_id, url, description, event_types, status, status_since, created_at, changed_at)
      select '${organization}', id, 'https://receiver' || place || '.example/events', '', '{}', 'active', ${toTime(`${fill.start}`)}, ${toTime(`${fill.start}`)}, now()
      from unnest(${quote(webhookIds)}) with ordinality as t(id, place)`,
    `insert into client_app (organization_id, app_id, redirect_host, client_name, targets, first_seen_at)
      select '${organization}', ${uuid('app')}, 'app' || n || '.example', 'App ' || n, array['host:app' || n || '.example'], now() - n * interval '1 hour'
      from generate_series(0, 499) n`,
    `insert into record_source (organization_id, source_id, name, base_url, status, authentication, matching, created_at, changed_at)
      values ('${organization}', '${toId('8004', 1)}', 'Hospital', 'https://ehr.example/fhir', 'paused', 'none', '{}', now(), now())`,
    `insert into usage_hour
      select '${organization}', date_trunc('hour', now()) - h * interval '1 hour', ${pick(['tool_call', 'tool_call', 'fhir_read', 'delivery'])},
        'name' || n % 20, ${pick(projectIds, 'n / 4')}::uuid, ${pick(clientIds, 'n / 16')}, 'success', 10 + n, 400 * n,
        array[n, n, 3, 4, 5, 6, 7, 1, 0, 0, 0, 0]
      from generate_series(0, ${DAYS * 24}) h, generate_series(0, ${USES_PER_HOUR - 1}) n`,
  ];
}

const FIRST_NAMES = ['Ana', 'Ben', 'Carla', 'David', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const LAST_NAMES = ['Ruiz', 'Smith', 'Okafor', 'Nguyen', 'Weber', 'Rossi', 'Novak', 'Silva', 'Haddad'];

function listPatients(fill: Fill): string[] {
  const { organizationId: organization, patients, patientId } = fill;
  const at = toTime(toMs(fill, patients));
  const id = `case n when ${Math.floor(patients / 2)} then '${patientId}'::uuid else ${uuid('patient')} end`;
  const first = pick(FIRST_NAMES);
  const last = `${pick(LAST_NAMES, 'n / 10')} || ' ' || chr(65 + n % 26) || n % 1000`;
  const email = `'patient' || n || '@example.org'`;
  const decided = (field: string): string => `case when n % 10 < 7 then ${field} end`;
  return [
    ...insert(
      patients,
      'patient (patient_id, email, first_name, last_name, date_of_birth, created_at)',
      `${id}, ${email}, ${first}, ${last}, '1980-12-31', ${at}`,
    ),
    ...insert(
      patients,
      `enrollment (patient_id, project_id, organization_id, external_id, created_at, email, first_name, last_name,
        invited_at, last_invited_at, opened_at, account_at, decided_at, standing, standing_since, consents_until)`,
      `${id}, ${pick(fill.projectIds)}::uuid, '${organization}', 'MRN-' || n, ${at}, ${email}, ${first}, ${last}, ${at}, ${at},
        case when n % 10 < 9 then ${at} + interval '1 hour' end, case when n % 10 < 8 then ${at} + interval '2 hours' end,
        ${decided(`${at} + interval '3 hours'`)}, ${decided("case when n % 20 = 6 then 'withdrew' else 'consents' end")},
        ${decided(`${at} + interval '3 hours'`)}, ${decided(`${at} + interval '1 year'`)}`,
    ),
    ...insert(
      patients,
      'source_sync (patient_id, source_id, organization_id, state, requested_at)',
      `${id}, '${toId('8004', 1)}', '${organization}', case when n % 500 = 3 then 'failed' else 'up_to_date' end, ${at}`,
    ),
  ];
}

/** Seven of ten patients consent to an app; every fourteenth of these withdraws after a day. */
function listDecisions(fill: Fill): string[] {
  const { organizationId: organization, patients } = fill;
  const who = `from enrollment e, lateral (select substr(e.external_id, 5)::int as n) t where e.organization_id = '${organization}' and e.decided_at is not null`;
  const record = `insert into consent_record (patient_id, consent_record_id, organization_id, project_id, consent_type, consent_status,
    decided_at, expires_at, consent_stats, study_snapshot_id, consent_ui_flow, ui_hash, language, client_id, client_name,
    in_force_since, session_seconds)`;
  const shared = `'{}', e.project_id::text, `;
  const app = `${pick(fill.clientIds)}, 'App ' || n % 5`;
  return patients === 0
    ? []
    : [
        `${record} select e.patient_id, ${uuid('given')}, e.organization_id, e.project_id, 'DATA_AUTHORIZATION', 'OPTED_IN', e.decided_at,
          e.consents_until, ${shared} 'PER_STUDY', 'hash', ${pick(['en', 'es'])}, ${app}, e.decided_at, 20 + ${draw('seconds', 300)} ${who}`,
        `${record} select e.patient_id, ${uuid('withdrawn')}, e.organization_id, e.project_id, 'DATA_AUTHORIZATION', 'OPTED_OUT',
          e.decided_at + interval '1 day', e.consents_until, ${shared} 'MY_DATA_WITHDRAWAL', 'hash', 'en', ${app}, e.decided_at, 0
          ${who} and e.standing = 'withdrew'`,
        `insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at, expiry_emitted, asked_again)
          select e.patient_id, e.project_id, 'DATA_AUTHORIZATION', ${uuid('given')}, case e.standing when 'withdrew' then 'OPTED_OUT' else 'OPTED_IN' end,
            e.consents_until, e.decided_at, true, true ${who}`,
        `insert into oauth_grant (patient_id, grant_id, organization_id, project_id, client_id, client_name, scope, resource, refreshable,
            consent_record_id, created_at, rotated_at, expires_at, app_id)
          select e.patient_id, ${uuid('grant')}, e.organization_id, e.project_id, ${app}, 'mcp', 'https://chartgate.example/mcp', true,
            ${uuid('given')}, e.decided_at, e.decided_at, e.consents_until, ${uuid('app', 'n % 5')} ${who}`,
      ];
}

/** The audit log: eight of ten entries are calls of tools, a fiftieth was refused. */
function listEntries(fill: Fill): string[] {
  const { organizationId: organization, auditEntries, patients } = fill;
  const ms = toMs(fill, auditEntries);
  const hash = `md5('entry' || n)`;
  const id = `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(${hash}, 1, 3) || '8' || substr(${hash}, 4, 15))::uuid`;
  const reader = draw('reader', patients);
  const patient = `case when ${reader} = ${Math.floor(patients / 2)} then '${fill.patientId}'::uuid else ${uuid('patient', reader)} end`;
  const action = `case when n % 10 < 8 then 'mcp.tools_call' when n % 10 = 8 then 'fhir.everything' else 'console.signed_in' end`;
  const tool = `case when n % ${RARE_EVERY} = 0 then '${RARE_TOOL}' else ${pick(TOOLS, draw('tool', TOOLS.length))} end`;
  return insert(
    auditEntries,
    `audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, outcome, detail, entry_hash, block, place)`,
    `'${organization}', ${id}, ${toTime(ms)}, ${action},
      case when n % 10 = 9 then 'member' else 'patient' end,
      case when n % 10 = 9 then 'member' || n % 20 else (${patient})::text end,
      case when n % 10 < 9 then ${pick(fill.clientIds, draw('client', 5))} end,
      case when n % 10 < 9 then ${pick(fill.projectIds, reader)}::uuid end,
      case when n % 10 < 9 then ${patient} end,
      case when n % 50 = 1 then 'refused' when n % 5000 = 2 then 'failed' else 'success' end,
      case when n % 10 < 8 then json_build_object('tool', ${tool}, 'entries', n % 300, 'categories', array['LAB_RESULTS'])
        else json_build_object() end, sha256(n::text::bytea), n / 1000, n % 1000`,
  );
}

/** Every event goes to four webhooks: always to the first, to the others in turn. Every hundredth delivery is given up. */
function listWebhookHistory(fill: Fill): string[] {
  const { organizationId: organization, events, webhookIds, smallProjectId } = fill;
  const project = `case when n % ${Math.ceil(events / 5)} = 3 then '${smallProjectId}' else ${pick(fill.projectIds)} end`;
  const deliveries = events * WEBHOOKS_PER_EVENT;
  const event = toEventId(fill, `n / ${WEBHOOKS_PER_EVENT}`);
  const turn = `1 + (n / ${WEBHOOKS_PER_EVENT} + n % ${WEBHOOKS_PER_EVENT}) % ${webhookIds.length - 1}`;
  const webhook = `(case when n % ${WEBHOOKS_PER_EVENT} = 0 then '${webhookIds[0]}' else (array['${webhookIds.join("', '")}'])[1 + ${turn}] end)::uuid`;
  const at = toTime(toMs(fill, events, `n / ${WEBHOOKS_PER_EVENT}`));
  const attempt = (select: {
    id: string;
    number: number;
    at: string;
    fault: string;
    status: string;
  }): string =>
    `'${organization}', ${webhook}, ${event}, ${uuid(select.id)}, ${select.number}, ${select.at}, 20 + ${draw('duration', 400)},
      'https://receiver.example/events', ${select.fault}, ${select.status}, '{}', 'ok', false`;
  const into = `webhook_attempt (organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at, duration_ms, url, fault, status, response_headers, response_body, response_truncated)`;
  const second = attempt({
    id: 'second',
    number: 2,
    at: `${at} + interval '5 seconds'`,
    fault: `case when n % 100 = 0 then 'status' end`,
    status: `case when n % 100 = 0 then 503 else 200 end`,
  });
  return [
    ...insert(
      events,
      'webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)',
      `'${organization}', ${toEventId(fill, 'n')}, (${project})::uuid, ${uuid('patient', draw('patient', fill.patients))},
        ${pick(['consent.granted', 'consent.withdrawn', 'records.updated'], draw('type', 3))}, ${toTime(toMs(fill, events))}, '{}'`,
    ),
    ...insert(
      deliveries,
      'webhook_delivery (organization_id, webhook_id, event_id, state, reason, attempts, due_at, created_at, changed_at)',
      `'${organization}', ${webhook}, ${event}, case when n % 100 = 0 then 'exhausted' else 'delivered' end,
        case when n % 100 = 0 then 'retries_used_up' end, 1 + (n % 4 = 0)::int, ${at}, ${at}, ${at}`,
    ),
    ...insert(
      deliveries,
      into,
      attempt({
        id: 'first',
        number: 1,
        at: `${at} + interval '10 milliseconds'`,
        fault: `case when n % 4 = 0 then 'status' end`,
        status: `case when n % 4 = 0 then 503 else 200 end`,
      }),
    ),
    ...insert(deliveries, into, second).map((statement) => `${statement} where n % 4 = 0`),
  ];
}
