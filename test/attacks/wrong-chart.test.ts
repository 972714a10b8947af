import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { downloadArchive } from '../harness/my-data.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { getEverything } from '../harness/fhir.ts';
import { startFakeFhirServer, type FakeFhirServer } from '../harness/fake-fhir-server.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';

let ehr: FakeFhirServer;
let service: TestService;
let admin: string;
let base: string;
const connected: string[] = [];

before(async () => {
  ehr = await startFakeFhirServer();
  const environment = { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' };
  service = await startTestService({ outbound: ehr.outboundClient, environment });
  admin = await getOrganizationToken(service);
  base = `/v1/organizations/${service.organization.organizationId}/sources`;
});
after(async () => {
  await service.stop();
  await ehr.stop();
});
beforeEach(async () => {
  for (const id of connected.splice(0))
    await call(service, `${base}/${id}`, { method: 'DELETE', token: admin });
  Object.assign(ehr, { resources: [], requests: [] });
});

let names = 0;

async function connect(more: object = {}): Promise<string> {
  const matching = { by: 'identifier', system: 'urn:mrn' };
  const json = {
    name: `Hospital ${++names}`,
    baseUrl: ehr.base,
    matching,
    servesTestPatients: true,
    ...more,
  };
  const { status, body } = await call(service, base, { token: admin, json });
  assert.equal(status, 201, JSON.stringify(body));
  connected.push(body.id as string);
  return body.id as string;
}

/** Jane Roe, born on 1 January 1980, whose enrollment names the record of `mrn`. A real person has an account by a mailed link. */
async function createJane({ isReal = false, mrn = 'mrn-1' } = {}): Promise<TestPatient> {
  const patient = await newTestPatient(service, { consent: false });
  await service.store.db.query(sql`
    update patient set first_name = 'Jane', last_name = 'Roe', date_of_birth = '1980-01-01' where patient_id = ${patient.id}`);
  await service.store.db.query(sql`
    update enrollment set external_id = ${mrn} where patient_id = ${patient.id}`);
  await decide(service, patient, 'OPTED_IN');
  await waitUntilIdle();
  if (isReal)
    await service.store.db.query(
      sql`update patient set test_organization_id = null where patient_id = ${patient.id}`,
    );
  return patient;
}

const waitUntilIdle = (): Promise<void> =>
  waitUntil('nothing is fetched any more', async () => {
    const jobs = await service.store.db.query(sql`select from job where kind = 'source.sync'`);
    return jobs.length === 0;
  });

const REAL = { meta: { tag: [] } };
const buildPatient = (more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Patient',
    id: 'p1',
    identifier: [{ system: 'urn:mrn', value: 'mrn-1' }],
    name: [{ family: 'Roe', given: ['Jane'] }],
    birthDate: '1980-01-01',
    ...more,
  });
const buildCondition = (id: string, more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Condition',
    id,
    code: { text: 'Gout' },
    subject: { reference: 'Patient/p1' },
    ...more,
  });

/** One sync: how it ended, what of the record was asked for, and what is stored. */
async function synchronize(source: string, { id: patientId }: TestPatient) {
  const { status } = await call(service, `${base}/${source}/sync`, { token: admin, json: { patientId } });
  await waitUntilIdle();
  const { body } = await call(service, `${base}/${source}/syncs?patientId=${patientId}`, { token: admin });
  const rows = await service.store.db.query(
    sql<{
      name: string;
    }>`select resource_type || '/' || source_id as name from resource where patient_id = ${patientId} order by 1`,
  );
  return {
    status,
    sync: body.results[0] as { state: string; code: string | null; batchId: string } | undefined,
    stored: rows.map(({ name }) => name),
  };
}

describe('a test patient', () => {
  it('gets nothing of a server of real patients, and a real one nothing of a server for tests (case 78)', async () => {
    for (const isReal of [false, true]) {
      const patient = await createJane({ isReal });
      const source = await connect({ servesTestPatients: isReal });
      ehr.resources = [buildPatient(), buildCondition('c')];
      const { status, stored } = await synchronize(source, patient);
      assert.deepEqual([status, stored, ehr.requests], [403, [], []], String(isReal));
      await call(service, `${base}/${source}/sync`, { method: 'POST', token: admin });
      await waitUntilIdle();
      assert.deepEqual(ehr.requests, []);
      const { body } = await call(service, `/v1/patients/${patient.id}/sources`, { token: patient.token });
      assert.deepEqual(
        body.results.filter(({ sourceId }: { sourceId: string }) => sourceId === source),
        [],
      );
      connected.pop();
      await call(service, `${base}/${source}`, { method: 'DELETE', token: admin });
    }
  });

  it('is served by nothing unless a source says so, which every answer shows (case 78)', async () => {
    const json = { name: 'Plain', baseUrl: ehr.base, matching: { by: 'id' } };
    const { body } = await call(service, base, { token: admin, json });
    connected.push(body.id as string);
    assert.equal(body.servesTestPatients, false);
    const changed = await call(service, `${base}/${body.id as string}`, {
      method: 'PATCH',
      token: admin,
      json: { servesTestPatients: true },
    });
    assert.equal(changed.body.servesTestPatients, true);
    assert.equal(
      (await call(service, `${base}/${body.id as string}`, { token: admin })).body.servesTestPatients,
      true,
    );
  });

  it('does not get a patient or a resource that is not tagged HTEST; each is reported (case 79)', async () => {
    const source = await connect();
    const patient = await createJane();
    ehr.resources = [buildPatient(REAL), buildCondition('c')];
    const real = await synchronize(source, patient);
    assert.deepEqual([real.sync?.state, real.sync?.code, real.stored], ['no_match', 'not_test_data', []]);
    assert.ok(!ehr.requests.some((asked) => asked.includes('$everything')));
    const other = { meta: { tag: [{ system: 'urn:other', code: 'HTEST' }] } };
    ehr.resources = [
      buildPatient(),
      buildCondition('tagged'),
      buildCondition('real', REAL),
      buildCondition('other', other),
    ];
    const mixed = await synchronize(source, patient);
    assert.deepEqual(mixed.stored, ['Condition/tagged', 'Patient/p1']);
    const batch = await waitForBatch(service, patient, mixed.sync?.batchId as string);
    assert.deepEqual(
      [batch.status, batch.rejected.map(({ code }: { code: string }) => code)],
      ['completed_with_errors', ['not_test_data', 'not_test_data']],
    );
  });
});

describe('what a server sends for a test patient', () => {
  const codeHiv = (code: string, text: string): object => ({
    code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }], text },
  });
  const HIV = codeHiv('Z21', 'Fetched HIV');
  const UPLOADED = codeHiv('B20', 'Uploaded HIV');

  it('is never made up: its restricted classes count, while those of an upload do not (case 83)', async () => {
    const patient = await createJane();
    const read = async (): Promise<string[]> => {
      const texts = [
        getToolText(await callTool(service, patient, 'get_conditions')),
        JSON.stringify((await getEverything(service, { id: patient.id, token: admin })).body),
        JSON.stringify((await getEverything(service, patient)).body),
        JSON.stringify((await call(service, '/FHIR/R4/Condition/fetched', { token: admin })).body),
      ];
      return texts.map((text) => [...new Set(text.match(/(?:Fetched|Uploaded) HIV|Gout/g))].sort().join());
    };
    const own = { resourceType: 'Condition', id: 'own', ...UPLOADED };
    await upload(service, patient, await createArchive({ 'own.json': own }));
    const before = await read();
    assert.deepEqual(before.slice(0, 3), ['Uploaded HIV', 'Uploaded HIV', 'Uploaded HIV']);
    const source = await connect();
    ehr.resources = [buildPatient(), buildCondition('fetched', HIV), buildCondition('plain')];
    assert.equal((await synchronize(source, patient)).sync?.state, 'up_to_date');
    assert.deepEqual(await read(), ['Gout,Uploaded HIV', 'Gout,Uploaded HIV', 'Gout,Uploaded HIV', '']);
    await decide(service, patient, 'OPTED_IN', {
      consentDataSensitivityScopes: ['NORMAL', 'HIV_OR_STI'],
    });
    await waitUntilIdle();
    const all = 'Fetched HIV,Gout,Uploaded HIV';
    assert.deepEqual(await read(), [all, all, 'Gout,Uploaded HIV', 'Fetched HIV']);
  });

  it('case 560: is left out of page, search and download by the password as it is by the own token', async () => {
    const patient = await createJane();
    await upload(
      service,
      patient,
      await createArchive({ 'own.json': { resourceType: 'Condition', id: 'own', ...UPLOADED } }),
    );
    const source = await connect();
    const reason = { reference: 'Condition/fetched', display: 'His illness' };
    ehr.resources = [
      buildPatient(),
      buildCondition('fetched', HIV),
      buildCondition('plain'),
      JSON.stringify({
        resourceType: 'Procedure',
        id: 'done',
        status: 'completed',
        code: { text: 'Visit' },
        subject: { reference: 'Patient/p1' },
        reasonReference: [reason],
      }),
      JSON.stringify({
        resourceType: 'FamilyMemberHistory',
        id: 'mother',
        status: 'completed',
        patient: { reference: 'Patient/p1' },
        relationship: { text: 'mother' },
        condition: [HIV],
      }),
    ];
    assert.equal((await synchronize(source, patient)).sync?.state, 'up_to_date');
    const person = createTestBrowser(service);
    const { email, password } = patient;
    assert.equal((await person.post('/account/sign-in', { email, password })).status, 200);
    const texts = [
      JSON.stringify((await person.get('/account/record/facts?category=DIAGNOSES')).body),
      JSON.stringify((await person.get('/account/record/facts?category=PROCEDURES')).body),
      JSON.stringify((await person.get('/account/record/facts?category=FAMILY_HISTORY')).body),
      JSON.stringify((await person.post('/account/record/search', { query: 'HIV' })).body),
    ];
    const archive = await downloadArchive(service, person);
    const record = [...archive].filter(([name]) => !/^(?:README|profile|access-log)/.test(name));
    texts.push(record.map(([, bytes]) => bytes.toString()).join('\n'));
    for (const text of texts) assert.doesNotMatch(text, /Fetched HIV|His illness/);
    assert.deepEqual(
      texts.map((text) => /Uploaded HIV/.test(text)),
      [true, false, false, true, true],
    );
    const own = await getEverything(service, patient);
    const shown = own.body.entry.map(
      ({ resource }: { resource: { resourceType: string } }) => resource.resourceType,
    );
    assert.deepEqual(shown.toSorted(), ['Condition', 'Condition', 'Patient', 'Person', 'Procedure']);
    assert.deepEqual(
      record.map(([name]) => name).filter((name) => !name.startsWith('consents/')),
      ['record/Condition.ndjson', 'record/Patient.ndjson', 'record/Procedure.ndjson'],
    );
  });
});

describe('an external id of somebody else', () => {
  const OTHER_NAME = { name: [{ family: 'Doe' }] };
  const CASES: Record<string, [matching: object, more: object, wanted: [string, string | null]]> = {
    'the same name and birth date': [{ by: 'identifier', system: 'urn:mrn' }, {}, ['up_to_date', null]],
    'another birth date': [
      { by: 'identifier', system: 'urn:mrn' },
      { birthDate: '1981-01-01' },
      ['needs_organization_review', 'birth_date_differs'],
    ],
    'another year of birth, without the day': [
      { by: 'identifier', system: 'urn:mrn' },
      { birthDate: '1981' },
      ['needs_organization_review', 'birth_date_differs'],
    ],
    'the same year of birth, without the day': [
      { by: 'identifier', system: 'urn:mrn' },
      { birthDate: '1980' },
      ['up_to_date', null],
    ],
    'no birth date': [
      { by: 'identifier', system: 'urn:mrn' },
      { birthDate: undefined },
      ['up_to_date', null],
    ],
    'another family name': [
      { by: 'identifier', system: 'urn:mrn' },
      OTHER_NAME,
      ['needs_organization_review', 'name_differs'],
    ],
    'no name at all': [
      { by: 'identifier', system: 'urn:mrn' },
      { name: undefined },
      ['needs_organization_review', 'name_differs'],
    ],
    'a former name': [
      { by: 'identifier', system: 'urn:mrn' },
      { name: [{ family: 'Doe' }, { use: 'old', family: 'ROE' }] },
      ['up_to_date', null],
    ],
    'the id of the server, another name': [
      { by: 'id' },
      { id: 'mrn-1', ...OTHER_NAME },
      ['needs_organization_review', 'name_differs'],
    ],
    'an identifier tried before demographics': [
      { by: 'identifier_then_demographics', system: 'urn:mrn', requireEmail: false },
      { birthDate: '1981-01-01' },
      ['needs_organization_review', 'birth_date_differs'],
    ],
  };
  for (const [what, [matching, more, wanted]] of Object.entries(CASES))
    it(`leads to the chart only where name and birth date agree: ${what} (case 80)`, async () => {
      const source = await connect({ matching });
      const patient = await createJane();
      ehr.resources = [buildPatient(more)];
      const { sync, stored } = await synchronize(source, patient);
      assert.deepEqual([sync?.state, sync?.code], wanted);
      assert.equal(stored.length, wanted[0] === 'up_to_date' ? 1 : 0);
      if (wanted[0] === 'up_to_date') return;
      assert.ok(!ehr.requests.some((asked) => asked.includes('$everything')));
      const text = getToolText(await callTool(service, patient, 'update_and_check_recent_records'));
      assert.match(text, /waits for the organization to check who the patient is there/);
      const { body } = await call(service, `/v1/patients/${patient.id}/sources`, { token: patient.token });
      const shown = body.results.find(({ sourceId }: { sourceId: string }) => sourceId === source);
      assert.deepEqual([shown.state, shown.code], wanted);
    });

  it('is let pass by the e-mail address that a real patient confirmed, whatever the family name (case 80)', async () => {
    for (const isReal of [true, false]) {
      const source = await connect({ servesTestPatients: !isReal });
      const patient = await createJane({ isReal });
      const telecom = [{ system: 'email', value: patient.email }];
      ehr.resources = [buildPatient({ ...OTHER_NAME, telecom })];
      const { sync } = await synchronize(source, patient);
      assert.equal(sync?.state, isReal ? 'up_to_date' : 'needs_organization_review');
      connected.pop();
      await call(service, `${base}/${source}`, { method: 'DELETE', token: admin });
    }
  });

  it('is noticed later too: the patient at the server changed, or the external id was corrected (case 81)', async () => {
    const source = await connect();
    const patient = await createJane();
    ehr.resources = [buildPatient()];
    assert.equal((await synchronize(source, patient)).sync?.state, 'up_to_date');
    ehr.resources = [buildPatient({ birthDate: '1999-09-09', ...OTHER_NAME }), buildCondition('theirs')];
    const changed = await synchronize(source, patient);
    assert.deepEqual([changed.sync?.state, changed.stored], ['needs_organization_review', ['Patient/p1']]);
    const identifier = [{ system: 'urn:mrn', value: 'mrn-2' }];
    ehr.resources = [buildPatient(), buildPatient({ id: 'p2', identifier }), buildCondition('theirs')];
    assert.equal((await synchronize(source, patient)).sync?.state, 'up_to_date');
    await service.store.db.query(
      sql`update enrollment set external_id = 'mrn-2' where patient_id = ${patient.id}`,
    );
    ehr.requests = [];
    assert.equal((await synchronize(source, patient)).sync?.state, 'up_to_date');
    assert.ok(ehr.requests.some((asked) => asked.startsWith('GET /Patient/p2/$everything')));
    assert.ok(!ehr.requests.some((asked) => asked.startsWith('GET /Patient/p1/$everything')));
  });

  it('does not come by a link between two charts of different people (case 82)', async () => {
    const source = await connect();
    const patient = await createJane();
    const link = [{ other: { reference: 'Patient/p2' }, type: 'seealso' }];
    const other = buildPatient({
      id: 'p2',
      birthDate: '1999-09-09',
      identifier: [],
      subject: { reference: 'Patient/p1' },
    });
    ehr.resources = [buildPatient({ link }), other, buildCondition('c')];
    const { sync, stored } = await synchronize(source, patient);
    assert.deepEqual([sync?.state, sync?.code, stored], ['failed', 'wrong_patient', []]);
  });
});
