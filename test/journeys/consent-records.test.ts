import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  ConsentRecord,
  ConsentSummary,
  listConsentRecords,
} from '../../contract/organization/consent-records.ts';
import { ResourceScope } from '../../contract/data-categories.ts';
import type { CredentialId, PatientId } from '../../contract/brands.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { withoutObjectStore } from '../harness/no-objects.ts';
import { streamConsentRecords } from '../../server/consent/records/list-consent-records.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { hashPassword } from '../../server/platform/kernel/password.ts';
import { sql } from '../../server/platform/db/sql.ts';
import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';
import { recordConsentWithScreenshots } from '../harness/consent-record.ts';
import { createPng } from '../harness/evidence.ts';
import {
  call,
  decide,
  newOrganization,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const DAY = 24 * 3_600_000;

let service: TestService;
let stranger: CreatedOrganization;
let tokens: Record<'admin' | 'researcher' | 'foreign admin' | 'foreign researcher', string>;

before(async () => {
  service = await startTestService();
  stranger = await newOrganization(service);
  await renewTokens();
});
after(() => service.stop());

/** Tokens last an hour of the test's clock. */
async function renewTokens(): Promise<void> {
  tokens = {
    admin: await getOrganizationToken(service, 'admin'),
    researcher: await getOrganizationToken(service, 'researcher'),
    'foreign admin': await getOrganizationToken(service, 'admin', stranger),
    'foreign researcher': await getOrganizationToken(service, 'researcher', stranger),
  };
}

const get = (url: string, token: string | undefined = tokens.admin, headers = {}): Promise<HttpResponse> =>
  call(service, url, { token, headers });

const list = (query: string, token = tokens.admin, headers = {}): Promise<HttpResponse> =>
  get(`/v1/patients/consents?${query}`, token, headers);

const getSummary = (id: string, token = tokens.admin): Promise<HttpResponse> =>
  get(`/v1/patients/${id}/consents`, token);

const buildScopes = (
  { id, projectId }: Pick<TestPatient, 'id' | 'projectId'>,
  token = tokens.admin,
): Promise<HttpResponse> => get(`/v1/patients/${id}/consented-data-scopes/study/${projectId}`, token);

async function login({ email, password, projectId }: TestPatient): Promise<string> {
  const { body } = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
  return body.token as string;
}

const listAuditEntries = (action: string, patientId: string) =>
  service.store.db.query(sql<{
    organization_id: string;
    actor_kind: string;
    consent_record_id: string | null;
    detail: string;
  }>`
    select organization_id, actor_kind, consent_record_id, detail from audit_entry
    where action = ${action} and patient_id = ${patientId} order by entry_id`);

/** Enrolls a person nobody has a password of. */
async function enroll(
  person: { email: string; phone?: string; externalId?: string },
  organization = service.organization,
): Promise<string> {
  const token = await getOrganizationToken(service, 'admin', organization);
  const { body } = await call(service, `/v1/projects/${organization.projectId}/patients`, {
    token,
    json: {
      patients: [{ firstName: 'Jo', lastName: 'Larsen', ...person }],
      suppressNotifications: true,
    },
  });
  const [known] = [...body.successfulPatients, ...body.duplicates] as { referenceId: string }[];
  return known?.referenceId ?? '';
}

describe('a consent record', () => {
  it('says what was decided, when, for which study, and what the patient saw', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, {
      scopes: { resourceScopes: ['LABS'], sensitivityScopes: ['NORMAL', 'HIV_OR_STI'] },
      language: 'es',
      representative: { name: 'Kim Larsen', authority: 'parent' },
    });
    const { status, body } = await get(`/v1/consents/${consentRecordId}`);
    assert.equal(status, 200);
    assert.deepEqual(ConsentRecord.parse(body), body);
    const { timestamp, expirationTimestamp, studySnapshotId, ...rest } = body;
    assert.equal(Date.parse(expirationTimestamp) - Date.parse(timestamp), 365 * DAY);
    assert.match(studySnapshotId, /^[0-9a-f]{32}$/);
    assert.deepEqual(rest, {
      healthcareOrganizationId: service.organization.organizationId,
      id: consentRecordId,
      patientId: patient.id,
      studyId: patient.projectId,
      consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
      consentStatus: 'OPTED_IN',
      consentStats: { sessionLength: 42, interactions: [] },
      consentConfigSnapshotId: null,
      consentUIFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
      uiHash: 'c0ffee',
      fullRecordWithoutRestrictedData: false,
      consentDataResourceScopes: ['LABS'],
      consentDataSensitivityScopes: ['NORMAL', 'HIV_OR_STI'],
      language: 'es',
      clientId: 'https://agent.example/client.json',
      clientName: 'Test agent',
      representative: { name: 'Kim Larsen', authority: 'parent' },
      grant: null,
      parts: null,
    });
  });

  it('stays, with its evidence, for the organization after withdrawal and after its end', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const { consentRecordId, screenshotId } = await recordConsentWithScreenshots(service, patient);
    await decide(service, patient, 'OPTED_OUT');
    const urls = ['', '/screenshots', `/screenshots/${screenshotId}`, '/receipt'].map(
      (rest) => `/v1/consents/${consentRecordId}${rest}`,
    );
    const read = async (): Promise<void> => {
      for (const url of [...urls, `/v1/patients/consents?patientId=${patient.id}`])
        for (const role of ['admin', 'researcher'] as const)
          assert.equal((await get(url, tokens[role])).status, 200, `${role} ${url}`);
    };
    await read();
    service.clock.advance(400 * DAY);
    await renewTokens();
    await read();
  });

  it('is open to its patient with a token for whatever project, of whatever organization', async () => {
    const email = 'two.projects@mail.example';
    const id = await enroll({ email });
    await enroll({ email }, stranger);
    await service.store.db.query(sql`
      insert into patient_password (patient_id, password_hash, changed_at) values (${id}, ${await hashPassword('secret')}, now())`);
    const { projectId } = service.organization;
    const { consentRecordId } = await recordConsentWithScreenshots(service, { id, projectId });
    await recordConsentWithScreenshots(service, { id, projectId: stranger.projectId });
    const elsewhere = { id, email, password: 'secret', projectId: stranger.projectId, token: '' };
    const token = await login(elsewhere);
    assert.equal((await get(`/v1/consents/${consentRecordId}`, token)).status, 200);
    assert.equal((await list(`patientId=${id}`, token)).body.total, 2);
    assert.equal((await buildScopes({ id, projectId }, token)).body.consentDataScopes.length, 18);
  });

  it('that does not exist is answered as somebody else’s is, a malformed id 400', async () => {
    const { consentRecordId, screenshotId } = await recordConsentWithScreenshots(
      service,
      await newTestPatient(service),
    );
    const views = ['', '/screenshots', `/screenshots/${screenshotId}`, '/receipt', '/evidence'];
    for (const token of [tokens['foreign admin'], (await newTestPatient(service)).token])
      for (const view of views) {
        const foreign = await get(`/v1/consents/${consentRecordId}${view}`, token);
        const none = await get(`/v1/consents/00000000-0000-4000-8000-000000000000${view}`, token);
        assert.deepEqual([none.status, none.body], [403, foreign.body], view);
      }
    assert.equal((await get('/v1/consents/1')).status, 400);
  });

  it('leaves an entry in the log of the organization that read it, and none when its patient reads it', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const { consentRecordId, screenshotId } = await recordConsentWithScreenshots(service, patient);
    const urls = ['', '/screenshots', `/screenshots/${screenshotId}`, '/receipt'].map(
      (rest) => `/v1/consents/${consentRecordId}${rest}`,
    );
    for (const url of urls) assert.equal((await get(url, patient.token)).status, 200);
    for (const url of urls) assert.equal((await get(url, tokens['foreign admin'])).status, 403);
    assert.deepEqual(await listAuditEntries('consent.record_viewed', patient.id), []);
    for (const url of urls) await get(url, tokens.researcher);
    const details = {
      organization_id: service.organization.organizationId,
      actor_kind: 'researcher',
      consent_record_id: consentRecordId,
    };
    assert.deepEqual(
      await listAuditEntries('consent.record_viewed', patient.id),
      ['record', 'screenshots', 'receipt'].map((view) => ({ ...details, detail: JSON.stringify({ view }) })),
    );
    assert.deepEqual(await listAuditEntries('consent.evidence_viewed', patient.id), [
      { ...details, detail: JSON.stringify({ screenshotId }) },
    ]);
  });
});

describe('the screenshots of a record', () => {
  it('are listed in the order in which they were seen, and come as the image that was sent', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const images = [createPng(200, 200), createPng(220, 220)];
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, { images });
    const { body } = await get(`/v1/consents/${consentRecordId}/screenshots`);
    assert.deepEqual(
      body.screenshots.map(({ id: _, takenAt, ...rest }: Record<string, string>) => ({
        ...rest,
        taken: !Number.isNaN(Date.parse(takenAt ?? '')),
      })),
      ['review', 'signature'].map((screen) => ({ contentType: 'image/png', screen, taken: true })),
    );
    for (const [place, image] of images.entries()) {
      const id = body.screenshots[place].id as string;
      const answer = await fetch(`${service.baseUrl}/v1/consents/${consentRecordId}/screenshots/${id}`, {
        headers: { authorization: `Bearer ${tokens.admin}` },
      });
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(image));
      const headers = Object.fromEntries(answer.headers);
      assert.equal(headers['content-type'], 'image/png');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
      assert.equal(headers['content-disposition'], `inline; filename="consent-${id}.png"`);
      assert.equal(headers['cache-control'], 'private, no-store');
    }
  });

  it('are found under their own record only', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const one = await recordConsentWithScreenshots(service, patient);
    const other = await recordConsentWithScreenshots(service, patient);
    const url = `/v1/consents/${one.consentRecordId}/screenshots/${other.screenshotId}`;
    assert.equal((await get(url)).status, 404);
  });
});

describe('the consent records of a patient', () => {
  it('come newest first with their screenshots, a page at a time, with the number of all', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const first = await recordConsentWithScreenshots(service, patient, { images: [createPng(200, 201)] });
    service.clock.advance(1000);
    const second = await recordConsentWithScreenshots(service, patient, { images: [] });
    service.clock.advance(1000);
    const third = await recordConsentWithScreenshots(service, patient, {
      images: [createPng(), createPng(202, 202)],
    });
    const { status, headers, body } = await list(`patientId=${patient.id}`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(listConsentRecords.response.parse(body), body);
    assert.equal(body.total, 3);
    const ids = body.results.map(({ consentRecord }: { consentRecord: { id: string } }) => consentRecord.id);
    assert.deepEqual(
      ids,
      [third, second, first].map(({ consentRecordId }) => consentRecordId),
    );
    assert.deepEqual(
      body.results.map(({ screenshots }: { screenshots: { data: string; contentType: string }[] }) =>
        screenshots.map(({ data, contentType }) => [data, contentType]),
      ),
      [[createPng(), createPng(202, 202)], [], [createPng(200, 201)]].map((images) =>
        images.map((image) => [image.toString('base64'), 'image/png']),
      ),
    );
    const alone = (await get(`/v1/consents/${second.consentRecordId}`)).body as unknown;
    assert.deepEqual(body.results[1].consentRecord, alone);
    const page = (await list(`patientId=${patient.id}&limit=1&offset=1`)).body;
    assert.deepEqual([page.total, page.results], [3, [body.results[1]]]);
    const beyond = (await list(`patientId=${patient.id}&offset=7`)).body;
    assert.deepEqual(beyond, { total: 3, results: [] });
  });

  it('are those after If-Modified-Since, in either form; 200 and an empty list where nothing is newer', async () => {
    const patient = await newTestPatient(service);
    service.clock.advance(10_000);
    const { body } = await decide(service, patient, 'OPTED_OUT');
    const [newest, oldest] = (await list(`patientId=${patient.id}`)).body.results as {
      consentRecord: { id: string; timestamp: string };
    }[];
    assert.equal(newest?.consentRecord.id, body.consentRecordId);
    const between = new Date(Date.parse(oldest?.consentRecord.timestamp ?? '') + 5000);
    for (const form of [between.toUTCString(), between.toISOString()]) {
      const { status, body } = await list(`patientId=${patient.id}`, tokens.admin, {
        'if-modified-since': form,
      });
      assert.deepEqual([status, body], [200, { total: 2, results: [newest] }]);
    }
    const none = await list(`patientId=${patient.id}`, tokens.admin, {
      'if-modified-since': newest?.consentRecord.timestamp,
    });
    assert.deepEqual([none.status, none.body], [200, { total: 2, results: [] }]);
  });

  it('need a well-formed If-Modified-Since: 400 names the header', async () => {
    const patient = await newTestPatient(service);
    const { status, headers, body } = await list(`patientId=${patient.id}`, tokens.admin, {
      'if-modified-since': 'last week',
    });
    assert.equal(status, 400);
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(body.errors[0].path, 'If-Modified-Since');
  });

  it('need exactly one identifier', async () => {
    const patient = await newTestPatient(service);
    const { id, email } = patient;
    for (const query of [
      '',
      'limit=5',
      `patientId=${id}&email=${email}`,
      `email=${email}&email=${email}`,
      'email=',
      'phone=none',
      'patientId=1',
      `patientId=${id}&limit=0`,
      `patientId=${id}&limit=1001`,
      `patientId=${id}&offset=-1`,
      `patientId=${id}&limit=ten`,
      `externalId=${'x'.repeat(201)}`,
      'email=a%00b',
    ])
      for (const token of [tokens.admin, patient.token])
        assert.equal((await list(query, token)).status, 400, query);
  });

  it('are found by e-mail address however it is written, by telephone number likewise, and by the own id', async () => {
    const email = 'Records.Jo@mail.example';
    const id = await enroll({ email, phone: '+1 (555) 010-0199', externalId: 'MRN 17/a' });
    await recordConsentWithScreenshots(service, { id, projectId: service.organization.projectId });
    for (const query of [
      'email=records.jo@MAIL.example',
      'phone=%2B15550100199',
      // A plus sign that nobody encoded.
      'phone=+1 555 010 0199',
      'phone=%2B1-555-010.0199',
      `externalId=${encodeURIComponent('MRN 17/a')}`,
      `patientId=${id.toUpperCase()}`,
    ]) {
      const { status, body } = await list(query);
      assert.deepEqual([status, body.results?.[0]?.consentRecord.patientId], [200, id], query);
    }
    for (const query of [
      'email=nobody@mail.example',
      'phone=15550100199',
      'externalId=mrn 17/a',
      'patientId=00000000-0000-4000-8000-000000000000',
    ])
      assert.equal((await list(query)).status, 403, query);
  });

  it('are found by what the own organization calls the patient, not by what another does', async () => {
    const email = 'two.clinics@mail.example';
    const id = await enroll({ email, phone: '555 0001 77', externalId: 'theirs' }, stranger);
    await enroll({ email, phone: '555 0002 77', externalId: 'ours' });
    await recordConsentWithScreenshots(service, { id, projectId: service.organization.projectId });
    await recordConsentWithScreenshots(service, { id, projectId: stranger.projectId });
    for (const [query, token, wanted] of [
      ['phone=555000277', tokens.admin, 200],
      ['externalId=ours', tokens.admin, 200],
      ['phone=555000177', tokens.admin, 403],
      ['externalId=theirs', tokens.admin, 403],
      ['phone=555000177', tokens['foreign admin'], 200],
      ['externalId=theirs', tokens['foreign admin'], 200],
      ['phone=555000277', tokens['foreign admin'], 403],
      ['externalId=ours', tokens['foreign admin'], 403],
    ] as const) {
      const { status, body } = await list(query, token);
      assert.equal(status, wanted, query);
      if (status === 200) assert.equal(body.total, 1, 'of the own organization only');
    }
  });

  it('are nobody’s where several patients share the identifier: 409, and the one 403 while none of them shares', async () => {
    const mother = await enroll({ email: 'mother@mail.example', phone: '+1 555 0300', externalId: 'family' });
    await enroll({ email: 'child@mail.example', phone: '+1-555-0300', externalId: 'family' });
    const queries = ['phone=%2B15550300', 'externalId=family'];
    const { body: nobody } = await list('externalId=unknown');
    for (const query of queries) {
      const { status, body } = await list(query);
      assert.deepEqual([status, body], [403, nobody]);
    }
    await recordConsentWithScreenshots(service, {
      id: mother,
      projectId: service.organization.projectId,
    });
    for (const query of queries) {
      const { status, body } = await list(query);
      assert.deepEqual([status, body.code], [409, 'ambiguous_identifier']);
    }
  });

  it('are refused to an organization that the patient never decided anything for: 403, no_consent', async () => {
    const enrolled = await newTestPatient(service, { consent: false });
    const elsewhere = await newTestPatient(service, { organization: stranger });
    for (const { id, email } of [enrolled, elsewhere])
      for (const answer of [
        await list(`patientId=${id}`),
        await list(`email=${email}`, tokens.researcher),
        await getSummary(id),
      ])
        assert.deepEqual([answer.status, answer.body.code], [403, 'no_consent']);
    const enrolledHere = await buildScopes(enrolled);
    assert.deepEqual([enrolledHere.status, enrolledHere.body.code], [403, 'no_consent']);
  });

  it('are the patient’s own, of every organization, for a patient’s token; anything else is 403, known or not', async () => {
    const email = 'own@mail.example';
    const patient = await newTestPatient(service);
    const other = await newTestPatient(service);
    await enroll({ email, phone: '+1 555 0400', externalId: 'somebody' });
    await enroll(
      { email: patient.email, phone: '+1 555 0500', externalId: 'me' },
      {
        ...service.organization,
        projectId: await newProject(service),
      },
    );
    for (const query of [
      `patientId=${patient.id}`,
      `email=${patient.email}`,
      'phone=%2B15550500',
      'externalId=me',
    ]) {
      const { status, body } = await list(query, patient.token);
      assert.deepEqual([status, body.total], [200, 1], query);
    }
    const refused = await Promise.all(
      [
        `patientId=${other.id}`,
        `email=${other.email}`,
        `email=${email}`,
        'email=nobody@mail.example',
        'phone=%2B15550400',
        'phone=%2B15550499',
        'externalId=somebody',
        'externalId=nobody',
        'patientId=00000000-0000-4000-8000-000000000000',
      ].map((query) => list(query, patient.token)),
    );
    for (const { status, body } of refused)
      assert.deepEqual([status, body], [403, refused[0]?.body], 'one answer for all of them');
  });

  it('are an empty list for a patient who never decided anything', async () => {
    const { id, token } = await newTestPatient(service, { consent: false });
    assert.deepEqual((await list(`patientId=${id}`, token)).body, { total: 0, results: [] });
  });

  it('leave one entry for the list and one for each record whose screenshots were delivered', async () => {
    const patient = await newTestPatient(service);
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    await list(`patientId=${patient.id}`);
    await list(`patientId=${patient.id}`, patient.token);
    await list(`patientId=${patient.id}`, tokens['foreign admin']);
    const [entry, ...more] = await listAuditEntries('consent.record_viewed', patient.id);
    assert.deepEqual(more, []);
    const { view, total, consentRecordIds } = JSON.parse(entry?.detail ?? '{}') as Record<string, unknown>;
    assert.deepEqual([view, total], ['list', 2]);
    assert.equal((consentRecordIds as string[]).length, 2);
    const evidence = await listAuditEntries('consent.evidence_viewed', patient.id);
    assert.deepEqual(
      evidence.map((row) => row.consent_record_id),
      [consentRecordId],
    );
  });

  it('are read a few at a time while they are sent, and no further than they are asked for', async () => {
    const patient = await newTestPatient(service);
    const image = Buffer.alloc(2 * 1024 * 1024, 'x');
    for (let count = 0; count < 10; count++)
      await recordConsentWithScreenshots(service, patient, { images: [image] });
    const { db } = service.store;
    const audit = createAuditLog({ db, clock: service.clock });
    const deps = { db, objects: withoutObjectStore(db), audit };
    const caller = {
      kind: 'admin',
      organizationId: service.organization.organizationId,
      subject: 'test',
      credentialId: generateId<CredentialId>(),
      role: 'admin',
      projectIds: null,
    } as const;
    const wanted = {
      caller,
      patientId: patient.id as PatientId,
      page: { limit: 1000, offset: 0 },
      since: null,
    };
    const pieces = await streamConsentRecords(deps, wanted);
    await pieces.next();
    assert.equal((await listAuditEntries('consent.evidence_viewed', patient.id)).length, 3, '6 MiB of 20');
    await pieces.return(undefined);
    const { body } = await list(`patientId=${patient.id}`);
    assert.equal(body.total, 11);
    assert.deepEqual(
      body.results.map(({ screenshots }: { screenshots: { data: string }[] }) =>
        screenshots.map(({ data }) => data.length),
      ),
      [...Array.from({ length: 10 }, () => [Math.ceil(image.length / 3) * 4]), []],
    );
  });

  it('answer HEAD without reading, or noting, what is not delivered', async () => {
    const patient = await newTestPatient(service);
    const { status, body, headers } = await call(service, `/v1/patients/consents?patientId=${patient.id}`, {
      method: 'HEAD',
      token: tokens.admin,
    });
    assert.deepEqual([status, body], [200, '']);
    assert.equal(headers.get('content-length'), null, 'GET would not answer nothing');
    assert.deepEqual(await listAuditEntries('consent.record_viewed', patient.id), []);
  });
});

describe('the consent summary of a patient', () => {
  it('returns the newest decision by type and study, and whether it holds', async () => {
    const patient = await newTestPatient(service);
    const { body: second } = await decide(service, patient, 'OPTED_IN', {
      consentType: 'DATA_AUTHORIZATION',
    });
    await decide(service, patient, 'OPTED_OUT', { consentType: 'DATA_AUTHORIZATION' });
    const { body: third } = await decide(service, patient, 'OPTED_IN', { consentType: 'DATA_AUTHORIZATION' });
    const { status, body } = await getSummary(patient.id);
    assert.equal(status, 200);
    assert.deepEqual(ConsentSummary.parse(body), body);
    assert.equal(body.healthcareOrganizationId, service.organization.organizationId);
    assert.equal(body.patientId, patient.id);
    assert.deepEqual(
      body.consents.map(({ expirationTimestamp: _, ...rest }: Record<string, string>) => rest),
      [
        {
          consentType: 'DATA_AUTHORIZATION',
          studyId: patient.projectId,
          hasPatientConsented: true,
          source: 'STUDY',
          consentRecordId: third.consentRecordId,
        },
        {
          consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
          studyId: patient.projectId,
          hasPatientConsented: true,
          source: 'STUDY',
          consentRecordId: body.consents[1].consentRecordId,
        },
      ],
    );
    assert.notEqual(second.consentRecordId, third.consentRecordId);
    assert.deepEqual((await getSummary(patient.id, patient.token)).body, body);
  });

  it('says no once the consent is withdrawn, or over', async () => {
    const hasConsented = async ({ id }: TestPatient): Promise<boolean> =>
      (await getSummary(id)).body.consents[0].hasPatientConsented as boolean;
    const withdrawn = await newTestPatient(service);
    const over = await newTestPatient(service);
    assert.deepEqual([await hasConsented(withdrawn), await hasConsented(over)], [true, true]);
    await decide(service, withdrawn, 'OPTED_OUT');
    assert.equal(await hasConsented(withdrawn), false);
    service.clock.advance(366 * DAY);
    await renewTokens();
    assert.equal(await hasConsented(over), false);
  });

  it('of an unknown patient is 403, as of another’s', async () => {
    const patient = await newTestPatient(service);
    assert.equal((await getSummary('00000000-0000-4000-8000-000000000000')).status, 403);
    assert.equal((await getSummary(patient.id, tokens['foreign researcher'])).status, 403);
    assert.equal((await getSummary(patient.id, (await newTestPatient(service)).token)).status, 403);
  });

  it('holds nothing of another organization', async () => {
    const patient = await enroll({ email: 'both@mail.example' });
    await enroll({ email: 'both@mail.example' }, stranger);
    await recordConsentWithScreenshots(service, { id: patient, projectId: service.organization.projectId });
    await recordConsentWithScreenshots(service, { id: patient, projectId: stranger.projectId });
    for (const [token, { organizationId, projectId }] of [
      [tokens.admin, service.organization],
      [tokens['foreign admin'], stranger],
    ] as const) {
      const { body } = await getSummary(patient, token);
      assert.equal(body.healthcareOrganizationId, organizationId);
      assert.deepEqual(
        body.consents.map(({ studyId }: { studyId: string }) => studyId),
        [projectId],
      );
    }
  });
});

describe('what holds now', () => {
  it('leaves an entry for each look of an organization, and none for the patient’s own', async () => {
    const projectId = await newProject(service);
    const patient = await newTestPatient(service, { projectId });
    for (const token of [patient.token, tokens.researcher]) {
      assert.equal((await getSummary(patient.id, token)).status, 200);
      assert.equal((await buildScopes(patient, token)).status, 200);
    }
    assert.equal((await get(`/v1/projects/${projectId}/consents?limit=7`, tokens.researcher)).status, 200);
    const viewed = await service.store.db.query(sql<{
      patient_id: string | null;
      project_id: string | null;
      detail: string;
    }>`
      select patient_id, project_id, detail from audit_entry
      where action = 'consent.record_viewed' and actor_kind = 'researcher'
        and (patient_id = ${patient.id} or project_id = ${projectId})
      order by entry_id`);
    assert.deepEqual(
      viewed.map(({ detail, ...rest }) => ({ ...rest, ...(JSON.parse(detail) as object) })),
      [
        { patient_id: patient.id, project_id: null, view: 'summary' },
        { patient_id: patient.id, project_id: projectId, view: 'consented_data_scopes' },
        { patient_id: null, project_id: projectId, view: 'summaries', limit: 7, offset: 0, patients: 1 },
      ],
    );
    assert.equal(
      (await listAuditEntries('consent.record_viewed', patient.id)).length,
      2,
      'none of the patient',
    );
  });
});

describe('the consent summaries of a project', () => {
  it('are of all who are enrolled, a page at a time, also of those who have not decided', async () => {
    const projectId = await newProject(service);
    const yes = await newTestPatient(service, { projectId });
    const silent = await newTestPatient(service, { projectId, consent: false });
    const url = `/v1/projects/${projectId}/consents`;
    const { status, body } = await get(url, tokens.researcher);
    assert.equal(status, 200);
    assert.equal(body.total, 2);
    const own = (await getSummary(yes.id)).body as unknown;
    assert.deepEqual(
      body.results,
      [
        own,
        { healthcareOrganizationId: service.organization.organizationId, patientId: silent.id, consents: [] },
      ].sort((one, other) =>
        (one as { patientId: string }).patientId < (other as { patientId: string }).patientId ? -1 : 1,
      ),
    );
    const page = await get(`${url}?limit=1&offset=1`);
    assert.deepEqual(page.body, { total: 2, results: [body.results[1]] });
    for (const filter of ['patientId', 'Limit', 'constructor']) {
      const refused = await get(`${url}?${filter}=x`);
      assert.deepEqual([refused.status, refused.body.errors[0].path], [400, filter]);
      assert.match(refused.body.detail, /its parameters are limit, offset/);
    }
  });

  it('are the organization’s own: one 403 for another’s project and for none, 403 for a patient', async () => {
    const patient = await newTestPatient(service);
    const url = `/v1/projects/${patient.projectId}/consents`;
    const foreign = await get(url, tokens['foreign admin']);
    const none = await get('/v1/projects/00000000-0000-4000-8000-000000000000/consents');
    assert.deepEqual([none.status, none.body], [403, foreign.body]);
    assert.equal((await get(url, patient.token)).status, 403);
  });
});

describe('the consented data scopes', () => {
  const everyCategory = (consentRecordId: string) =>
    ResourceScope.options.map((resourceScope) => ({
      resourceScope,
      sensitivityScope: 'NORMAL',
      consentRecordIds: [consentRecordId],
    }));

  it('are 18 categories of NORMAL for the full record without restricted data, said or unsaid', async () => {
    for (const more of [{}, { consentDataSensitivityScopes: ['NORMAL'] }]) {
      const patient = await newTestPatient(service, { consent: false });
      const { body } = await decide(service, patient, 'OPTED_IN', more);
      for (const token of [tokens.admin, tokens.researcher, patient.token])
        assert.deepEqual((await buildScopes(patient, token)).body, {
          consentDataScopes: everyCategory(body.consentRecordId as string),
          fullRecordWithoutRestrictedData: true,
        });
    }
  });

  it('are every pair of what a consent names, and each names the consents that it rests on', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const exchange = await decide(service, patient, 'OPTED_IN', {
      consentDataResourceScopes: ['LABS', 'MEDICATIONS'],
      consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'],
    });
    const authorization = await decide(service, patient, 'OPTED_IN', {
      consentType: 'DATA_AUTHORIZATION',
      consentDataResourceScopes: ['LABS'],
      consentDataSensitivityScopes: ['NORMAL'],
    });
    const [one, other] = [exchange.body.consentRecordId, authorization.body.consentRecordId] as [
      string,
      string,
    ];
    assert.deepEqual((await buildScopes(patient)).body, {
      consentDataScopes: [
        { resourceScope: 'MEDICATIONS', sensitivityScope: 'NORMAL', consentRecordIds: [one] },
        { resourceScope: 'MEDICATIONS', sensitivityScope: 'MENTAL_HEALTH', consentRecordIds: [one] },
        { resourceScope: 'LABS', sensitivityScope: 'NORMAL', consentRecordIds: [other, one] },
        { resourceScope: 'LABS', sensitivityScope: 'MENTAL_HEALTH', consentRecordIds: [one] },
      ],
      fullRecordWithoutRestrictedData: false,
    });
  });

  it('are those of consents by which somebody reads, and the full record that of one of them', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const NORMAL = { consentDataSensitivityScopes: ['NORMAL'] };
    await decide(service, patient, 'OPTED_IN', { consentType: 'FUTURE_DATA_USE', ...NORMAL });
    const none = { consentDataScopes: [], fullRecordWithoutRestrictedData: false };
    assert.deepEqual((await buildScopes(patient)).body, none);
    const [half, rest] = [ResourceScope.options.slice(0, 9), ResourceScope.options.slice(9)];
    await decide(service, patient, 'OPTED_IN', { consentDataResourceScopes: half, ...NORMAL });
    await decide(service, patient, 'OPTED_IN', {
      consentType: 'DATA_AUTHORIZATION',
      consentDataResourceScopes: rest,
      ...NORMAL,
    });
    const { body } = await buildScopes(patient);
    assert.equal(body.consentDataScopes.length, ResourceScope.options.length);
    assert.equal(body.fullRecordWithoutRestrictedData, false);
  });

  it('are none once the consent is withdrawn, or over', async () => {
    const none = { consentDataScopes: [], fullRecordWithoutRestrictedData: false };
    const [withdrawn, over] = [await newTestPatient(service), await newTestPatient(service)];
    await decide(service, withdrawn, 'OPTED_OUT');
    assert.deepEqual((await buildScopes(withdrawn)).body, none);
    service.clock.advance(366 * DAY);
    await renewTokens();
    const { status, body } = await buildScopes(over);
    assert.deepEqual([status, body], [200, none]);
  });

  it('are refused alike for a study of another organization and for none, and for an unknown patient', async () => {
    const patient = await newTestPatient(service);
    const foreign = await buildScopes({ ...patient, projectId: stranger.projectId });
    const nowhere = { ...patient, projectId: '00000000-0000-4000-8000-000000000000' };
    const none = await buildScopes(nowhere);
    assert.deepEqual([none.status, none.body], [403, foreign.body]);
    assert.equal((await buildScopes({ ...patient, id: nowhere.projectId })).status, 403);
  });
});
