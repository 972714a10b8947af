import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ResourceScope } from '../../contract/data-categories.ts';
import { raw, sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { runCommand } from '../harness/cli.ts';
import { buildScopesWithout, recordConsentWithScreenshots } from '../harness/consent-record.ts';
import { createPng } from '../harness/evidence.ts';
import { newMember, signInAs } from '../harness/member.ts';
import { readZip } from '../harness/read-zip.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  newProject,
  newTestPatient,
  setProjectContent,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const DAY_MS = 24 * 3_600_000;

let service: TestService;
let organizationUrl: string;

before(async () => {
  service = await startTestService();
  organizationUrl = `/v1/organizations/${service.organization.organizationId}`;
});
after(() => service.stop());

/** Tokens last an hour of the test's clock. */
const get = async (url: string): Promise<HttpResponse> =>
  call(service, url, { token: await getOrganizationToken(service) });

const list = (query: string): Promise<HttpResponse> => get(`${organizationUrl}/consent-records?${query}`);

const listIds = async (query: string): Promise<string[]> => {
  const { status, body } = await list(query);
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
  return (body.results as { id: string }[]).map(({ id }) => id);
};

const withdraw = (patient: TestPatient, more: object = {}): Promise<{ consentRecordId: string }> =>
  recordConsentWithScreenshots(service, patient, {
    consentStatus: 'OPTED_OUT',
    scopes: null,
    images: [],
    client: 'direct',
    clientName: null,
    uiFlow: 'API',
    uiHash: 'none',
    stats: { sessionLength: 0, interactions: [] },
    ...more,
  });

const listAuditEntries = (patientId: string | null) =>
  service.store.db.query(sql<{ action: string; detail: string }>`
    select action, detail from audit_entry
    where patient_id is not distinct from ${patientId} and action like '%viewed' order by entry_id`);

describe("an organization's list of decisions", () => {
  let projectId: string;
  let patients: TestPatient[];
  const ids: Record<string, string> = {};

  before(async () => {
    projectId = await newProject(service, 'Listed study');
    const create = () => newTestPatient(service, { projectId, consent: false });
    patients = [await create(), await create(), await create()];
    const [first, second, third] = patients as [TestPatient, TestPatient, TestPatient];
    const record = async (name: string, making: Promise<{ consentRecordId: string }>) => {
      ids[name] = (await making).consentRecordId;
      service.clock.advance(1000);
    };
    await record(
      'given',
      recordConsentWithScreenshots(service, first, { images: [createPng(), createPng()] }),
    );
    await record(
      'narrowed',
      recordConsentWithScreenshots(service, first, {
        scopes: buildScopesWithout(['LABS', 'HIV_OR_STI']),
        language: 'es',
        client: 'another',
      }),
    );
    const ends = new Date(service.clock.now().getTime() + 3 * DAY_MS);
    await record('ending', recordConsentWithScreenshots(service, second, { expiresAt: ends, images: [] }));
    await record('refused', withdraw(third));
    await record('withdrawn', withdraw(first));
  });

  it('gives no name of a person whom the organization did not write down: they came by an app', async () => {
    const patientId = patients[0]?.id;
    const setNames = (firstName: string | null, lastName: string | null) =>
      service.store.db.query(sql`
        update enrollment set first_name = ${firstName}, last_name = ${lastName} where patient_id = ${patientId ?? ''}`);
    const read = async () =>
      (await list(`projectId=${projectId}&patientId=${patientId ?? ''}`)).body.results[0].patient;
    const before = await read();
    await setNames(null, null);
    assert.deepEqual([(await read()).firstName, (await read()).lastName], [null, null]);
    await setNames(before.firstName, before.lastName);
  });

  it('shows who decided what, how it was made, and what has become of it', async () => {
    const { body } = await list(`projectId=${projectId}`);
    assert.deepEqual(
      (body.results as { id: string; decision: string; state: string; screenshots: number }[]).map(
        ({ id, decision, state, screenshots }) => [id, decision, state, screenshots],
      ),
      [
        [ids['withdrawn'], 'withdrawn', 'opted_out', 0],
        [ids['refused'], 'refused', 'opted_out', 0],
        [ids['ending'], 'given', 'in_force', 0],
        [ids['narrowed'], 'changed', 'replaced', 1],
        [ids['given'], 'given', 'replaced', 2],
      ],
    );
    const { patient, timestamp, expirationTimestamp, studySnapshotId, ...rest } = body.results[3];
    assert.equal(patient.id, patients[0]?.id);
    assert.deepEqual([typeof patient.firstName, patient.isDeleted], ['string', false]);
    assert.ok(timestamp < expirationTimestamp && studySnapshotId.length === 32);
    assert.deepEqual(rest, {
      id: ids['narrowed'],
      project: { id: projectId, name: 'Listed study' },
      consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
      consentStatus: 'OPTED_IN',
      decision: 'changed',
      state: 'replaced',
      fullRecordWithoutRestrictedData: false,
      consentDataResourceScopes: ResourceScope.options.filter((name) => name !== 'LABS'),
      consentDataSensitivityScopes: rest.consentDataSensitivityScopes,
      parts: null,
      clientId: 'another',
      clientName: 'Test agent',
      language: 'es',
      consentUIFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
      uiHash: 'c0ffee',
      version: null,
      screenshots: 1,
    });
  });

  it('is filtered by each of its columns, and refuses what it does not know', async () => {
    const { body } = await list(`projectId=${projectId}`);
    const { studySnapshotId, timestamp } = body.results[2] as { studySnapshotId: string; timestamp: string };
    const all = ['withdrawn', 'refused', 'ending', 'narrowed', 'given'];
    const expected: readonly (readonly [query: string, names: readonly string[]])[] = [
      [`patientId=${patients[0]?.id}`, ['withdrawn', 'narrowed', 'given']],
      ['type=PATIENT_DIRECTED_DATA_EXCHANGE', all],
      ['type=FUTURE_DATA_USE', []],
      ['decision=given', ['ending', 'given']],
      ['decision=changed', ['narrowed']],
      ['decision=refused', ['refused']],
      ['decision=withdrawn', ['withdrawn']],
      ['decision=revoked', []],
      ['type=FUTURE_DATA_USE,PATIENT_DIRECTED_DATA_EXCHANGE', all],
      ['decision=refused,changed', ['refused', 'narrowed']],
      ['decision=given,withdrawn&state=in_force,opted_out', ['withdrawn', 'ending']],
      ['state=in_force', ['ending']],
      ['state=in_force,replaced', ['ending', 'narrowed', 'given']],
      ['state=expired', []],
      ['state=opted_out', ['withdrawn', 'refused']],
      ['state=replaced', ['narrowed', 'given']],
      [`since=${timestamp}`, ['withdrawn', 'refused', 'ending']],
      [`until=${timestamp}`, ['narrowed', 'given']],
      ['language=es', ['narrowed']],
      ['client=another', ['narrowed']],
      ['endsWithin=3', ['ending']],
      ['endsWithin=2', []],
      [`version=${studySnapshotId}`, all],
      ['version=none', []],
      ['withoutPictures=true', ['withdrawn', 'refused', 'ending']],
      ['withoutPictures=true&decision=given', ['ending']],
      ['shares=MENTAL_HEALTH', ['narrowed']],
      ['shares=HIV_OR_STI', []],
      ['flow=API', ['withdrawn', 'refused']],
      ['shares=HIV_OR_STI,MENTAL_HEALTH', ['narrowed']],
      ['uiHash=c0ffee', ['ending', 'narrowed', 'given']],
      ['uiHash=none,c0ffee', all],
      ['uiHash=another', []],
      ['flow=NONE', []],
      ['flow=NONE,API', ['withdrawn', 'refused']],
    ];
    for (const [query, names] of expected)
      assert.deepEqual(
        await listIds(`projectId=${projectId}&${query}`),
        names.map((name) => ids[name]),
        query,
      );
    for (const query of [
      'sort=name',
      'state=gone',
      'state=in_force,gone',
      'decision=',
      'endsWithin=0',
      'withoutPictures=1',
      'shares=NORMAL',
      'shares=MENTAL_HEALTH,NORMAL',
      'after=1',
    ])
      assert.equal((await list(query)).status, 400, query);
  });

  it('has the versions of the page, each with a decision that shows it, but none for decisions without a page', async () => {
    const path = `/v1/organizations/${service.organization.organizationId}/consent-page-versions`;
    const { body } = await get(`${path}?projectId=${projectId}`);
    const { body: rest } = await list(`projectId=${projectId}`);
    const made = rest.results as { id: string; timestamp: string }[];
    const getTime = (name: string) => made.find(({ id }) => id === ids[name])?.timestamp;
    assert.deepEqual(body.results, [
      {
        uiHash: 'c0ffee',
        firstUsedAt: getTime('given'),
        lastUsedAt: getTime('ending'),
        // The newest has no pictures.
        exampleId: ids['narrowed'],
        consentUIFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
      },
    ]);
    assert.equal((await get(`${path}?limit=0`)).status, 400);
  });

  it('is read page by page, and goes on after no record of somebody else', async () => {
    const found: string[] = [];
    for (let after = ''; ;) {
      const { body } = await list(`projectId=${projectId}&limit=2${after}`);
      found.push(...(body.results as { id: string }[]).map(({ id }) => id));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    assert.deepEqual(found, await listIds(`projectId=${projectId}`));
    assert.equal(new Set(found).size, 5);
    const stranger = await newOrganization(service);
    const theirs = await newTestPatient(service, { organization: stranger, consent: false });
    const { consentRecordId } = await recordConsentWithScreenshots(service, theirs);
    const { status, body } = await list(`after=${consentRecordId}`);
    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.ok(!(await listIds('limit=200')).includes(consentRecordId));
  });

  it('comes whole, as lines and as CSV, with the filters and to whom the list does', async () => {
    const token = await getOrganizationToken(service);
    const download = async (accept: string, query = `projectId=${projectId}`, method = 'GET') => {
      const answer = await fetch(`${service.baseUrl}${organizationUrl}/consent-records?${query}`, {
        method,
        headers: { accept, authorization: `Bearer ${token}` },
      });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
    const { body } = await list(`projectId=${projectId}`);
    const lines = await download('application/x-ndjson');
    assert.equal(lines.headers.get('content-type'), 'application/x-ndjson');
    assert.deepEqual(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      body.results,
    );
    const csv = await download('text/csv', `projectId=${projectId}&limit=1`);
    assert.match(csv.headers.get('content-disposition') ?? '', /filename="consent-records\.csv"/);
    const [head, ...rows] = csv.text.trimEnd().split('\r\n');
    assert.match(head ?? '', /^id,timestamp,patientId,firstName,.*,consentDataResourceScopes,/);
    assert.deepEqual(
      rows.map((row) => row.split(',')[0]),
      (body.results as { id: string }[]).map(({ id }) => id),
    );
    assert.match(rows[3] ?? '', /,false,CONTACT_INFO MEDICATIONS ALLERGIES [A-Z_ ]+,/);
    const filtered = await download('text/csv', `projectId=${projectId}&decision=refused`);
    assert.equal(filtered.text.trimEnd().split('\r\n').length, 2);
    const after = await download('application/x-ndjson', `projectId=${projectId}&after=${ids['ending']}`);
    assert.deepEqual(
      after.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
      [ids['narrowed'], ids['given']],
    );
    const withoutBody = await download('text/csv', `projectId=${projectId}`, 'HEAD');
    assert.deepEqual([withoutBody.status, withoutBody.text], [200, '']);
    assert.equal((await download('text/csv', 'projektId=1')).status, 400);
    const plain = await download('text/html, */*;q=0.1');
    assert.match(plain.headers.get('content-type') ?? '', /^application\/json/);
    assert.match(plain.headers.get('etag') ?? '', /^W\//);
    const first = patients[0] as TestPatient;
    const before = await listAuditEntries(first.id);
    await download('text/csv', `patientId=${first.id}`);
    const entries = await listAuditEntries(first.id);
    assert.deepEqual(
      entries.slice(before.length).map(({ action, detail }) => [action, JSON.parse(detail)]),
      [['consent.record_viewed', { view: 'export', format: 'text/csv' }]],
    );
  });

  it('shows a member who is limited to a project nothing of another, and counts nothing of it', async () => {
    const { projectId: otherId } = await newTestPatient(service);
    const member = await newMember(service, 'researcher', { projectIds: [otherId] });
    const browser = await signInAs(service, member);
    const { body } = await browser.get(`${organizationUrl}/consent-records?limit=200`);
    assert.ok(body.results.length > 0);
    for (const { project } of body.results as { project: { id: string } }[])
      assert.equal(project.id, otherId);
    const hidden = await browser.get(`${organizationUrl}/consent-records?projectId=${projectId}`);
    assert.deepEqual(hidden.body, { results: [], next: null });
    const stats = await browser.get(`${organizationUrl}/consent-stats?projectId=${projectId}`);
    assert.equal(stats.body.inForce, 0);
    const developer = await signInAs(service, await newMember(service, 'developer'));
    assert.equal((await developer.get(`${organizationUrl}/consent-records`)).status, 403);
  });

  it('is written to the log of a patient only where it is asked for that patient, and to none where it is empty', async () => {
    const patient = await newTestPatient(service, { projectId });
    const [before, own] = [await listAuditEntries(null), await listAuditEntries(patient.id)];
    await list(`projectId=${projectId}`);
    await list(
      `projectId=${projectId}&since=${new Date(service.clock.now().getTime() + 1000).toISOString()}`,
    );
    const looks = (await listAuditEntries(null)).slice(before.length);
    assert.deepEqual(
      looks.map(({ action, detail }) => [action, JSON.parse(detail)]),
      [['consent.record_viewed', { view: 'organization', records: 6 }]],
    );
    assert.deepEqual(await listAuditEntries(patient.id), own);
    await list(`patientId=${patient.id}`);
    assert.equal((await listAuditEntries(patient.id)).length, own.length + 1);
  });

  it('opens a decision with its evidence by one entry of the log, and says nothing of one of another organization or project', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const image = createPng();
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, { images: [image] });
    const { consentRecordId: ended } = await withdraw(patient);
    const listEntries = async (): Promise<unknown[]> =>
      service.store.db.query(sql`
        select action, consent_record_id, detail ->> 'view' as view from audit_entry
        where patient_id = ${patient.id} and action like 'consent.%viewed' order by entry_id`);
    const opened = await get(`${organizationUrl}/consent-records/${consentRecordId}`);
    assert.equal(opened.status, 200, JSON.stringify(opened.body));
    assert.deepEqual(await listEntries(), [
      { action: 'consent.evidence_viewed', consent_record_id: consentRecordId, view: 'opened' },
    ]);
    const { record, receipt, screenshots, decisions } = opened.body as {
      record: object;
      receipt: string;
      screenshots: { data: string }[];
      decisions: { id: string }[];
    };
    assert.deepEqual(record, (await get(`/v1/consents/${consentRecordId}`)).body);
    assert.equal(receipt.split('.').length, 3);
    assert.deepEqual(
      screenshots.map(({ data }) => data),
      [image.toString('base64')],
    );
    assert.deepEqual(
      decisions.map(({ id }) => id),
      [ended, consentRecordId],
    );

    // Without pictures there is nothing but the record to look at.
    await get(`${organizationUrl}/consent-records/${ended}`);
    assert.deepEqual((await listEntries()).at(-1), {
      action: 'consent.record_viewed',
      consent_record_id: ended,
      view: 'opened',
    });

    const looks = await listEntries();
    const other = await newOrganization(service);
    const foreign = await call(
      service,
      `/v1/organizations/${other.organizationId}/consent-records/${consentRecordId}`,
      { token: await getOrganizationToken(service, 'admin', other) },
    );
    assert.equal(foreign.status, 403);
    const elsewhere = await newProject(service, 'Elsewhere');
    const member = await newMember(service, 'researcher', { projectIds: [elsewhere] });
    const limited = await signInAs(service, member);
    assert.equal((await limited.get(`${organizationUrl}/consent-records/${consentRecordId}`)).status, 403);
    assert.deepEqual(await listEntries(), looks, 'what is refused is not a look');
  });

  it('keeps the decisions of a patient who has deleted the account, without the name', async () => {
    const patient = await newTestPatient(service, { projectId, consent: false });
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const ended = await call(service, `/v1/projects/${projectId}/patients/${patient.id}`, {
      method: 'DELETE',
      token: await getOrganizationToken(service),
    });
    assert.equal(ended.status, 204);
    const { body: left } = await list(`patientId=${patient.id}`);
    assert.deepEqual(
      (left.results as { decision: string }[]).map(({ decision }) => decision),
      ['revoked', 'given'],
    );
    assert.deepEqual(left.results[1].patient, {
      id: patient.id,
      firstName: null,
      lastName: null,
      isDeleted: false,
    });
    await service.store.db.query(sql`delete from patient where patient_id = ${patient.id}`);
    const { body } = await list(`patientId=${patient.id}&decision=given`);
    assert.deepEqual([body.results[0].id, body.results[0].patient.isDeleted], [consentRecordId, true]);
  });
});

describe('the counts of decisions', () => {
  let hour = 6;

  /** Moves to the next day, an hour later than on the one before, and returns that day. */
  function nextDay(): string {
    const now = service.clock.now().getTime();
    service.clock.advance(DAY_MS - (now % DAY_MS) + ++hour * 3_600_000);
    return service.clock.now().toISOString().slice(0, 10);
  }

  /** As versions before 1.1 took them. */
  async function recordConsentThatWasOver(patient: TestPatient, endedAt: Date): Promise<void> {
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const { db } = service.store;
    for (const table of ['consent_record', 'consent'])
      await db.query(
        sql`update ${raw(table)} set expires_at = ${endedAt} where patient_id = ${patient.id} and consent_record_id = ${consentRecordId}`,
      );
  }

  it('end a consent whose end had passed when it was given at once: less than nobody is never in force', async () => {
    const projectId = await newProject(service, 'Study of what was over');
    const from = nextDay();
    const longAgo = new Date(service.clock.now().getTime() - 1000 * DAY_MS);
    const over = await newTestPatient(service, { projectId, consent: false });
    await recordConsentThatWasOver(over, longAgo);
    const to = nextDay();
    const changed = await newTestPatient(service, { projectId, consent: false });
    await recordConsentWithScreenshots(service, changed);
    await recordConsentThatWasOver(changed, longAgo);
    const { body } = await get(
      `${organizationUrl}/consent-stats?projectId=${projectId}&from=${from}&to=${to}`,
    );
    const none = { given: 0, changed: 0, refused: 0, withdrawn: 0, ended: 0 };
    assert.deepEqual(body.buckets, [
      { ...none, start: from, given: 1, ended: 1, inForce: 0 },
      { ...none, start: to, given: 1, changed: 1, ended: 1, inForce: 0 },
    ]);
  });

  it('say what is shared by the consents that let somebody read, not by one for later use', async () => {
    const projectId = await newProject(service, 'Study of later use');
    const patient = await newTestPatient(service, { projectId, consent: false });
    await recordConsentWithScreenshots(service, patient, { scopes: buildScopesWithout(['LABS']) });
    await recordConsentWithScreenshots(service, patient, { consentType: 'FUTURE_DATA_USE' });
    const { body } = await get(`${organizationUrl}/consent-stats?projectId=${projectId}`);
    const shared = (body.shared as { category: string; consents: number }[]).filter(({ category }) =>
      ['LABS', 'IMAGING'].includes(category),
    );
    assert.deepEqual([body.inForce, body.reading], [2, 1]);
    assert.deepEqual(Object.fromEntries(shared.map((row) => [row.category, row.consents])), {
      LABS: 0,
      IMAGING: 1,
    });
  });

  it('say what was given, changed, withdrawn and ended each day, and add up to what is in force', async () => {
    const projectId = await newProject(service, 'Counted study');
    const create = () => newTestPatient(service, { projectId, consent: false });
    const [short, long, no] = [await create(), await create(), await create()];
    const from = nextDay();
    const ends = new Date(service.clock.now().getTime() + DAY_MS);
    await recordConsentWithScreenshots(service, short, { expiresAt: ends, stats: taking(20) });
    await recordConsentWithScreenshots(service, long, { stats: taking(100) });
    await withdraw(no);
    const second = nextDay();
    await recordConsentWithScreenshots(service, long, {
      scopes: buildScopesWithout(['LABS', 'IMAGING']),
      stats: taking(60),
    });
    const left = await create();
    await recordConsentWithScreenshots(service, left, { stats: taking(700) });
    const third = nextDay();
    await withdraw(long);
    // The one that ended by itself begins anew.
    await recordConsentWithScreenshots(service, short, {
      stats: taking(100),
      scopes: buildScopesWithout(['LABS']),
    });
    const token = await getOrganizationToken(service);
    const url = `/v1/projects/${projectId}/patients/${left.id}`;
    assert.equal((await call(service, url, { method: 'DELETE', token })).status, 204);
    const to = nextDay();
    const { status, body } = await get(
      `${organizationUrl}/consent-stats?projectId=${projectId}&from=${from}&to=${to}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    const none = { given: 0, changed: 0, refused: 0, withdrawn: 0, ended: 0 };
    assert.deepEqual(body.buckets, [
      { ...none, start: from, given: 2, refused: 1, inForce: 2 },
      { ...none, start: second, given: 1, changed: 1, ended: 1, inForce: 2 },
      { ...none, start: third, given: 1, withdrawn: 1, ended: 1, inForce: 1 },
      { ...none, start: to, inForce: 1 },
    ]);
    assert.equal(body.inForce, 1);
    const shared = new Map(
      (body.shared as { category: string; consents: number }[]).map((row) => [row.category, row.consents]),
    );
    assert.deepEqual([shared.size, shared.get('LABS'), shared.get('IMAGING')], [18, 0, 1]);
    assert.deepEqual(body.withdrawals, {
      total: 2,
      reasons: [
        { reason: 'patient', count: 1 },
        { reason: 'asked_again', count: 0 },
        { reason: 'account_deleted', count: 0 },
        { reason: 'enrollment_ended', count: 1 },
      ],
      ages: [
        { withinDays: 1, count: 0 },
        { withinDays: 7, count: 2 },
        ...[30, 90, 365, null].map((withinDays) => ({ withinDays, count: 0 })),
      ],
    });
    assert.deepEqual(body.timeToDecide, {
      decisions: 5,
      medianSeconds: 100,
      p90Seconds: body.timeToDecide.p90Seconds,
      times: [
        { withinSeconds: 30, count: 1 },
        { withinSeconds: 60, count: 0 },
        { withinSeconds: 120, count: 3 },
        { withinSeconds: 300, count: 0 },
        { withinSeconds: 600, count: 0 },
        { withinSeconds: null, count: 1 },
      ],
    });
    const past = await get(
      `${organizationUrl}/consent-stats?projectId=${projectId}&from=${from}&to=${second}`,
    );
    assert.deepEqual(past.body.buckets, body.buckets.slice(0, 2), 'counted back over what came later');
    const months = await get(
      `${organizationUrl}/consent-stats?projectId=${projectId}&from=${from}&to=${to}&bucket=month`,
    );
    const given = (months.body.buckets as { given: number }[]).reduce((sum, bucket) => sum + bucket.given, 0);
    assert.deepEqual([given, months.body.buckets.at(-1).inForce], [4, 1]);
    assert.match(months.body.buckets[0].start, /-01$/);
  });

  it('refuses days in the wrong order, and more days than a chart shows', async () => {
    const url = `${organizationUrl}/consent-stats`;
    for (const query of [
      'from=2026-02-02&to=2026-02-01',
      'from=2024-01-01&to=2026-01-01',
      'from=2026-02-30',
      'days=1',
    ])
      assert.equal((await get(`${url}?${query}`)).status, 400, query);
    const { body } = await get(url);
    assert.equal(body.buckets.length, 90);
  });
});

const taking = (sessionLength: number) => ({ sessionLength, interactions: [] });

describe('the evidence of a decision', () => {
  let patient: TestPatient;
  let evidenceUrl: string;
  const images = [createPng(), createPng()];

  before(async () => {
    await setProjectContent(service, {
      en: {
        title: 'Asthma <study>',
        purpose: 'We read <script>alert(1)</script> your record.',
        categoryPurposes: { LABS: 'To follow your lungs.' },
      },
      es: { title: 'Asma', purpose: 'Leemos su historial.', risks: 'Guardamos lo que leemos.' },
    });
    patient = await newTestPatient(service, { consent: false });
    const at = service.clock.now().toISOString();
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, {
      images,
      stats: { sessionLength: 42, interactions: [{ screen: 'review', action: 'allow', at }] },
    });
    await withdraw(patient);
    evidenceUrl = `/v1/consents/${consentRecordId}/evidence`;
  });

  async function download(): Promise<Map<string, Buffer>> {
    const token = await getOrganizationToken(service);
    const answer = await fetch(service.baseUrl + evidenceUrl, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-disposition') ?? '', /filename="consent-evidence-[\w-]+\.zip"/);
    return readZip(await answer.arrayBuffer());
  }

  it('is an archive that both verifications accept with the keys in it', async () => {
    const files = await download();
    assert.deepEqual([...files.keys()].sort(), [
      'audit.ndjson',
      'index.html',
      'keys.json',
      'manifest.jws',
      'receipt.json',
      'receipt.jws',
      'record.json',
      'screens.json',
      'screens/01.png',
      'screens/02.png',
      'words.json',
    ]);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-evidence-'));
    for (const name of ['audit.ndjson', 'receipt.jws', 'keys.json'])
      fs.writeFileSync(path.join(folder, name), files.get(name) ?? '');
    const run = (command: string, file: string) =>
      runCommand([command, path.join(folder, file), '--keys', path.join(folder, 'keys.json')]);
    const receipt = await run('receipt verify', 'receipt.jws');
    assert.deepEqual([receipt.code, receipt.stderr], [0, '']);
    const log = await run('audit verify', 'audit.ndjson');
    assert.deepEqual([log.code, log.stderr], [0, '']);
    assert.match(log.stdout, /^Proven: 3 entries about patient .*\nThe slice is as it was sealed\.\n$/);
    fs.writeFileSync(
      path.join(folder, 'audit.ndjson'),
      String(files.get('audit.ndjson')).replace('OPTED_IN', 'OPTED_XX'),
    );
    assert.equal((await run('audit verify', 'audit.ndjson')).code, 1, 'a changed entry is noticed');
    fs.rmSync(folder, { recursive: true });
    const actions = [...String(files.get('audit.ndjson')).matchAll(/"action":"([\w.]+)"/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(actions, ['consent.recorded', 'consent.recorded', 'evidence.exported']);
  });

  it('is signed as it is: whatever is changed, added or taken out is named, in the archive and in its folder', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-evidence-'));
    const files = await download();
    const keys = path.join(folder, 'keys.json');
    fs.writeFileSync(keys, files.get('keys.json') ?? '');
    const verify = async (changed: Record<string, string | Buffer | null>) => {
      const target = fs.mkdtempSync(path.join(folder, 'as-'));
      for (const [name, bytes] of new Map<string, string | Buffer | null>([
        ...files,
        ...Object.entries(changed),
      ])) {
        fs.mkdirSync(path.dirname(path.join(target, name)), { recursive: true });
        if (bytes !== null) fs.writeFileSync(path.join(target, name), bytes);
      }
      return runCommand(['receipt verify', target, '--keys', keys]);
    };
    const replace = (name: string, from: string | RegExp, to: string): Record<string, string> => {
      const changed = String(files.get(name)).replace(from, to);
      assert.notEqual(changed, String(files.get(name)), name);
      return { [name]: changed };
    };
    const intact = await verify({ '.DS_Store': 'of a desktop' });
    assert.deepEqual([intact.code, intact.stderr], [0, '']);
    assert.match(intact.stdout, /^All 10 files are as http:.*\nLog: +\d entries are in the signed log; 0 /);
    assert.match(intact.stdout, /^Who: +patient [\w-]+ gave consent on /m);
    for (const [changed, name] of [
      [replace('record.json', '"allow"', '"deny"'), 'record.json was changed'],
      [replace('record.json', '"sessionLength": 42', '"sessionLength": 900'), 'record.json was changed'],
      [replace('words.json', 'We read', 'We sell'), 'words.json was changed'],
      [replace('index.html', 'gave consent', 'said no'), 'index.html was changed'],
      [{ 'screens/01.png': createPng(20, 20) }, 'screens/01.png was changed'],
      [{ 'screens/02.png': null }, 'screens/02.png is missing'],
      [{ 'screens/03.png': files.get('screens/02.png') ?? '' }, '"screens/03.png" was added'],
      [{ 'manifest.jws': null }, 'There is no manifest.jws'],
      [{ 'manifest.jws': files.get('receipt.jws') ?? '' }, 'it is not a manifest of evidence'],
      [replace('manifest.jws', /\..*\./, '.e30.'), 'was changed after it was issued'],
    ] as const) {
      const { code, stdout, stderr } = await verify(changed);
      assert.deepEqual([code, stdout], [1, ''], name);
      assert.ok(stderr.includes(name), `${name}: ${stderr}`);
    }
    const zip = path.join(folder, 'evidence.zip');
    fs.writeFileSync(zip, await createArchive(Object.fromEntries(files)));
    const packed = await runCommand(['receipt verify', zip, '--keys', keys, '--json']);
    assert.equal(packed.code, 0, packed.stderr);
    assert.equal(JSON.parse(packed.stdout).manifest.files.length, 10);
    fs.writeFileSync(zip, await createArchive({ ...Object.fromEntries(files), 'words.json': '{}' }));
    const altered = await runCommand(['receipt verify', zip, '--keys', keys]);
    assert.deepEqual([altered.code, altered.stdout], [1, '']);
    assert.match(altered.stderr, /words\.json was changed/);
    fs.rmSync(folder, { recursive: true });
  });

  it('holds pictures by the hashes of the receipt, the words of that version, and a page that loads and runs nothing', async () => {
    const files = await download();
    const read = (name: string) => JSON.parse(String(files.get(name)));
    const { payload } = read('receipt.json');
    const hashes = images.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    assert.deepEqual(
      (payload.evidence.screenshots as { sha256: string }[]).map(({ sha256 }) => sha256),
      hashes,
    );
    assert.deepEqual(
      (read('screens.json') as { file: string; sha256: string }[]).map(({ file, sha256 }) => [file, sha256]),
      hashes.map((hash, index) => [`screens/0${index + 1}.png`, hash]),
    );
    images.forEach((bytes, index) => assert.deepEqual(files.get(`screens/0${index + 1}.png`), bytes));
    assert.equal(read('words.json').content.en.title, 'Asthma <study>');
    assert.equal(read('record.json').consentStats.interactions[0].action, 'allow');
    const page = String(files.get('index.html'));
    assert.match(page, /content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"/);
    assert.ok(page.includes('Asthma &lt;study&gt;') && !page.includes('<script'));
    assert.ok(page.includes('<dt>Labs: what it is needed for</dt><dd lang="en">To follow your lungs.</dd>'));
    assert.ok(page.includes('<dd lang="es">Guardamos lo que leemos.</dd>'), 'as the consent page shows it');
    assert.doesNotMatch(page, /(?:src|href)="(?!data:image\/png;base64,)/);
    for (const bytes of images) assert.ok(page.includes(bytes.toString('base64')));
  });

  it('is given to a member who proved to be present, and the look is in the log of the patient', async () => {
    const browser = await signInAs(service, await newMember(service, 'auditor'));
    service.clock.advance(6 * 60_000);
    const late = await browser.get(evidenceUrl);
    assert.deepEqual([late.status, late.body.code], [403, 'confirmation_required']);
    const count = async (): Promise<number> =>
      (
        await service.store.db.query(sql<object>`
        select from audit_entry where action = 'evidence.exported' and patient_id = ${patient.id}`)
      ).length;
    const before = await count();
    const present = await signInAs(service, await newMember(service, 'auditor'));
    assert.equal((await present.get(evidenceUrl)).status, 200);
    assert.equal(await count(), before + 1);
    const token = await getOrganizationToken(service);
    const head = await fetch(service.baseUrl + evidenceUrl, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(head.status, 200);
    assert.equal(await count(), before + 1, 'HEAD shows nothing');
    const developer = await signInAs(service, await newMember(service, 'developer'));
    assert.equal((await developer.get(evidenceUrl)).status, 403);
  });
});
