import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { PatientId } from '../../contract/brands.ts';
import { convertDocument, recognizeDocument } from '../../documents/convert-document.ts';
import { DocumentError, type Conversion } from '../../documents/converter.ts';
import { converters } from '../../documents/converters.ts';
import { buildDocumentReference } from '../../documents/document-reference.ts';
import { buildCapabilityStatement } from '../../server/surfaces/fhir/capability-statement.ts';
import { buildPersonResource, getRecordBase } from '../../server/surfaces/fhir/person.ts';
import { generateRecord } from '../../tools/synthetic-record/generate-record.ts';
import { DATA_FOLDER, readZipFiles } from '../data/sample-data.ts';
import { buildCcdaDocument } from '../harness/ccda-document.ts';
import { EVERY_SECTION } from '../harness/every-section.ts';
import { isLong } from '../harness/long.ts';
import { getFhirValidator } from '../harness/validate-fhir.ts';

/** What C-CDA is read into. */
const EXPECTED_TYPES = [
  'AllergyIntolerance',
  'CareTeam',
  'Condition',
  'Coverage',
  'Device',
  'DeviceUseStatement',
  'DiagnosticReport',
  'DocumentReference',
  'Encounter',
  'FamilyMemberHistory',
  'Goal',
  'Immunization',
  'MedicationDispense',
  'MedicationRequest',
  'MedicationStatement',
  'Observation',
  'Organization',
  'Patient',
  'Practitioner',
  'Procedure',
  'Provenance',
  'ServiceRequest',
];

const DOCUMENT_ID = '11111111-1111-8111-8111-111111111111';

const HEADER = `<effectiveTime value="20240102"/><languageCode code="en-US"/><author><time value="20240102"/><assignedAuthor>
  <id root="1.2.11"/><assignedAuthoringDevice><softwareName>Scribe</softwareName></assignedAuthoringDevice></assignedAuthor></author>
  <legalAuthenticator><time value="20240102"/><signatureCode code="S"/><assignedEntity><id root="1.2.11"/><assignedAuthoringDevice>
  <softwareName>Scribe</softwareName></assignedAuthoringDevice></assignedEntity></legalAuthenticator>`;

const convert = (text: string, path: string): Promise<Conversion> =>
  convertDocument(converters, { bytes: Buffer.from(text), path, documentId: DOCUMENT_ID });

/** What the validators have against the resources, each line with the position and the type. */
const listFaults = ({ resources }: Conversion, path = ''): string[] =>
  resources.flatMap(({ text, position }) => {
    const resource = JSON.parse(text) as { resourceType: string };
    return getFhirValidator()
      .findFaults(resource)
      .map((fault) => `${path} ${position} ${resource.resourceType}: ${fault}`);
  });

describe('a resource that is made of a document', () => {
  it('is valid R4 in every kind of section of a C-CDA document, whoever is its author', async () => {
    const conversion = await convert(
      buildCcdaDocument({ header: HEADER, sections: EVERY_SECTION.join('') }),
      'ccd.xml',
    );
    const types = new Set(
      conversion.resources.map(({ text }) => (JSON.parse(text) as { resourceType: string }).resourceType),
    );
    assert.deepEqual(
      EXPECTED_TYPES.filter((type) => !types.has(type)),
      [],
    );
    assert.deepEqual(listFaults(conversion), []);
  });

  it('is valid R4, with the subject that it must have, where a section comes without a header', async () => {
    for (const section of EVERY_SECTION) {
      const conversion = await convert(section.replace('>', ' xmlns="urn:hl7-org:v3">'), 'section.xml');
      assert.ok(conversion.resources.length > 0, section);
      assert.deepEqual(listFaults(conversion, section.slice(0, 40)), []);
    }
  });

  it('is valid R4 where it is all of a text', async () => {
    const created = { kind: 'PDF', contentType: 'application/pdf', title: 'Scan', created: '2024-01-02' };
    const document = { bytes: Buffer.of(), path: 'scan.pdf', documentId: DOCUMENT_ID };
    for (const conversion of [
      await convert('Seen today.', 'note.txt'),
      await convert('<html><body><p>Seen today.</p></body></html>', 'note.html'),
      await convert('{\\rtf1 Seen today.}', ''),
      buildDocumentReference(document, { ...created, text: '' }),
      buildDocumentReference(document, { ...created, text: 'Seen today.' }),
    ])
      assert.deepEqual(listFaults(conversion), []);
  });
});

describe('a resource that the service makes itself', () => {
  const { findFaults } = getFhirValidator();

  it('is valid R4 in a synthetic record', () => {
    for (const resource of generateRecord({ seed: 15, years: 3, endsOn: '2026-11-20' }))
      assert.deepEqual(findFaults(JSON.parse(JSON.stringify(resource)) as typeof resource), []);
  });

  it('is valid R4 as the Person of a record, however little is known of them', () => {
    for (const known of [
      { first_name: 'Ada', last_name: 'Lovelace', date_of_birth: '1815-12-10', demographics: true },
      { first_name: null, last_name: 'Lovelace', date_of_birth: null, demographics: true },
      { first_name: null, last_name: null, date_of_birth: null, demographics: true },
      { first_name: 'Ada', last_name: 'Lovelace', date_of_birth: '1815-12-10', demographics: false },
    ]) {
      const person = buildPersonResource({
        ...known,
        patientId: DOCUMENT_ID as PatientId,
        changedAt: null,
        created_at: new Date(),
        patients: [{ fhir_id: 'p', body: null, last_updated: new Date() }],
        recordBase: getRecordBase('https://records.example', DOCUMENT_ID as PatientId),
      });
      assert.deepEqual(findFaults(person as { resourceType: string }), []);
    }
  });

  it('is valid R4 as the CapabilityStatement', () => {
    const statement = buildCapabilityStatement('https://records.example');
    assert.deepEqual(findFaults(statement as { resourceType: string }), []);
  });
});

describe('the validators', () => {
  const valid = {
    resourceType: 'Observation',
    id: 'a',
    status: 'final',
    code: { text: 'Glucose' },
    subject: { reference: 'Patient/p' },
    effectiveDateTime: '2024-01-02',
    valueQuantity: { value: 5 },
  };

  it('have nothing against a good resource', () => {
    assert.deepEqual(getFhirValidator().findFaults(valid), []);
  });

  for (const [what, change] of Object.entries({
    'an element that is missing': { code: undefined },
    'an element that R4 does not have': { colour: 'red' },
    'a list where there is one value': { code: [{ text: 'Glucose' }] },
    'a code outside of a required binding': { status: 'finished' },
    'a date that is none': { effectiveDateTime: '2024-13-01T' },
    'a number as a text': { valueQuantity: { value: '5' } },
    'a text that is empty': { code: { text: '' } },
    'a reference to a type that the element forbids': { subject: { reference: 'Practitioner/p' } },
    'an invariant that is broken (obs-6)': { dataAbsentReason: { text: 'unknown' } },
    'an id that is none': { id: 'a b' },
  }))
    it(`find ${what}`, () => {
      const broken = JSON.parse(JSON.stringify({ ...valid, ...change })) as typeof valid;
      assert.notDeepEqual(getFhirValidator().findFaults(broken), []);
    });
});

const published =
  isLong && existsSync(DATA_FOLDER) ? globSync('{archives,ccda,docs,edge}/*.zip', { cwd: DATA_FOLDER }) : [];

describe(
  'the published documents',
  { skip: isLong ? false : 'npm run test:long; C-CDA is in published-ccda.test.ts' },
  () => {
    for (const archive of published.sort())
      it(`become valid R4: ${archive}`, async () => {
        for (const { path, bytes } of await readZipFiles(join(DATA_FOLDER, archive))) {
          if (/\.(json|ndjson)$/.test(path)) continue;
          try {
            // FHIR as XML is handed on as it was written, faults and all.
            if (recognizeDocument(bytes, path).kind === 'fhir-xml') continue;
            const conversion = await convertDocument(converters, { bytes, path, documentId: DOCUMENT_ID });
            assert.deepEqual(listFaults(conversion, path), []);
          } catch (error) {
            if (!(error instanceof DocumentError)) throw error;
          }
        }
      });
  },
);
