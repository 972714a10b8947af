import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseJsonBody } from './fhir-client.ts';
import { SOURCE_LIMITS } from './limits.ts';
import { describePatient } from './own-patient.ts';
import { readPageFacts, type ExpectedPatient, type PageFacts } from './page-facts.ts';
import { createFetchedPages, fetchPages } from './paging.ts';

let folder: string;
before(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'chartgate-page-'));
});
after(() => fs.rm(folder, { recursive: true, force: true }));

const BASE = 'https://ehr.example/fhir';
const OWN = describePatient(BASE, {
  id: 'own',
  aliases: ['former'],
  resource: {
    resourceType: 'Patient',
    id: 'own',
    name: [{ family: 'Keller', given: ['Maria', 'Anna'] }],
    identifier: [{ system: 'urn:mrn', value: '7' }],
    birthDate: '1980-05-06',
  },
});
const EXPECTED: ExpectedPatient = { type: 'Patient', own: OWN, collect: true };

async function readPage(text: string): Promise<PageFacts> {
  const file = path.join(folder, 'page.json');
  await fs.writeFile(file, text);
  return readPageFacts(file, EXPECTED);
}

const readResources = (...resources: readonly object[]): Promise<PageFacts> =>
  readPage(JSON.stringify(toBundle(resources)));

const toBundle = (resources: readonly object[]): object => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
});

const finding = (patient: string): object => ({
  resourceType: 'Condition',
  subject: { reference: `Patient/${patient}` },
});

describe('case 326: a page of a source that holds something of another patient', () => {
  it('is refused where that lies in a Bundle within the page, which the import opens', async () => {
    assert.equal((await readResources(toBundle([finding('own'), finding('former')]))).fault, null);
    assert.equal((await readResources(finding('own'), toBundle([finding('other')]))).fault, 'wrong_patient');
    const stranger = { resourceType: 'Patient', id: 'other' };
    assert.equal((await readResources(toBundle([stranger]))).fault, 'wrong_patient');
  });

  it('is refused where a Bundle within the page says its entries twice', async () => {
    const inner = JSON.stringify({ resource: finding('other') });
    const twice = `{"resourceType":"Bundle","type":"collection","entry":[${inner}],"entry":[]}`;
    const page = `{"resourceType":"Bundle","entry":[{"resource":${twice}}]}`;
    assert.equal((await readPage(page)).fault, 'wrong_patient');
  });

  it('is refused where only those who come to an appointment, are in a group or answer say whose it is', async () => {
    const name = (patient: string): object[] => [
      { resourceType: 'Appointment', participant: [{ actor: { reference: `Patient/${patient}` } }] },
      { resourceType: 'AppointmentResponse', actor: { reference: `Patient/${patient}` } },
      { resourceType: 'Group', member: [{ entity: { reference: `Patient/${patient}` } }] },
      { resourceType: 'Person', link: [{ target: { reference: `Patient/${patient}` } }] },
    ];
    assert.equal((await readResources(...name('own'))).fault, null);
    for (const resource of name('other'))
      assert.equal((await readResources(resource)).fault, 'wrong_patient', JSON.stringify(resource));
    const both = [{ actor: { reference: 'Patient/other' } }, { actor: { reference: 'Patient/own' } }];
    assert.equal((await readResources({ resourceType: 'Appointment', participant: both })).fault, null);
  });
});

describe('whose a page of a source is', () => {
  const about = (subject: unknown, more: object = {}): object => ({
    resourceType: 'Observation',
    id: 'o',
    subject,
    ...more,
  });
  const patient = { resourceType: 'Patient', id: 'own' };
  const UUID = 'urn:uuid:11111111-1111-4111-8111-111111111111';
  const contained = (more: object): object =>
    about({ reference: '#p' }, { contained: [{ resourceType: 'Patient', id: 'p', ...more }] });

  it('is the patient’s by every way in which a server may write it', async () => {
    for (const resource of [
      about({ reference: 'Patient/own/_history/1' }),
      about({ reference: `${BASE}/Patient/own` }),
      about({ reference: 'http://ehr.example/fhir/Patient/own/_history/3' }),
      about({ reference: 'Patient?identifier=urn:mrn|7' }),
      about({ reference: 'Patient?identifier=urn%3Amrn%7C7' }),
      about({ identifier: { system: 'urn:mrn', value: '7' }, display: 'whoever' }),
      about({ type: 'Patient', identifier: { system: 'urn:other', value: '1' }, display: 'KELLER, MARIA' }),
      about({ display: 'Maria Keller' }),
      contained({ name: [{ text: 'Maria A. Keller' }], birthDate: '1980' }),
      contained({ identifier: [{ system: 'urn:mrn', value: '7' }] }),
      about({ reference: 'Device/other' }),
      about({ reference: 'https://elsewhere.example/fhir/Location/2' }),
      about({
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' },
        ],
      }),
      about(undefined),
      {
        resourceType: 'Parameters',
        parameter: [{ name: 'x', part: [{ name: 'y', resource: finding('own') }] }],
      },
      {
        resourceType: 'Appointment',
        participant: [
          { actor: { identifier: { value: 'npi' } } },
          { actor: { reference: 'Practitioner/1' } },
        ],
      },
    ])
      assert.equal((await readResources(patient, resource)).fault, null, JSON.stringify(resource));
  });

  it('is another’s where it cannot be read as the patient’s own', async () => {
    for (const resource of [
      about({ reference: 'Patient?identifier=urn:mrn|8' }),
      about({ type: 'Patient', identifier: { system: 'urn:mrn', value: '8' }, display: 'Maria Keller' }),
      about({ identifier: { system: 'urn:x', value: '999' } }),
      about({ identifier: { system: 'urn:x', value: '999' }, display: 'Somebody Else' }),
      about({ display: 'Somebody Else' }),
      about({ reference: UUID }),
      about({ reference: 'urn:oid:1.2.3' }),
      about({ reference: 'https://other.example/fhir/Patient/own' }),
      about({ reference: 'https://ehr.example/other-tenant/fhir/Patient/own' }),
      about({ reference: '/Patient/own' }),
      about({ reference: 'patient/own' }),
      about({ reference: 'Patient/other/' }),
      about({ reference: 'Patient/other?x=1' }),
      about({ reference: 'Patient/other#x' }),
      about({ reference: 'Group/1' }),
      about({ reference: '#missing' }),
      about({ reference: 5 }),
      contained({ name: [{ family: 'Else', given: ['Somebody'] }] }),
      contained({ name: [{ family: 'Keller', given: ['Maria'] }], birthDate: '1950-01-01' }),
      contained({}),
      { ...finding('own'), contained: [{ ...finding('other'), id: 'c' }] },
      { resourceType: 'Parameters', parameter: [{ name: 'x', resource: finding('other') }] },
      {
        resourceType: 'Parameters',
        parameter: [{ name: 'x', part: [{ name: 'y', resource: { resourceType: 'Patient', id: 'other' } }] }],
      },
      { resourceType: 'Parameters', parameter: [{ name: 'x', resource: toBundle([finding('other')]) }] },
    ])
      assert.equal((await readResources(patient, resource)).fault, 'wrong_patient', JSON.stringify(resource));
  });

  it('is whose an entry of the page says, where only its fullUrl explains the reference', async () => {
    const inner = 'http://internal:8080/fhir/Patient/own';
    const page = (fullUrl: string, resource: object, reference: string): Promise<PageFacts> =>
      readPage(
        JSON.stringify({
          resourceType: 'Bundle',
          entry: [{ resource: about({ reference }) }, { fullUrl, resource }],
        }),
      );
    assert.equal((await page(UUID.toUpperCase().replace('URN:UUID', 'urn:uuid'), patient, UUID)).fault, null);
    assert.equal((await page(UUID, { resourceType: 'Device', id: 'd' }, UUID)).fault, null);
    const named = await page(inner, patient, `${inner}/_history/2`);
    assert.deepEqual([named.fault, named.ownNames], [null, [inner]]);
    assert.equal((await page('http://internal:8080/fhir/Patient/x', patient, inner)).fault, 'wrong_patient');
    assert.equal((await page(UUID, { resourceType: 'Group', id: 'g' }, UUID)).fault, 'wrong_patient');
  });
});

describe('what a page says of its completeness', () => {
  it('is that something may be missing, where an issue says so, and not where something is left out on purpose', async () => {
    const outcome = (severity: string, code: string): object => ({
      resourceType: 'OperationOutcome',
      issue: [{ severity, code }],
    });
    const read = async (...of: [string, string]) => {
      const { fault, isIncomplete } = await readResources(finding('own'), outcome(...of));
      return fault ?? isIncomplete;
    };
    assert.equal(await read('warning', 'incomplete'), true);
    assert.equal(await read('warning', 'throttled'), true);
    assert.equal(await read('warning', 'suppressed'), false);
    assert.equal(await read('information', 'incomplete'), false);
    assert.equal(await read('error', 'incomplete'), 'operation_outcome');
  });

  it('counts matches apart from what is included beside them', async () => {
    const modes = ['match', 'include', undefined];
    const entry = modes.map((mode) => ({ resource: finding('own'), ...(mode && { search: { mode } }) }));
    const { resources, matches } = await readPage(JSON.stringify({ resourceType: 'Bundle', entry }));
    assert.deepEqual([resources, matches], [3, 2]);
  });
});

describe('case 327: a page of a source that names more than is ever fetched', () => {
  it('passes on as many names as are fetched at most, and no long text', async () => {
    const performer = Array.from({ length: SOURCE_LIMITS.referred + 10 }, (_, index) => ({
      reference: `Organization/${index}`,
    }));
    const page = {
      ...toBundle([{ ...finding('own'), performer }]),
      meta: { lastUpdated: 'x'.repeat(100_000) },
    };
    const facts = await readPage(JSON.stringify(page));
    assert.equal(facts.fault, null);
    assert.equal(facts.referred.length, SOURCE_LIMITS.referred);
    assert.equal(facts.lastUpdated?.length, 100);
  });

  it('is not read where its link is longer than any server takes, or a description has too many values', async () => {
    const text = (link: string): string =>
      JSON.stringify({ ...toBundle([finding('own')]), link: [{ relation: 'next', url: link }] });
    const base = BASE;
    const fetchFrom = (link: string): Promise<unknown> => {
      const body = Buffer.from(text(link));
      const response = { status: 200, headers: {}, body };
      const client = { base, get: async () => response, post: async () => response };
      const inspector = { inspect: async () => readPage(text(link)), [Symbol.asyncDispose]: async () => {} };
      const clock = { now: () => new Date() };
      const { signal } = new AbortController();
      const deps = { client, inspector, limits: SOURCE_LIMITS, folder, expected: EXPECTED, clock, signal };
      return fetchPages(deps, '/Condition', createFetchedPages());
    };
    await assert.rejects(fetchFrom(`${base}/Condition?page=${'x'.repeat(9000)}`), {
      code: 'answer_too_large',
    });
    await assert.rejects(fetchFrom(`${base}/Condition?page=${'x'.repeat(4000)}`), { code: 'endless_paging' });
    const parse = (values: number) =>
      parseJsonBody({ status: 200, headers: {}, body: Buffer.from(`{"rest":[${'{},'.repeat(values)}{}]}`) });
    assert.throws(() => parse(600_000), { code: 'answer_too_large' });
    assert.ok(parse(1000)['rest']);
  });
});
