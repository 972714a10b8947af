import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { countFolder, markdownTable, formatCounts } from '../data/ccda-counts.ts';
import { DATA_FOLDER, readZipFiles } from '../data/sample-data.ts';
import { parseUploadedResource } from '../../server/clinical/ingest/readers/fhir-resource.ts';
import { convertCcda } from '../harness/ccda-document.ts';
import { getFhirValidator } from '../harness/validate-fhir.ts';

const skip = existsSync(join(DATA_FOLDER, 'ccda'))
  ? false
  : `the sample data is not here: there is no ${DATA_FOLDER}/ccda`;

/**
 * For each folder, and so for each vendor: the sections, entries and single facts that XPath finds, and the resources
 * they became. A DocumentReference is the note of a section whose entries say nothing, or not all.
 */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  allscripts: [
    'problems: 6 sections, 19 entries, 19 facts: 19 Condition',
    'allergies: 6 sections, 13 entries, 13 facts: 13 AllergyIntolerance',
    'medications: 6 sections, 13 entries, 13 facts: 12 MedicationRequest, 1 MedicationStatement',
    'results: 6 sections, 12 entries, 18 facts: 11 DiagnosticReport, 17 Observation; left out: 1 null_flavored',
    'vital signs: 6 sections, 12 entries, 63 facts: 51 Observation',
    'immunizations: 6 sections, 6 entries, 6 facts: 6 Immunization',
    'procedures: 5 sections, 6 entries, 6 facts: 1 DocumentReference, 1 Procedure; left out: 1 duplicate, 4 null_flavored',
    'encounters: 6 sections, 15 entries, 15 facts: 20 Condition, 1 DocumentReference, 15 Encounter',
    'social history: 6 sections, 12 entries, 12 facts: 12 Observation',
    '11 sections of words alone: 20 notes',
  ],
  'amida-nullflavor-c32': [
    'problems: 4 sections, 10 entries, 11 facts: 9 Condition, 2 DocumentReference; left out: 1 null_flavored',
    'allergies: 4 sections, 12 entries, 12 facts: 12 AllergyIntolerance',
    'medications: 4 sections, 8 entries, 8 facts: 1 DocumentReference, 3 MedicationDispense, 8 MedicationStatement',
    'results: 4 sections, 5 entries, 16 facts: 5 DiagnosticReport, 4 DocumentReference, 16 Observation',
    'vital signs: 4 sections, 8 entries, 26 facts: 3 DocumentReference, 24 Observation',
    'immunizations: 4 sections, 12 entries, 12 facts: 1 DocumentReference, 12 Immunization',
    'procedures: 4 sections, 6 entries, 6 facts: 1 Device, 6 Procedure',
    'encounters: 4 sections, 4 entries, 4 facts: 2 Condition, 1 DocumentReference, 4 Encounter',
    'social history: 4 sections, 11 entries, 11 facts: 1 DocumentReference, 11 Observation',
    '6 sections of words alone: 25 notes',
  ],
  cerner: [
    'problems: 2 sections, 10 entries, 10 facts: 10 Condition',
    'allergies: 1 sections, 2 entries, 2 facts: 2 AllergyIntolerance',
    'medications: 2 sections, 10 entries, 10 facts: 10 MedicationRequest',
    'results: 1 sections, 2 entries, 8 facts: 2 DiagnosticReport, 8 Observation',
    'vital signs: 1 sections, 1 entries, 7 facts: 6 Observation',
    'immunizations: 1 sections, 1 entries, 1 facts: 1 Immunization',
    'procedures: 1 sections, 2 entries, 2 facts: 2 Procedure',
    'encounters: 1 sections, 1 entries, 1 facts: 2 Condition, 1 Encounter',
    'social history: 1 sections, 1 entries, 1 facts: 1 Observation',
    '3 sections of words alone: 3 notes',
  ],
  emerge: [
    'problems: 8 sections, 30 entries, 30 facts: 30 Condition',
    'allergies: 8 sections, 24 entries, 24 facts: 24 AllergyIntolerance',
    'medications: 8 sections, 33 entries, 33 facts: 33 MedicationStatement',
    'results: 8 sections, 25 entries, 52 facts: 25 DiagnosticReport, 52 Observation',
    'vital signs: 8 sections, 30 entries, 82 facts: 58 Observation',
    'immunizations: 8 sections, 15 entries, 15 facts: 14 Immunization; left out: 1 null_flavored',
    'procedures: 8 sections, 42 entries, 42 facts: 5 DocumentReference, 42 Procedure',
    'encounters: 8 sections, 40 entries, 40 facts: 40 Encounter',
    'social history: 8 sections, 8 entries, 8 facts: 8 Observation',
    '0 sections of words alone: 5 notes',
  ],
  greenway: [
    'problems: 3 sections, 14 entries, 14 facts: 14 Condition',
    'allergies: 3 sections, 9 entries, 9 facts: 9 AllergyIntolerance',
    'medications: 3 sections, 7 entries, 7 facts: 6 MedicationRequest, 1 MedicationStatement',
    'results: 3 sections, 12 entries, 12 facts: 12 DiagnosticReport, 12 Observation',
    'vital signs: 3 sections, 7 entries, 35 facts: 3 DocumentReference, 28 Observation',
    'immunizations: 3 sections, 2 entries, 2 facts: 2 Immunization',
    'procedures: 3 sections, 6 entries, 6 facts: 6 Procedure',
    'encounters: 0 sections, 0 entries, 0 facts: nothing',
    'social history: 3 sections, 3 entries, 3 facts: 3 Observation',
    '9 sections of words alone: 12 notes',
  ],
  'hl7-ccda-examples': [
    'problems: 6 sections, 13 entries, 15 facts: 15 Condition, 3 DocumentReference',
    'allergies: 6 sections, 13 entries, 16 facts: 13 AllergyIntolerance',
    'medications: 5 sections, 7 entries, 7 facts: 2 MedicationDispense, 7 MedicationStatement',
    'results: 5 sections, 8 entries, 22 facts: 8 DiagnosticReport, 1 DocumentReference, 22 Observation',
    'vital signs: 6 sections, 10 entries, 43 facts: 1 DocumentReference, 35 Observation',
    'immunizations: 3 sections, 11 entries, 11 facts: 1 DocumentReference, 11 Immunization',
    'procedures: 4 sections, 10 entries, 10 facts: 2 Device, 1 Observation, 10 Procedure',
    'encounters: 1 sections, 1 entries, 1 facts: 1 Encounter',
    'social history: 4 sections, 8 entries, 8 facts: 1 DocumentReference, 8 Observation',
    '45 sections of words alone: 68 notes',
  ],
  'hl7-samples': [
    'problems: 5 sections, 5 entries, 5 facts: 5 Condition',
    'allergies: 6 sections, 18 entries, 18 facts: 18 AllergyIntolerance',
    'medications: 5 sections, 5 entries, 5 facts: 5 MedicationDispense, 5 MedicationStatement',
    'results: 4 sections, 4 entries, 12 facts: 4 DiagnosticReport, 4 DocumentReference, 12 Observation',
    'vital signs: 5 sections, 10 entries, 30 facts: 5 DocumentReference, 30 Observation',
    'immunizations: 4 sections, 16 entries, 16 facts: 16 Immunization',
    'procedures: 4 sections, 12 entries, 12 facts: 4 Device, 12 Procedure',
    'encounters: 1 sections, 1 entries, 1 facts: 1 Encounter',
    'social history: 5 sections, 15 entries, 15 facts: 15 Observation',
    '57 sections of words alone: 81 notes',
  ],
  'kareo-nist-partners': [
    'problems: 4 sections, 8 entries, 8 facts: 7 Condition; left out: 1 null_flavored',
    'allergies: 4 sections, 8 entries, 8 facts: 6 AllergyIntolerance; left out: 2 null_flavored',
    'medications: 4 sections, 6 entries, 6 facts: 1 MedicationDispense, 5 MedicationStatement; left out: 1 null_flavored',
    'results: 4 sections, 56 entries, 58 facts: 55 DiagnosticReport, 1 DocumentReference, 57 Observation; left out: 1 null_flavored',
    'vital signs: 4 sections, 6 entries, 22 facts: 2 DocumentReference, 18 Observation; left out: 1 null_flavored',
    'immunizations: 3 sections, 4 entries, 4 facts: 4 Immunization',
    'procedures: 3 sections, 3 entries, 3 facts: 3 Procedure',
    'encounters: 3 sections, 3 entries, 3 facts: 1 Condition, 1 DocumentReference, 2 Encounter; left out: 1 null_flavored',
    'social history: 4 sections, 6 entries, 6 facts: 5 Observation; left out: 1 null_flavored',
    '6 sections of words alone: 8 notes',
  ],
  'unstructured-and-embedded': [
    'problems: 1 sections, 2 entries, 2 facts: 2 Condition',
    'allergies: 1 sections, 1 entries, 1 facts: 1 AllergyIntolerance',
    'medications: 1 sections, 1 entries, 1 facts: 1 MedicationStatement',
    'results: 1 sections, 0 entries, 0 facts: 1 DocumentReference',
    'vital signs: 1 sections, 0 entries, 0 facts: 1 DocumentReference',
    'immunizations: 1 sections, 1 entries, 1 facts: 1 Immunization',
    'procedures: 1 sections, 0 entries, 0 facts: nothing',
    'encounters: 1 sections, 0 entries, 0 facts: 1 DocumentReference',
    'social history: 1 sections, 2 entries, 2 facts: 2 Observation',
    '12 sections of words alone: 7 notes',
  ],
};

const counted = new Map<string, ReturnType<typeof countFolder>>();

/** Converts and counts the documents of an archive once. */
function countOnce(zip: string): ReturnType<typeof countFolder> {
  const known = counted.get(zip) ?? countFolder(zip);
  counted.set(zip, known);
  return known;
}

const RECORDS_PAGE = join(import.meta.dirname, '../../docs/records.md');
const page = existsSync(RECORDS_PAGE) ? readFileSync(RECORDS_PAGE, 'utf8') : '';
const noTable = page.includes('| entries without a resource |') ? false : 'docs/records.md has no such table';

describe('the published C-CDA documents', { skip }, () => {
  for (const zip of globSync('*.zip', { cwd: join(DATA_FOLDER, 'ccda') }).sort()) {
    it(`become the resources that are counted here: ${zip}`, async () => {
      const { folder, sections, narrative } = await countOnce(zip);
      const found = sections.map(formatCounts);
      found.push(`${narrative.sections} sections of words alone: ${narrative.notes} notes`);
      assert.deepEqual(found, EXPECTED[folder]);
    });

    it(`lose no entry: each is a resource or counted with a reason: ${zip}`, async () => {
      for (const { name, entries, converted, skipped: leftOut } of (await countOnce(zip)).sections) {
        const counted = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
        assert.equal(converted + counted, entries, name);
      }
    });

    it(`are valid R4, with unique ids and references only among themselves: ${zip}`, async () => {
      const { findFaults } = getFhirValidator();
      for (const { path, bytes } of await readZipFiles(join(DATA_FOLDER, 'ccda', zip))) {
        const documentId = '11111111-1111-8111-8111-111111111111';
        const { resources } = await convertCcda({ bytes, path, documentId });
        const ids = resources.map(({ text, position }) => {
          const findings = parseUploadedResource({ path, position, fullUrl: null }, Buffer.from(text));
          const [finding] = findings;
          assert.ok(findings.length === 1 && finding && 'found' in finding, `${path} ${position}`);
          assert.deepEqual(
            findFaults(JSON.parse(text) as { resourceType: string }),
            [],
            `${path} ${position}`,
          );
          const { resourceType, id } = finding.found.resource;
          return `${resourceType}/${String(id)}`;
        });
        assert.equal(new Set(ids).size, ids.length, path);
        const known = new Set(ids);
        for (const { text } of resources)
          for (const [, reference = ''] of text.matchAll(/"reference":"([^"]+)"/g))
            assert.ok(known.has(reference), `${path} ${reference}`);
      }
    });
  }

  it('are counted in docs/records.md as they are read', { skip: noTable }, async () => {
    const zips = globSync('*.zip', { cwd: join(DATA_FOLDER, 'ccda') }).sort();
    const folders = await Array.fromAsync(zips, countOnce);
    const plain = (text: string): string =>
      text.replace(/ +/g, ' ').replace(/-{3,}/g, '---').replace(/\|---/g, '| ---').replace(/---\|/g, '--- |');
    assert.ok(plain(page).includes(plain(markdownTable(folders).trim())));
  });
});
