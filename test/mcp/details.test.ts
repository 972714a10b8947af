import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, type Chart } from '../harness/chart.ts';
import { importUploads } from '../harness/import-record.ts';
import { importTexts } from '../harness/import-texts.ts';
import { openTestStore } from '../harness/store.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { labelBit } from '../../server/consent/access/sensitivity-labels.ts';
import type { ResourceScope, RestrictedScope } from '../../contract/data-categories.ts';

const store = await openTestStore();
after(() => store.remove());

type Resource = Record<string, unknown>;

const subject = { reference: 'Patient/p' };
const ASTHMA = '6d6e1f9e-0000-4000-8000-000000000001';
const TWINS = ['aaaaaaaa-1111-4000-8000-000000000001', 'aaaaaaaa-1111-4000-8000-000000000002'];

const RECORD: readonly Resource[] = [
  {
    resourceType: 'Patient',
    id: 'p',
    name: [
      { family: 'Probe', given: ['Paula'] },
      { text: 'Polly', given: ['Paula', 'Maria'], use: 'nickname' },
      {
        given: ['P.', 'M.'],
        _given: [null, { extension: [{ url: 'http://example.org/qualifier', valueCode: 'IN' }] }],
      },
    ],
    birthDate: '1970-01-01',
    gender: 'female',
    address: [{ line: ['1 High Street'], city: 'Springfield', postalCode: '12345' }],
    telecom: [{ system: 'phone', value: '+1 555 0100', use: 'home' }],
    maritalStatus: { text: 'Married' },
    communication: [
      { language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'es', display: 'Spanish' }] } },
    ],
    generalPractitioner: [{ reference: 'Practitioner/gp' }],
    deceasedDateTime: '2024-03-03',
  },
  { resourceType: 'Practitioner', id: 'gp', name: [{ family: 'Moss', given: ['Aria'], prefix: ['Dr.'] }] },
  {
    resourceType: 'Condition',
    id: ASTHMA,
    subject,
    clinicalStatus: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
    },
    code: {
      coding: [
        { system: 'http://snomed.info/sct', code: '195967001', display: 'Asthma (disorder)' },
        { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'J45.909', display: 'Unspecified asthma' },
      ],
      text: 'Asthma',
    },
    onsetDateTime: '2020-02-03',
    recorder: { reference: 'Practitioner/gp' },
    identifier: [{ system: 'http://hospital.example/ids', value: 'C-17' }],
    note: [{ text: 'Worse in spring | # not a heading' }],
    extension: [{ url: 'http://example.org/fhir/severity-score', valueInteger: 3 }],
  },
  {
    resourceType: 'Observation',
    id: 'range',
    subject,
    status: 'final',
    code: { text: 'Ferritin' },
    valueQuantity: { value: 12, unit: 'ug/L', code: 'ug/L', comparator: '<' },
    referenceRange: [
      {
        low: { value: 3, unit: 'ug/L' },
        high: { value: 8, unit: 'ug/L' },
        appliesTo: [{ coding: [{ system: 'http://snomed.info/sct', code: '248152002', display: 'Female' }] }],
        text: 'women',
      },
    ],
    component: [
      { code: { text: 'Dilution' }, valueRatio: { numerator: { value: 1 }, denominator: { value: 8 } } },
    ],
  },
  ...['one', 'other'].map((id) => ({
    resourceType: 'Observation',
    id,
    subject,
    status: 'final',
    category: [
      {
        coding: [
          { system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' },
        ],
      },
    ],
    code: { text: 'Sodium' },
    effectiveDateTime: '2024-05-05',
    valueQuantity: { value: 140, unit: 'mmol/L' },
  })),
  ...['entered-in-error', 'refuted'].map((code) => ({
    resourceType: 'Condition',
    id: code,
    subject,
    verificationStatus: { coding: [{ code }] },
    code: { text: `Leprosy ${code}` },
    onsetDateTime: '2019-09-09',
  })),
  {
    resourceType: 'ServiceRequest',
    id: 'order',
    subject,
    status: 'active',
    intent: 'order',
    code: { text: 'Skin biopsy' },
    contained: [
      {
        resourceType: 'Condition',
        id: 'c',
        verificationStatus: { text: 'Entered-in-error' },
        code: { text: 'Leprosy inside' },
      },
    ],
    reasonReference: [
      { reference: 'Condition/entered-in-error', display: 'Leprosy by name' },
      { reference: 'Condition/refuted', display: 'Leprosy' },
      { reference: '#c', display: 'Leprosy there' },
    ],
  },
  {
    resourceType: 'Procedure',
    id: 'seen',
    subject,
    status: 'completed',
    code: { text: 'Colonoscopy' },
    contained: [
      { resourceType: 'Organization', id: 'o', name: 'Moss and Sons' },
      { resourceType: 'Practitioner', id: 'a', name: [{ text: 'Nurse Inside' }] },
    ],
    recorder: { display: 'Clerk Alone' },
    asserter: { type: 'Practitioner', display: 'Dr. Asserting' },
    performer: [
      { actor: { reference: 'Practitioner/gp' }, onBehalfOf: { reference: '#o' } },
      { actor: { reference: '#a' } },
      {
        actor: {
          reference: 'Practitioner/none',
          display: 'Dr. Elsewhere',
          identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' },
        },
      },
    ],
    location: { display: 'Theatre 2' },
    reasonReference: [
      { display: 'Polyps there' },
      { reference: 'Condition/none', display: 'Whatever it is' },
      { reference: `Condition/${ASTHMA}` },
    ],
  },
  {
    resourceType: 'DocumentReference',
    id: 'linked',
    subject,
    status: 'current',
    type: { text: 'Discharge letter' },
    date: '2024-02-02T00:00:00Z',
    content: [{ attachment: { contentType: 'text/html', url: 'Binary/words' } }],
  },
  {
    resourceType: 'DocumentReference',
    id: 'dangling',
    date: '2024-02-01T00:00:00Z',
    subject,
    status: 'current',
    content: [{ attachment: { url: 'Binary/none' } }],
  },
  {
    resourceType: 'Binary',
    id: 'words',
    contentType: 'text/html',
    data: Buffer.from(`<html><p>Paula went home.</p><p>${'Rest. '.repeat(9000)}</p>The end</html>`).toString(
      'base64',
    ),
  },
  {
    resourceType: 'ImmunizationRecommendation',
    id: 'due',
    patient: subject,
    date: '2026-01-01',
    recommendation: [
      {
        forecastStatus: {
          coding: [
            {
              system: 'http://example.org/forecasts',
              version: '7',
              code: 'due',
              display: 'Due',
              userSelected: true,
              extension: [
                {
                  url: 'http://hl7.org/fhir/StructureDefinition/translation',
                  extension: [
                    { url: 'lang', valueCode: 'es' },
                    { url: 'content', valueString: 'Pendiente' },
                  ],
                },
              ],
            },
          ],
        },
        dateCriterion: [
          ['30981-5', 'Earliest date to give', '2026-02-01'],
          ['59777-3', 'Latest date to give', '2028-04-01'],
        ].map(([code, display, value]) => ({
          code: { coding: [{ system: 'http://loinc.org', code, display }] },
          value,
        })),
      },
    ],
  },
  {
    resourceType: 'FamilyMemberHistory',
    id: 'mother',
    patient: subject,
    status: 'completed',
    relationship: { text: 'Mother' },
    condition: [{ code: { text: 'Gout' }, contributedToDeath: false }],
  },
  ...['01', '02'].map((day) => ({
    resourceType: 'Encounter',
    id: `visit-${day}`,
    subject,
    status: 'finished',
    class: { code: 'AMB' },
    type: [{ text: 'Check-up' }],
    period: { start: `2024-01-${day}` },
  })),
  {
    resourceType: 'DocumentReference',
    id: 'letter',
    subject,
    status: 'current',
    type: { text: 'Referral letter' },
    date: '2024-02-01T00:00:00Z',
    content: [
      {
        attachment: { contentType: 'text/plain', data: Buffer.from('Please see Paula.').toString('base64') },
      },
    ],
  },
  ...TWINS.map((id, index) => ({
    resourceType: 'Procedure',
    id,
    subject,
    status: 'completed',
    code: { text: index === 0 ? 'Spirometry' : 'Bronchoscopy' },
    performedDateTime: '2024-02-03',
  })),
  ...['2023-01-01', '2023-06-01', '2024-01-01'].map((authoredOn, index) => ({
    resourceType: 'MedicationRequest',
    id: `00000000-0000-4000-8000-00000000000${index}`.replace(/^0{8}/, `${index}bcdef01`),
    subject,
    status: 'active',
    intent: 'order',
    medicationCodeableConcept: {
      coding: [
        { system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '745679', display: 'Albuterol' },
      ],
    },
    authoredOn,
    requester: { reference: 'Practitioner/gp' },
  })),
  ...[
    ['8867-4', 'Heart rate', 61],
    ['9279-1', 'Respiratory rate', 14],
    ['29463-7', 'Body weight', 70],
  ].map(([code, display, value], index) => ({
    resourceType: 'Observation',
    id: `v${index}`,
    subject,
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code, display }] },
    effectiveDateTime: '2024-02-03T09:15:00Z',
    valueQuantity: { value, unit: 'x' },
  })),
];

const listRows = (text: string, word: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('|') && line.includes(word));

describe('the details of a record', () => {
  let chart: Chart;
  before(async () => {
    chart = await createChart(store.db);
    await importTexts(
      store.db,
      chart,
      RECORD.map((each) => JSON.stringify(each)),
    );
  });
  const details = (...references: string[]): Promise<string> => chart.callTool('get_details', { references });
  const withhold = async (...names: (ResourceScope | RestrictedScope)[]): Promise<void> => {
    const mask = names.map(labelBit).reduce((one, other) => one | other, 0);
    await store.db.query(sql`update consent set withheld = ${mask} where patient_id = ${chart.patientId}`);
  };

  it('show every field with all its codes, whichever way the reference is written', async () => {
    const text = await details(`Condition/${ASTHMA.slice(0, 8)}`);
    for (const line of [
      `## Condition/${ASTHMA}`,
      '- code: Asthma [SNOMED CT 195967001 “Asthma (disorder)”; ICD-10-CM J45.909 “Unspecified asthma”]',
      '- onset: 2020-02-03',
      '- recorder: Dr. Aria Moss (Practitioner/gp)',
      '- identifier: C-17 (hospital.example/ids)',
      '- note: Worse in spring \\| # not a heading',
      '- severity-score: 3',
    ])
      assert.ok(text.split('\n').includes(line), `${line}\n---\n${text}`);
    assert.equal(await details(`Condition/${ASTHMA}`), text);
  });

  it('list what is no data type of its own field by field', async () => {
    const text = await details('Observation/range', 'FamilyMemberHistory/mother');
    for (const line of [
      '- value: <12 ug/L',
      '- reference range: low: 3 ug/L',
      '- reference range: applies to: [SNOMED CT 248152002 “Female”]',
      '- reference range: text: women',
      '- component: code: Dilution',
      '- component: value: 1:8',
      '- relationship: Mother',
      '- condition: code: Gout',
      '- condition: contributed to death: false',
    ])
      assert.ok(text.split('\n').includes(line), `${line}\n---\n${text}`);
  });

  it('list an element beside its code, which is no quantity for that, and a coding with version, choice and translation', async () => {
    const text = await details('ImmunizationRecommendation/due');
    for (const line of [
      '- recommendation: date criterion 1: code: [LOINC 30981-5 “Earliest date to give”]',
      '- recommendation: date criterion 1: value: 2026-02-01',
      '- recommendation: date criterion 2: code: [LOINC 59777-3 “Latest date to give”]',
      '- recommendation: date criterion 2: value: 2028-04-01',
      '- recommendation: forecast status: [example.org/forecasts due “Due” (version 7, chosen by the user)]',
      '- recommendation: forecast status: translation: content: Pendiente',
    ])
      assert.ok(text.split('\n').includes(line), `${line}\n---\n${text}`);
  });

  it('say who did something and where, whatever a consent leaves out, and no reason that it withholds (case 544)', async () => {
    const who = [
      '- recorder: Clerk Alone',
      '- asserter: Dr. Asserting (Practitioner)',
      '- performer 1: actor: Dr. Aria Moss (Practitioner/gp)',
      '- performer 1: on behalf of: contained Organization #o',
      '- performer 2: actor: contained Practitioner #a',
      '- performer 3: actor: Dr. Elsewhere (Practitioner/none), 1234567893 (hl7.org/fhir/sid/us-npi)',
      '- location: Theatre 2',
      '- contained Organization: name: Moss and Sons',
      '- contained Practitioner: name: Nurse Inside',
    ];
    for (const withheld of [[], ['MENTAL_HEALTH'], ['ADMINISTRATIVE_AND_BILLING'], ['DIAGNOSES']] as const) {
      await withhold(...withheld);
      const text = await details('Procedure/seen');
      await withhold();
      for (const line of who)
        assert.ok(text.split('\n').includes(line), `${withheld.join()} ${line}\n---\n${text}`);
      assert.equal(/Polyps there/.test(text), withheld[0] !== 'DIAGNOSES');
      assert.equal(/Asthma \(Condition.6d6e1f9e\)/.test(text), withheld[0] !== 'DIAGNOSES');
      // Of a target that is not here nobody knows whether it is of a withheld class.
      assert.equal(/Condition.none|Whatever/.test(text), withheld.length === 0);
    }
  });

  it('show address, telephone, language, marital status, doctor and death of the person', async () => {
    const text = await details('Patient');
    for (const words of [
      'name: Polly (Paula Maria) (nickname)',
      'name: given: P.; M.',
      'address: 1 High Street, Springfield, 12345',
      'telecom: +1 555 0100 (phone, home)',
      'marital status: Married',
      '“Spanish”',
      'general practitioner: Dr. Aria Moss (Practitioner/gp)',
      'deceased: 2024-03-03',
    ])
      assert.ok(text.includes(words), `${words}\n---\n${text}`);
  });

  it('show a person without contact data under a consent that withholds it', async () => {
    await withhold('CONTACT_INFO');
    const text = await details('Patient');
    await withhold();
    assert.match(text, /birth date: 1970-01-01/);
    assert.doesNotMatch(text, /High Street|555 0100/);
  });

  it('are not found for what does not exist, and alike for what is withheld', async () => {
    assert.match(await details('Condition/none'), /Not found in this record: Condition\/none\./);
    await withhold('DIAGNOSES');
    const text = await details(`Condition/${ASTHMA}`);
    await withhold();
    assert.match(text, /Not found in the shared part of this record: Condition\/6d6e1f9e/);
    assert.doesNotMatch(text, /Asthma/);
  });

  it('say of what was entered in error only that it was, and of a refuted reason that it is', async () => {
    const text = await details('Condition/entered-in-error', 'ServiceRequest/order');
    for (const line of [
      '## Condition/entered-in-error',
      'This record was entered in error; what it says is not shown.',
      '- reason reference 1: entered in error (Condition/entered-in-error)',
      '- reason reference 2: Leprosy refuted (refuted) (Condition/refuted)',
      '- reason reference 3: entered in error (#c)',
    ])
      assert.ok(text.split('\n').includes(line), `${line}\n---\n${text}`);
    assert.doesNotMatch(text, /Leprosy (?!refuted)/);
  });

  it('list all that a group stands for', async () => {
    const [row = ''] = listRows(await chart.callTool('get_medications', { years: 150 }), 'Albuterol');
    const [, mark = ''] = /\| (MedicationRequest\/2bcdef01 \(3\)) \|$/.exec(row) ?? [];
    const text = await details(mark);
    assert.match(text, /All 3 of this group:/);
    assert.match(
      await details('MedicationRequest/2bcdef01 (2)'),
      /All 3 of this group \(its row, in one window, stands for 2\):/,
    );
    for (const day of ['2023-01-01', '2023-06-01', '2024-01-01'])
      assert.equal(listRows(text, day).length, 1, text);
  });

  it('name each of a group whose rows are equal, so that each can be opened', async () => {
    const labs = await chart.callTool('get_labs', { years: 150 });
    const [, mark = ''] = /(Observation\/(?:one|other) \(2\))/.exec(labs) ?? [];
    const text = await details(mark);
    assert.match(text, /All 2 of this moment:/);
    assert.match(text, /Observation\/other, Observation\/one|Observation\/one, Observation\/other/);
  });

  it('of a visit list no other visits of its name, unless the mark of several is asked for', async () => {
    assert.doesNotMatch(await details('Encounter/visit-01'), /All 2/);
    assert.match(await details('Encounter/visit-01 (2)'), /All 2 of this group:/);
  });

  it('list a group once, whichever of its references are asked for', async () => {
    const ids = [0, 1].map((index) => `MedicationRequest/${index}bcdef01-0000-4000-8000-00000000000${index}`);
    assert.equal((await details(...ids)).match(/All 3 of this group/g)?.length, 1);
  });

  it('read a letter that belongs to no visit, which is listed with the documents', async () => {
    const listed = await chart.callTool('get_other_records', { kind: 'document', years: 150 });
    assert.equal(listRows(listed, 'Referral letter').length, 1, listed);
    assert.doesNotMatch(listed, /Please see/);
    assert.match(
      await chart.callTool('get_other_records', {}),
      /^- `document`: 3 letters, reports and notes, 2024-02-01 to 2024-02-02$/m,
    );
    assert.match(await details('DocumentReference/letter'), /^```text\nPlease see Paula\.\n```$/m);
  });

  it('show the text of a letter that is in a Binary, and the Binary as text', async () => {
    assert.match(await details('DocumentReference/linked'), /Paula went home\.[^]*further characters/);
    const report = await details('DocumentReference/dangling');
    assert.match(report, /Its text is in Binary\/none: get_details reads it where the record has it/);
    const binary = await details('Binary/words');
    assert.match(binary, /content type: text\/html[^]*Its text:[^]*Paula went home\.[^]*further characters/);
    assert.doesNotMatch(binary, /PGh0bWw|<p>|The end/);
    assert.match(await details('Binary/words from 40000'), /The end/);
  });

  it('list the measurements of a moment for the mark of its row, and not for one of them', async () => {
    const [row = ''] = listRows(await chart.callTool('get_vitals', { years: 150 }), '2024-02-03');
    const [, mark = ''] = /\| (Observation\/v\d \(3\)) \|$/.exec(row) ?? [];
    const text = await details(mark);
    for (const name of ['Heart rate', 'Respiratory rate', 'Body weight'])
      assert.equal(listRows(text, name).length, 1, text);
    assert.doesNotMatch(await details('Observation/v0'), /All 3/);
  });

  it('lengthen a reference that two resources begin with, and name both for a short one', async () => {
    const text = await chart.callTool('get_procedures', { years: 150 });
    for (const id of TWINS) assert.ok(text.includes(`Procedure/${id} |`), text);
    assert.match(
      await details('Procedure/aaaaaaaa'),
      /Several begin so: Procedure\/aaaaaaaa\S+1, Procedure\/aaaaaaaa\S+2\. Write more/,
    );
  });

  it('shorten a reference again where the consent withholds the other', async () => {
    const text = await chart.callTool('get_conditions', { years: 150 });
    assert.ok(text.includes('| Condition/6d6e1f9e |'), text);
  });

  it('answer many references in their order, and name those that one answer does not hold', async () => {
    const text = await details('Procedure/nothing', 'Patient', `Condition/${ASTHMA}`);
    assert.deepEqual(text.match(/^## .*$/gm), [
      '## Procedure/nothing',
      '## Patient/p',
      `## Condition/${ASTHMA}`,
    ]);
  });

  it('refuse what is no reference, and say what one looks like', async () => {
    await assert.rejects(details('the second one'), /references must be a list of 1 to 20 references/);
    await assert.rejects(chart.callTool('get_details', { references: [] }), /1 to 20 references/);
  });

  it('put into the first line of the summary that the person died, and call nothing active', async () => {
    const summary = await chart.callTool('get_health_summary');
    assert.match(summary, /^Paula Probe, born 1970-01-01, died on 2024-03-03/m);
    for (const tool of ['get_health_summary', 'get_conditions', 'get_medications']) {
      const text = await chart.callTool(tool);
      assert.match(text, /In force when last recorded \(1\)/, tool);
      assert.match(text, /^The patient died on 2024-03-03: nothing of this goes on\.$/m, tool);
      assert.doesNotMatch(text, /\b(?:Active|Current) \(|may go on/, tool);
    }
  });

  it('count all orders of a drug in force, also those before the window', async () => {
    const text = await chart.callTool('get_medications', { years: 0.1 });
    assert.match(listRows(text, 'Albuterol')[0] ?? '', /\| 3 orders, 2023-01-01 to 2024-01-01.*\(3\) \|$/);
  });
});

describe('the persons of a record', () => {
  it('case 540: have no contact data, in no element and extension, where a consent withholds it', async () => {
    const phone = { url: 'urn:phone', valueContactPoint: { system: 'phone', value: '555 0199' } };
    const address = { url: 'urn:address', valueAddress: { city: 'Hometown' } };
    const detail = { url: 'urn:detail', valueContactDetail: { name: 'Neighbour' } };
    const person = {
      name: [{ family: 'Nowak', extension: [phone] }],
      extension: [address, { url: 'urn:several', extension: [detail] }],
      contained: [
        { resourceType: 'Organization', id: 'o', name: 'Clinic', telecom: [phone.valueContactPoint] },
      ],
      managingOrganization: { reference: '#o' },
    };
    const chart = await importUploads(store.db, [
      {
        ...person,
        resourceType: 'Patient',
        id: 'p',
        communication: [{ language: { text: 'Polish' }, extension: [phone] }],
      },
      { ...person, resourceType: 'Person', id: 'o' },
      {
        resourceType: 'Basic',
        id: 'b',
        contained: [{ resourceType: 'Patient', id: 'p', extension: [phone] }],
      },
      {
        resourceType: 'Basic',
        id: 'c',
        contained: [
          { resourceType: 'Patient', id: 'p', extension: [{ url: 'urn:n', valueString: 'Next door' }] },
        ],
      },
    ]);
    const read = (): Promise<string> =>
      chart.callTool('get_details', { references: ['Patient/p', 'Person/o', 'Basic/b', 'Basic/c'] });
    const whole = await read();
    for (const words of ['555 0199', 'Hometown', 'Neighbour', 'Next door'])
      assert.ok(whole.includes(words), words);
    await store.db.query(
      sql`update consent set withheld = ${labelBit('CONTACT_INFO')} where patient_id = ${chart.patientId}`,
    );
    const text = await read();
    for (const words of ['name: Nowak', 'Polish', 'Clinic'])
      assert.ok(text.includes(words), `${words}\n${text}`);
    assert.doesNotMatch(text, /555 0199|Hometown|Neighbour|Next door|urn:several/);
    for (const name of ['Basic/b', 'Basic/c'])
      assert.ok(text.includes(`Not found in the shared part of this record: ${name}`), name);
  });

  it('are named where one answer does not hold them all, and counted where it does not name them', async () => {
    const chart = await createChart(store.db);
    await importTexts(
      store.db,
      chart,
      Array.from({ length: 62 }, (_, index) =>
        JSON.stringify({
          resourceType: 'Patient',
          id: `person-${index}`,
          name: [{ text: `Person ${index}` }],
        }),
      ),
    );
    const text = await chart.callTool('get_details', { references: ['Patient'] });
    assert.equal(text.match(/^## Patient\//gm)?.length, 10);
    const [, rest = ''] = /^More than one answer holds; ask again for: (.*)\.$/m.exec(text) ?? [];
    assert.equal(rest.split(', ').length, 50);
    assert.match(text, /^2 more of Patient are not named here\.$/m);
    const [next = ''] = rest.split(', ');
    assert.match(await chart.callTool('get_details', { references: [next] }), /Person 10\b/);
  });
});
