import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createArchive, createBundle } from '../harness/archive.ts';
import { newAskedPatient, sendFiles } from '../harness/asked-patient.ts';
import { getEverything, listReferences, type Bundle } from '../harness/fhir.ts';
import {
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const NOTES_ALONE = {
  consentDataResourceScopes: ['CLINICAL_NOTES'],
  consentDataSensitivityScopes: ['NORMAL'],
};

const createObservation = (id: string, code: string): object => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }],
    },
  ],
  code: { coding: [{ system: 'http://loinc.org', code }] },
});
const HIV = JSON.stringify(createObservation('hiv', '75622-1'));
const GLUCOSE = JSON.stringify(createObservation('glucose', '2345-7'));

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const base64 = (content: string | Buffer): Buffer => Buffer.from(Buffer.from(content).toString('base64'));

/** Ways to hand in the same two results. */
const FILES: Readonly<Record<string, Buffer>> = {
  'lines.ndjson': utf16(`${HIV}\n${GLUCOSE}`),
  'lines.txt': utf16(`${HIV}\n${GLUCOSE}`),
  'list.dat': base64(`[${HIV},${GLUCOSE}]`),
  'packed.txt': base64(gzipSync(`[${HIV},${GLUCOSE}]`)),
};

const letter = (id: string, contentType: string, content: string): object => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  content: [{ attachment: { contentType, data: base64(content).toString() } }],
});

describe('FHIR that is written so that it may pass for a note', () => {
  let service: TestService;
  let partner: string;
  before(async () => {
    service = await startTestService();
    partner = await getOrganizationToken(service);
  });
  after(() => service.stop());

  async function newSharingPatient(scopes: object): Promise<TestPatient> {
    const patient = await newTestPatient(service);
    assert.equal((await decide(service, patient, 'OPTED_IN', scopes)).status, 201);
    return patient;
  }

  /** What the organization reads beside the person. */
  async function readReferences({ id }: TestPatient): Promise<string[]> {
    const { body } = await getEverything(service, { id, token: partner });
    return listReferences([body as Bundle]).filter((reference) => !reference.startsWith('Person/'));
  }

  for (const [name, bytes] of Object.entries(FILES))
    it(`case 386: needs the consent to its categories and classes, whatever it is: ${name}`, async () => {
      const patient = await newSharingPatient(NOTES_ALONE);
      const batch = await upload(service, patient, await createArchive({ [name]: bytes }));
      assert.deepEqual([batch.status, batch.rejected], ['completed', []]);
      assert.deepEqual(await readReferences(patient), []);
      await decide(service, patient, 'OPTED_IN', { ...NOTES_ALONE, consentDataResourceScopes: ['LABS'] });
      assert.deepEqual(await readReferences(patient), ['Observation/glucose']);
    });

  it('case 386: is no note with other words around it either, and the file is reported', async () => {
    const patient = await newSharingPatient(NOTES_ALONE);
    const contents = { 'curl.txt': `HTTP/1.1 200 OK\r\n\r\n${HIV}`, 'string.json': JSON.stringify(HIV) };
    const batch = await upload(service, patient, await createArchive(contents));
    assert.deepEqual(
      batch.rejected.map(({ path, code }: { path: string; code: string }) => [path, code]),
      Object.keys(contents).map((path) => [path, 'unsupported_kind']),
    );
    assert.deepEqual(await readReferences(patient), []);
  });

  it('case 387: names the person whose it is', async () => {
    const peter = JSON.stringify({
      resourceType: 'Patient',
      id: 'p',
      name: [{ family: 'Smith', given: ['Peter'] }],
      birthDate: '1950-02-03',
    });
    for (const bytes of [utf16(`${peter}\n${HIV}`), base64(`[${peter}]`), base64(gzipSync(utf16(peter)))]) {
      const patient = await newAskedPatient(service);
      const { status } = await sendFiles(service, patient, { 'x.ndjson': bytes });
      assert.equal(status, 'needs_confirmation');
    }
  });

  it('case 388: requires its categories and classes where it is attached to a note', async () => {
    const patient = await newSharingPatient(NOTES_ALONE);
    const notes = createBundle(
      letter('two-lines', 'text/plain', `${HIV}\n${HIV}`),
      letter('words', 'text/plain', `Result:\n${HIV}`),
      letter('labs', 'application/fhir+json', JSON.stringify(createBundle(JSON.parse(GLUCOSE) as object))),
      letter('cut-off', 'text/plain', GLUCOSE.slice(0, -10)),
      letter('table', 'text/csv', 'code,value\n75622-1,negative\n'),
      letter('knee', 'text/plain', 'The knee is well.'),
    );
    const batch = await upload(service, patient, await createArchive({ 'a.json': notes }));
    assert.equal(batch.status, 'completed_with_errors');
    assert.deepEqual(await readReferences(patient), ['DocumentReference/knee']);
    await decide(service, patient, 'OPTED_IN', {
      ...NOTES_ALONE,
      consentDataResourceScopes: ['CLINICAL_NOTES', 'LABS'],
    });
    assert.deepEqual((await readReferences(patient)).toSorted(), [
      'DocumentReference/knee',
      'DocumentReference/labs',
    ]);
  });

  it('case 385: is the same facts, whatever it is written in', async () => {
    const patient = await newTestPatient(service);
    await upload(service, patient, await createArchive(FILES));
    assert.deepEqual((await readReferences(patient)).toSorted(), ['Observation/glucose', 'Observation/hiv']);
  });
});
