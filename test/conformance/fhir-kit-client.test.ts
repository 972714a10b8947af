import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'fhir-kit-client';
import { createArchive, createBundle } from '../harness/archive.ts';
import { recordConsentWithout } from '../harness/consent-record.ts';
import { findLink, listReferences, type Bundle } from '../harness/fhir.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newOrganization,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const observe = (id: string, effectiveDateTime?: string): object => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { text: 'Weight' },
  subject: { reference: 'Patient/jane' },
  ...(effectiveDateTime !== undefined && { effectiveDateTime }),
});

/** Three years of care, what lasts through them, and what has no date. */
const RECORD = createBundle(
  { resourceType: 'Patient', id: 'jane', name: [{ family: 'Doe' }], birthDate: '1970-01-01' },
  observe('first', '2014-12-31T23:30:00-08:00'),
  observe('second', '2015-06-01'),
  observe('third', '2016'),
  observe('undated'),
  {
    resourceType: 'Encounter',
    id: 'stay',
    status: 'finished',
    class: { code: 'IMP' },
    period: { start: '2014-12-30', end: '2015-01-02' },
  },
  {
    resourceType: 'Condition',
    id: 'asthma',
    clinicalStatus: { coding: [{ code: 'active' }] },
    subject: { reference: 'Patient/jane' },
    onsetDateTime: '2010-01-01',
  },
);
/** A visit that names a diagnosis, and a Patient with a telephone number. */
const PARTLY_SHARED = createBundle(
  { resourceType: 'Patient', id: 'careful', telecom: [{ system: 'phone', value: '555-0100' }] },
  { resourceType: 'Condition', id: 'asthma', code: { text: 'Asthma' }, onsetDateTime: '2019-01-01' },
  {
    resourceType: 'Encounter',
    id: 'visit',
    status: 'finished',
    class: { code: 'AMB' },
    period: { start: '2020-01-01', end: '2020-01-01' },
    diagnosis: [{ condition: { reference: 'Condition/asthma', display: 'Asthma' } }],
  },
);
const ALL = [
  'Patient/jane',
  'Observation/first',
  'Observation/second',
  'Observation/third',
  'Observation/undated',
  'Encounter/stay',
  'Condition/asthma',
];

/** What fhir-kit-client throws for a refusal. */
interface Failure {
  response: {
    status: number;
    data: { resourceType: string; issue: { code: string; diagnostics: string }[] };
  };
}

async function captureFailure(calling: Promise<unknown>): Promise<string> {
  const error = await calling.then(
    () => assert.fail('was not refused'),
    (caught: unknown) => caught as Failure,
  );
  const { status, data } = error.response;
  assert.equal(data.resourceType, 'OperationOutcome');
  return `${status} ${data.issue.map(({ code, diagnostics }) => `${code} ${diagnostics}`).join('; ')}`;
}

describe('fhir-kit-client', () => {
  let service: TestService;
  let patient: TestPatient;
  let token: string;
  let client: Client;
  before(async () => {
    service = await startTestService();
    patient = await newTestPatient(service);
    token = await getOrganizationToken(service);
    client = createClient(token);
    await upload(service, patient, await createArchive({ 'record.json': RECORD }));
  });
  after(() => service.stop());

  const createClient = (bearerToken: string): Client =>
    new Client({ baseUrl: `${service.baseUrl}/FHIR/R4`, bearerToken });

  type Operation = Omit<Parameters<Client['operation']>[0], 'name'>;

  const invoke = async (options: Operation = {}, by = client): Promise<Bundle> =>
    (await by.operation({
      name: '$everything',
      resourceType: 'Person',
      id: patient.id,
      ...options,
    })) as unknown as Bundle;

  const list = async (input: Record<string, string>, options: Operation = {}): Promise<string[]> =>
    listReferences([await invoke({ method: 'GET', input, ...options })]).filter(
      (name) => !name.startsWith('Person/'),
    );

  it('reads the whole record by its default, a POST without a body', async () => {
    const names = listReferences([await invoke()]);
    assert.deepEqual(names, [`Person/${patient.id}`, ...ALL]);
    assert.deepEqual(listReferences([await invoke({ method: 'GET' })]), names);
    const parameters = { resourceType: 'Parameters' };
    assert.deepEqual(listReferences([await invoke({ input: parameters })]), names);
  });

  it('reads the record by the id of the person or of its Patient, for organization and patient', async () => {
    const names = listReferences([await invoke()]);
    for (const by of [client, createClient(patient.token)])
      for (const id of [patient.id, 'jane'])
        for (const method of ['GET', 'POST'] as const)
          assert.deepEqual(
            listReferences([await invoke({ resourceType: 'Patient', id, method }, by)]),
            names,
            `${method} ${id}`,
          );
  });

  it('limits the record by clinical dates, a day or a year, in the URL or in Parameters', async () => {
    const always = ['Patient/jane', 'Observation/undated', 'Condition/asthma'];
    const select = (...names: string[]): string[] =>
      ALL.filter((name) => [...names, ...always].includes(name));
    const cases: [start: string | null, end: string | null, names: string[]][] = [
      ['2015', null, select('Observation/second', 'Observation/third', 'Encounter/stay')],
      ['2015', '2015', select('Observation/second', 'Encounter/stay')],
      ['2014-12-31', '2014-12-31', select('Observation/first', 'Encounter/stay')],
      ['2015-01-03', '2015-12', select('Observation/second')],
      ['2016-12-31', null, select('Observation/third')],
      [null, '2014-12-31', select('Observation/first', 'Encounter/stay')],
      [null, '2009', select().filter((name) => name !== 'Condition/asthma')],
    ];
    for (const [start, end, names] of cases) {
      const input = { ...(start !== null && { start }), ...(end !== null && { end }) };
      assert.deepEqual(await list(input), names, JSON.stringify(input));
      const parameter = Object.entries(input).map(([name, valueDate]) => ({ name, valueDate }));
      const bundle = await invoke({ input: { resourceType: 'Parameters', parameter } });
      assert.deepEqual(listReferences([bundle]), [`Person/${patient.id}`, ...names]);
      assert.equal(bundle.total, names.length + 1);
    }
    assert.deepEqual(await list({ start: '2015', _type: 'Observation' }), [
      'Observation/second',
      'Observation/third',
      'Observation/undated',
    ]);
  });

  it('follows the links of pages that were begun by POST, with their dates, types and time', async () => {
    const parameter = [
      { name: 'start', valueDate: '2014' },
      { name: 'end', valueDate: '2016-01-01' },
      { name: '_since', valueInstant: '2020-01-01T00:00:00Z' },
      { name: '_type', valueCode: 'Observation' },
      { name: '_type', valueCode: 'Encounter' },
      { name: '_count', valueInteger: 2 },
    ];
    const pages: Bundle[] = [];
    let page: Bundle | undefined = await invoke({
      resourceType: 'Patient',
      id: 'jane',
      input: { resourceType: 'Parameters', parameter },
    });
    while (page) {
      pages.push(page);
      const query: URLSearchParams = new URL(findLink(page, 'self') ?? '').searchParams;
      assert.deepEqual(
        ['start', 'end', '_since', '_type', '_count'].map((name): string | null => query.get(name)),
        ['2014', '2016-01-01', '2020-01-01T00:00:00Z', 'Observation,Encounter', '2'],
      );
      page = (await client.nextPage({ bundle: page as never })) as unknown as Bundle | undefined;
    }
    assert.deepEqual(listReferences(pages), [
      'Observation/first',
      'Observation/second',
      'Observation/third',
      'Observation/undated',
      'Encounter/stay',
    ]);
    assert.deepEqual([...new Set(pages.map(({ total }) => total))], [5]);
  });

  it('learns from the self link what was ignored, and is refused it under strict handling', async () => {
    const input = { _elements: 'id', _summary: 'true', unheard: 'x', _count: '2' };
    const strict = { options: { headers: { prefer: 'handling=strict' } } };
    const parameter = Object.entries(input).map(([name, valueString]) => ({ name, valueString }));
    for (const options of [
      { method: 'GET', input },
      { method: 'POST', input: { resourceType: 'Parameters', parameter } },
    ] as const) {
      const bundle = await invoke(options);
      assert.equal(bundle.entry.length, 2);
      assert.ok(bundle.entry[1]?.resource['birthDate'], 'whole, not its elements');
      const { searchParams } = new URL(findLink(bundle, 'self') ?? '');
      assert.deepEqual([...searchParams.keys()], ['_count', '_offset', '_state', '_counted']);
      assert.match(
        await captureFailure(invoke({ ...options, ...strict })),
        /^400 not-supported _elements: .*; not-supported _summary: .*; not-supported unheard: /,
      );
    }
    assert.equal((await invoke({ method: 'GET', input: { _count: '2' }, ...strict })).entry.length, 2);
  });

  it('is refused a body that is no Parameters, is malformed, or of another type', async () => {
    assert.match(await captureFailure(invoke({ input: { _count: '2' } })), /^400 invalid body: .*Parameters/);
    const url = `/FHIR/R4/Person/${patient.id}/$everything`;
    const post = async (contentType: string, body: string): Promise<string> => {
      const response = await fetch(service.baseUrl + url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
        body,
      });
      const outcome = (await response.json()) as Failure['response']['data'];
      return `${response.status} ${outcome.resourceType} ${outcome.issue[0]?.code}`;
    };
    assert.equal(await post('application/fhir+json', '{'), '400 OperationOutcome invalid');
    assert.equal(await post('application/fhir+xml', '<x/>'), '415 OperationOutcome not-supported');
    const large = `"${'x'.repeat(70_000)}"`;
    assert.equal(await post('application/fhir+json', large), '413 OperationOutcome too-long');
    const untyped = [{ name: 'start', valuePeriod: { start: '2015' } }];
    assert.match(
      await captureFailure(invoke({ input: { resourceType: 'Parameters', parameter: untyped } })),
      /^400 invalid start: /,
    );
  });

  it('is refused whoever does not share in one way, by every id and method', async () => {
    const gone = await newTestPatient(service);
    await upload(
      service,
      gone,
      await createArchive({ 'p.json': createBundle({ resourceType: 'Patient', id: 'gone' }) }),
    );
    await decide(service, gone, 'OPTED_OUT');
    const stranger = createClient(
      await getOrganizationToken(service, 'admin', await newOrganization(service)),
    );
    const outcomes = new Set<string>();
    for (const method of ['GET', 'POST'] as const) {
      for (const id of [gone.id, 'gone', 'nobody', '01999999-0000-7000-8000-000000000000'])
        outcomes.add(await captureFailure(invoke({ resourceType: 'Patient', id, method })));
      for (const id of [patient.id, 'jane'])
        outcomes.add(await captureFailure(invoke({ resourceType: 'Patient', id, method }, stranger)));
      outcomes.add(await captureFailure(invoke({ method }, stranger)));
    }
    assert.deepEqual(
      [...outcomes],
      ['403 forbidden This patient does not exist, or does not share with your organization.'],
    );
    const own = createClient(gone.token);
    for (const id of [patient.id, 'jane', 'nobody'])
      assert.match(
        await captureFailure(invoke({ resourceType: 'Patient', id }, own)),
        /^403 forbidden A patient token/,
      );
  });

  it('is left out of what a consent does, in every way', async () => {
    const careful = await newTestPatient(service);
    await upload(service, careful, await createArchive({ 'record.json': PARTLY_SHARED }));
    await recordConsentWithout(service, careful, 'DIAGNOSES', 'CONTACT_INFO');
    const ways: Operation[] = [
      { method: 'GET' },
      {},
      { input: { resourceType: 'Parameters' } },
      { resourceType: 'Patient' },
      { resourceType: 'Patient', id: 'careful' },
      { input: { resourceType: 'Parameters', parameter: [{ name: 'start', valueDate: '2000' }] } },
    ];
    const answers = await Promise.all(
      ways.map(async (way) => JSON.stringify((await invoke({ id: careful.id, ...way })).entry)),
    );
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0] ?? '', /"Encounter".*"2020-01-01"/);
    assert.doesNotMatch(answers[0] ?? '', /Asthma|asthma|555-0100/);
  });

  it('is asked to name the person where two patients have a Patient of one id, and never given the wrong one', async () => {
    const [one, other] = [await newTestPatient(service), await newTestPatient(service)];
    const archive = async (id: string): Promise<Buffer> =>
      createArchive({ 'p.json': createBundle({ resourceType: 'Patient', id }) });
    for (const each of [one, other]) await upload(service, each, await archive('twin'));
    // A Patient under somebody's id does not take their place.
    await upload(service, other, await archive(one.id));
    const read = (id: string, by = client) => invoke({ resourceType: 'Patient', id }, by);
    assert.match(await captureFailure(read('twin')), /^409 multiple-matches .*Person\/\{patientId\}/);
    assert.equal(listReferences([await read(one.id)])[0], `Person/${one.id}`);
    for (const each of [one, other])
      assert.equal(listReferences([await read('twin', createClient(each.token))])[0], `Person/${each.id}`);
    await decide(service, one, 'OPTED_OUT');
    assert.equal(listReferences([await read('twin')])[0], `Person/${other.id}`);
  });

  it('resolves every reference and every fullUrl of a bundle', async () => {
    const bundle = await invoke({ method: 'GET' });
    for (const { fullUrl, resource } of bundle.entry)
      assert.deepEqual(
        (await call(service, fullUrl.slice(service.baseUrl.length), { token })).body,
        resource,
      );
    const subject = await client.resolve({ reference: 'Patient/jane', context: bundle as never });
    assert.equal((subject as { id?: string }).id, 'jane');
  });
});
