import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataMask } from '../../../contract/brands.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { buildEntries } from './build-entries.ts';
import type { LinkedEntry } from './context-fact.ts';
import { computeContext } from './entry-context.ts';

const LABS = 1 as DataMask;
const RESTRICTED = 3 as DataMask;
const LABORATORY = [{ coding: [{ code: 'laboratory' }] }];
const refer = (...references: string[]) => references.map((reference) => ({ reference }));

/** Resources as they are stored, in an order that does not matter, with what a consent must cover for each. */
function connect(resources: readonly ParsedResource[], labels: Readonly<Record<string, DataMask>> = {}) {
  const entries = resources.flatMap((resource, seq) =>
    buildEntries(resource, { resolve: () => null }).map((entry, ordinal): LinkedEntry => {
      const reference = `${resource.resourceType}/${String(resource.id)}`;
      return {
        ...entry,
        links: entry.links ?? [],
        seq,
        ordinal,
        reference,
        requiredLabels: labels[reference] ?? LABS,
        listedBy: [],
      };
    }),
  );
  const { contexts, listedBy } = computeContext(entries);
  const find = ({ seq, ordinal }: { seq: number; ordinal: number }) =>
    entries.find((each) => each.seq === seq && each.ordinal === ordinal)?.reference ?? '';
  return {
    facts: (reference: string) =>
      contexts
        .filter((each) => find(each) === reference)
        .flatMap(({ facts }) => facts)
        .map(
          ({ role, title, doubt, level, needs }) =>
            `${role} ${level} ${title}${doubt === undefined ? '' : ` (${doubt})`}${needs === LABS ? '' : ` needs ${needs}`}`,
        ),
    listedBy: Object.fromEntries(listedBy.map((each) => [find(each), each.masks])),
  };
}

const observation = (id: string, text: string, more: object = {}): ParsedResource => ({
  resourceType: 'Observation',
  id,
  category: LABORATORY,
  code: { text },
  ...more,
});

const CULTURE: ParsedResource[] = [
  { resourceType: 'Specimen', id: 'blood', type: { text: 'Blood' } },
  observation('test', 'Blood culture', {
    specimen: refer('Specimen/blood')[0],
    hasMember: refer('Observation/coli'),
  }),
  observation('coli', 'Escherichia coli', {
    hasMember: refer('Observation/levo'),
    derivedFrom: refer('Observation/test'),
  }),
  observation('levo', 'Levofloxacin', { valueString: 'Resistant', derivedFrom: refer('Observation/coli') }),
];

describe('what other resources say about an entry', () => {
  it('is the report that contains a result, which it then stands for', () => {
    const { facts, listedBy } = connect([
      {
        resourceType: 'DiagnosticReport',
        id: 'r',
        category: LABORATORY,
        code: { text: 'CBC' },
        contained: [{ resourceType: 'Observation', id: 'o', code: { text: 'WBC' }, valueInteger: '1' }],
        result: refer('#o'),
      },
    ]);
    assert.deepEqual(facts('DiagnosticReport/r'), ['panel 1 CBC']);
    assert.deepEqual(listedBy, { 'DiagnosticReport/r': [LABS] });
  });

  it('is the organism and the culture of a susceptibility, with its specimen, in whatever order they came', () => {
    for (const resources of [CULTURE, CULTURE.toReversed()]) {
      const { facts, listedBy } = connect(resources);
      assert.deepEqual(facts('Observation/levo'), [
        'panel 1 Escherichia coli',
        'panel 2 Blood culture',
        'specimen 1 Blood',
      ]);
      assert.deepEqual(facts('Observation/coli'), ['panel 1 Blood culture', 'specimen 1 Blood']);
      assert.deepEqual(listedBy, { 'Observation/test': [LABS], 'Observation/coli': [LABS] });
    }
  });

  it('needs what the organism needs', () => {
    const { facts, listedBy } = connect(CULTURE, {
      'Observation/coli': RESTRICTED,
      'Observation/levo': RESTRICTED,
    });
    assert.deepEqual(facts('Observation/levo').slice(0, 2), [
      'panel 1 Escherichia coli needs 3',
      'panel 2 Blood culture',
    ]);
    assert.deepEqual(listedBy['Observation/test'], [RESTRICTED]);
  });

  it('is the letter that replaces a letter, and the one that adds to it, on both sides', () => {
    const letter = (id: string, more: object = {}) => ({
      resourceType: 'DocumentReference',
      id,
      type: { text: `Letter ${id}` },
      ...more,
    });
    const relates = (code: string, reference: string) => ({ relatesTo: [{ code, target: { reference } }] });
    const { facts } = connect(
      [
        letter('new', relates('replaces', 'DocumentReference/old')),
        letter('old'),
        letter('more', relates('appends', 'DocumentReference/new')),
        letter('lost', relates('replaces', 'DocumentReference/gone')),
        letter('other', relates('transforms', 'DocumentReference/old')),
      ],
      { 'DocumentReference/new': RESTRICTED },
    );
    assert.deepEqual(facts('DocumentReference/old'), ['replacedBy 1 Letter new needs 3']);
    assert.deepEqual(facts('DocumentReference/new'), ['replaces 1 Letter old', 'appendedBy 1 Letter more']);
    assert.deepEqual(facts('DocumentReference/more'), ['appends 1 Letter new needs 3']);
    assert.deepEqual([facts('DocumentReference/lost'), facts('DocumentReference/other')], [[], []]);
  });

  it('is the panel that a report names', () => {
    const report = (result: string) => ({
      resourceType: 'DiagnosticReport',
      id: 'lipids',
      category: [{ coding: [{ code: 'LAB' }] }],
      code: { text: 'Lipid panel' },
      result: refer(result),
    });
    const ldl = observation('ldl', 'LDL', { valueQuantity: { value: '190', unit: 'mg/dL' } });
    const known = connect([report('Observation/ldl'), ldl]);
    assert.deepEqual(known.facts('Observation/ldl'), ['panel 1 Lipid panel']);
    assert.deepEqual(known.listedBy, { 'DiagnosticReport/lipids': [LABS] });
    const unknown = connect([report('Observation/gone'), ldl]);
    assert.deepEqual([unknown.facts('Observation/ldl'), unknown.listedBy], [[], {}]);
  });

  it('is no panel where a number is derived from numbers', () => {
    const { facts } = connect([
      observation('weight', 'Weight', { valueQuantity: { value: '80', unit: 'kg' } }),
      observation('bmi', 'BMI', { valueQuantity: { value: '25' }, derivedFrom: refer('Observation/weight') }),
    ]);
    assert.deepEqual(facts('Observation/bmi'), ['derived 1 Weight']);
  });

  it('is a reason with what stands against it', () => {
    const reason = (id: string, verification: string) => ({
      resourceType: 'Condition',
      id,
      code: { text: id },
      verificationStatus: { coding: [{ code: verification }] },
    });
    const { facts } = connect([
      {
        resourceType: 'Encounter',
        id: 'e',
        reasonReference: refer('Condition/Cancer', 'Condition/Flu', 'Condition/Gout', 'Procedure/Biopsy'),
      },
      reason('Cancer', 'refuted'),
      reason('Flu', 'provisional'),
      reason('Gout', 'confirmed'),
      { resourceType: 'Procedure', id: 'Biopsy', code: { text: 'Biopsy' }, status: 'not-done' },
    ]);
    assert.deepEqual(facts('Encounter/e'), [
      'reason 1 Cancer (refuted)',
      'reason 2 Flu (provisional)',
      'reason 3 Gout',
      'reason 4 Biopsy (not-done)',
    ]);
  });

  it('ends where panels name each other in a circle', () => {
    const { facts } = connect([
      observation('a', 'A', { hasMember: refer('Observation/b') }),
      observation('b', 'B', { hasMember: refer('Observation/a') }),
      observation('c', 'C', { hasMember: refer('Observation/c') }),
    ]);
    assert.deepEqual(facts('Observation/a'), ['panel 1 B']);
    assert.deepEqual(facts('Observation/c'), []);
  });

  it('is the reason of a visit: the conditions diagnosed there, but for what was ruled out', () => {
    const condition = (id: string, text: string, more: object = {}) => ({
      resourceType: 'Condition',
      id,
      code: { text },
      encounter: { reference: 'Encounter/e' },
      ...more,
    });
    const conditions = [
      condition('sepsis', 'Sepsis'),
      condition('again', 'Sepsis'),
      condition('hiv', 'HIV infection'),
      condition('none', 'No known problems'),
      condition('refuted', 'Stroke', { verificationStatus: { coding: [{ code: 'refuted' }] } }),
    ];
    const visit = (more: object) => ({ resourceType: 'Encounter', id: 'e', ...more });
    const bare = connect([...conditions, visit({})], { 'Condition/hiv': RESTRICTED });
    assert.deepEqual(bare.facts('Encounter/e'), ['reason 1 Sepsis', 'reason 1 HIV infection needs 3']);
    const stated = connect([condition('sepsis', 'Sepsis'), visit({ reasonCode: [{ text: 'Fever' }] })]);
    assert.deepEqual(stated.facts('Encounter/e'), ['diagnosis 1 Sepsis']);
  });

  it('stands in the order of the visit, by rank, before what only names the visit', () => {
    const condition = (id: string, text: string) => ({
      resourceType: 'Condition',
      id,
      code: { text },
      encounter: { reference: 'Encounter/e' },
    });
    const { facts } = connect([
      condition('other', 'Anemia'),
      condition('minor', 'Cough'),
      condition('main', 'Pneumonia'),
      {
        resourceType: 'Encounter',
        id: 'e',
        diagnosis: [
          { condition: { reference: 'Condition/minor' }, rank: '2' },
          { condition: { reference: 'Condition/main' }, rank: '1' },
        ],
      },
    ]);
    assert.deepEqual(facts('Encounter/e').toSorted(), [
      'diagnosis 1 Pneumonia',
      'diagnosis 2 Cough',
      'diagnosis 3 Anemia',
      'reason 1 Pneumonia',
      'reason 2 Cough',
    ]);
  });

  it('is why and on whose order something was done', () => {
    const { facts } = connect([
      { resourceType: 'Condition', id: 'c', code: { text: 'Asthma' } },
      { resourceType: 'ServiceRequest', id: 's', code: { text: 'Spirometry' } },
      {
        resourceType: 'Procedure',
        id: 'p',
        code: { text: 'Spirometry' },
        reasonReference: refer('Condition/c'),
        basedOn: refer('ServiceRequest/s'),
      },
      {
        resourceType: 'MedicationRequest',
        id: 'm',
        medicationCodeableConcept: { text: 'Salbutamol' },
        reasonReference: refer('Condition/c', 'Condition/gone'),
      },
    ]);
    assert.deepEqual(facts('Procedure/p'), ['reason 1 Asthma', 'order 1 Order: Spirometry']);
    assert.deepEqual(facts('MedicationRequest/m'), ['reason 1 Asthma']);
  });
});
