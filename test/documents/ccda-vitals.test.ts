import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { xpath } from '../harness/xpath.ts';
import type { Entry } from '../../server/clinical/entries/entry.ts';
import { toElements } from '../../server/clinical/entries/element.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { buildEntries } from '../../server/clinical/entries/build-entries.ts';
import { filterByType, convertCcdaSection } from '../harness/ccda-section.ts';
import { DATA_FOLDER, readZipFiles, skip } from '../data/sample-data.ts';
import { parseCda } from '../../documents/ccda/parse-cda.ts';
import { converters } from '../../documents/converters.ts';
import { readCcda } from '../../documents/ccda/convert-ccda.ts';
import { serializeItem } from '../../documents/ccda/resource-list.ts';

const VITALS_WRITTEN = 308;
/** 138 of them are pressures, 57 pairs and 24 alone; one is null-flavored throughout. The others have no code of the eight. */
const VITALS_READ = {
  'Blood Pressure': 81,
  'Body Mass Index': 39,
  'Body Temperature': 1,
  'Heart Rate': 15,
  Height: 51,
  'Other: BSA Measured': 1,
  'Other: Body Mass Index Measured': 1,
  'Other: Body Surface Area Calculated': 4,
  'Other: Height': 1,
  'Other: Mean Arterial Pressure': 1,
  'Oxygen Saturation': 1,
  'Respiratory Rate': 1,
  Weight: 53,
};

const LOINC = '2.16.840.1.113883.6.1';
const NAMES: Record<string, string> = { '8480-6': 'Systolic', '8462-4': 'Diastolic', '3141-9': 'Weight' };

const vital = (code: string, value: string, time = '20130711002500'): string => `
  <component><observation classCode="OBS" moodCode="EVN"><id root="1.2.3" extension="${code}"/>
    <code code="${code}" codeSystem="${LOINC}" displayName="${NAMES[code] ?? code}"/><statusCode code="completed"/>
    <effectiveTime value="${time}"/>${value}</observation></component>`;

const pressure = (value: string): string => `<value xsi:type="PQ" value="${value}" unit="mm[Hg]"/>`;

const organizer = (...vitals: string[]): string => `
  <entry><organizer classCode="CLUSTER" moodCode="EVN"><code code="46680005"/><statusCode code="completed"/>
    <effectiveTime value="20130711"/>${vitals.join('')}</organizer></entry>`;

type Vital = Extract<Entry, { kind: 'vital' }>;

const readVitals = async (inside: string): Promise<Vital[]> =>
  (await convertCcdaSection('8716-3', inside)).entries.filter((each) => each.kind === 'vital');

const componentValues = ({ detail }: Vital): (string | null)[] =>
  detail.components.map(({ value, absent }) => value ?? absent);

describe('vital signs of a C-CDA document', () => {
  it('become an Observation each, with code, digits and unit of the document', async () => {
    const [weight, ...others] = await readVitals(
      organizer(vital('3141-9', '<value xsi:type="PQ" value="195.0" unit="[lb_av]"/>')),
    );
    assert.equal(others.length, 0);
    assert.equal(weight?.detail.vital, 'Weight');
    assert.deepEqual([weight.detail.value, weight.detail.unit], ['195.0', '[lb_av]']);
    assert.equal(weight.code, 'http://loinc.org|3141-9');
  });

  it('pair the two pressures of a moment to one blood pressure with both identifiers', async () => {
    const inside = organizer(vital('8462-4', pressure('95')), vital('8480-6', pressure('150')));
    const [entry, ...others] = await readVitals(inside);
    assert.ok(entry && others.length === 0);
    assert.equal(entry.detail.vital, 'Blood Pressure');
    assert.deepEqual(componentValues(entry), ['150', '95']);
    const [observation] = filterByType(await convertCcdaSection('8716-3', inside), 'Observation');
    assert.equal(toElements(observation?.['identifier']).length, 2);
  });

  it('are not shown where their group was entered in error', async () => {
    const group = organizer(vital('3141-9', pressure('198'))).replace('"completed"', '"nullified"');
    const read = await convertCcdaSection('8716-3', group);
    assert.deepEqual(
      filterByType(read, 'Observation').map(({ status }) => status),
      ['entered-in-error'],
    );
    assert.deepEqual(read.entries, []);
  });

  it('do not pair a pressure with one that was entered in error', async () => {
    const wrong = vital('8462-4', pressure('9')).replace('"completed"', '"nullified"');
    const found = await readVitals(organizer(vital('8480-6', pressure('150')), wrong));
    assert.deepEqual(found.map(componentValues), [['150', 'unknown']]);
  });

  it('say that they are negated', async () => {
    const negated = vital('3141-9', '<value xsi:type="PQ" value="195.0" unit="kg"/>').replace(
      'moodCode',
      'negationInd="true" moodCode',
    );
    const [weight] = await readVitals(organizer(negated));
    assert.equal(weight?.detail.value, 'not 195.0 kg (negated in the document)');
  });

  it('keep pressures of different moments separate, each with its other half absent', async () => {
    const found = await readVitals(
      organizer(vital('8480-6', pressure('150')), vital('8462-4', pressure('95'), '20130712')),
    );
    assert.deepEqual(found.map(componentValues), [
      ['150', 'unknown'],
      ['unknown', '95'],
    ]);
  });

  it('pair several pressures of one moment in the order they are written in', async () => {
    const found = await readVitals(
      organizer(
        vital('8480-6', pressure('150')),
        vital('8480-6', pressure('140')),
        vital('8462-4', pressure('95')),
        vital('8462-4', pressure('90')),
      ),
    );
    assert.deepEqual(found.map(componentValues), [
      ['150', '95'],
      ['140', '90'],
    ]);
  });

  it('give both pressures where one of them holds both', async () => {
    const [entry] = await readVitals(organizer(vital('8480-6', '<value xsi:type="ST">132/86 mmHg</value>')));
    assert.deepEqual(entry && componentValues(entry), ['132', '86']);
  });

  it('say why a pressure has no value', async () => {
    const [entry] = await readVitals(
      organizer(vital('8480-6', '<value xsi:type="PQ" nullFlavor="NASK"/>'), vital('8462-4', pressure('80'))),
    );
    assert.deepEqual(entry && componentValues(entry), ['not asked', '80']);
  });
});

describe('vital signs of published documents', { skip }, () => {
  it('are one of the eight that tools know, or have another code', async () => {
    let written = 0;
    const titles = new Map<string, number>();
    for (const zip of globSync(join(DATA_FOLDER, 'ccda/*.zip')).sort())
      for (const { path, bytes } of await readZipFiles(zip)) {
        if (!bytes.subarray(0, 8000).includes('<ClinicalDocument')) continue;
        const vitals = '//*:section[*:code/@code="8716-3"]/*:entry/*:organizer/*:component/*:observation';
        written += xpath.evaluateXPathToNodes(vitals, parseCda(bytes)).length;
        const read = await readCcda(
          { bytes, path, documentId: '11111111-1111-4111-8111-111111111111' },
          converters,
        );
        const resources = read.items.map((placed) => parseResource(serializeItem(placed)));
        for (const entry of resources.flatMap((resource) => buildEntries(resource, { resolve: () => null })))
          if (entry.kind === 'vital') {
            const title = entry.detail.vital ?? `Other: ${entry.title}`;
            titles.set(title, (titles.get(title) ?? 0) + 1);
          }
      }
    assert.equal(written, VITALS_WRITTEN);
    assert.deepEqual(Object.fromEntries(titles), VITALS_READ);
  });
});
