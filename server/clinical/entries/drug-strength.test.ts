import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RXNORM } from './codeable-concept.ts';
import { buildEntries } from './build-entries.ts';
import { addStrength, formatStrength, hasStrength, splitStrength } from './drug-strength.ts';
import type { Details } from './entry.ts';
import type { ReferenceTarget } from './entry-builder.ts';

const order = (elements: object, target: ReferenceTarget | null = null) => {
  const resource = {
    resourceType: 'MedicationRequest',
    status: 'active',
    dosageInstruction: [{ text: '1 tab BID' }],
    ...elements,
  };
  const [entry] = buildEntries(resource, { resolve: () => target });
  assert.ok(entry !== undefined);
  const { dosage, coded } = entry.detail as Details['medication'];
  return { title: entry.title, key: entry.groupKey, dosage, words: coded?.words, names: entry.names };
};

const inline = (text: string, ...displays: string[]) => ({
  medicationCodeableConcept: {
    text,
    coding: displays.map((display, index) => ({ system: RXNORM, code: `${index + 100}`, display })),
  },
});

const ingredient = (name: string, numerator: [string, string], denominator: [string, string]) => ({
  itemCodeableConcept: { text: name },
  strength: {
    numerator: { value: numerator[0], unit: numerator[1] },
    denominator: { value: denominator[0], unit: denominator[1] },
  },
});

const contained = (medication: object) => ({
  contained: [{ resourceType: 'Medication', id: 'm', ...medication }],
  medicationReference: { reference: '#m' },
});

describe('the strength of a drug', () => {
  it('is in the name where a display of the same drug states it', () => {
    for (const [text, display] of [
      ['Metoprolol', 'Metoprolol 25 MG oral tablet'],
      ['Metoprolol', 'Metoprolol succinate 200 MG ER tablet'],
      ['insulin glargine', 'insulin glargine 100 UNT/ML Injectable Solution'],
    ] as const) {
      const { title, key, dosage, names } = order(inline(text, display));
      assert.deepEqual([title, key, dosage], [display, `${RXNORM}|100`, '1 tab BID']);
      assert.deepEqual(names, [`title ${text.toLowerCase()}`]);
    }
  });

  it('stands behind the dosage where the name is another one, which linkage compares without it', () => {
    const { title, dosage, words } = order(inline('Metoprolol tartrate', 'Metoprolol 25 MG oral tablet'));
    assert.deepEqual(
      [title, dosage, words],
      ['Metoprolol tartrate', '1 tab BID (strength 25 MG)', '1 tab BID'],
    );
  });

  it('is that of the ingredients of a contained drug, and of one elsewhere in the record', () => {
    const morphine = {
      code: { text: 'Morphine' },
      ingredient: [ingredient('Morphine', ['10', 'mg'], ['5', 'mL'])],
    };
    const inside = order(contained(morphine));
    assert.deepEqual(
      [inside.title, inside.key, inside.dosage],
      ['Morphine', 'text:morphine', '1 tab BID (strength 10 mg/5 mL)'],
    );
    const elsewhere = order(
      { medicationReference: { reference: 'Medication/1' }, dosageInstruction: [] },
      { display: 'Insulin glargine', organization: null, code: null, strength: '300 U/mL' },
    );
    assert.deepEqual(
      [elsewhere.title, elsewhere.dosage, elsewhere.words],
      ['Insulin glargine', 'strength 300 U/mL', ''],
    );
  });

  it('is not repeated, and is none that another drug has', () => {
    for (const [elements, title, dosage] of [
      [inline('Metoprolol 25mg', 'Metoprolol 25 MG tablet'), 'Metoprolol 25mg', '1 tab BID'],
      [inline('Aspirin', 'Metoprolol 25 MG tablet'), 'Aspirin', '1 tab BID'],
      [inline('Metoprolol', 'Metoprolol'), 'Metoprolol', '1 tab BID'],
      [
        {
          ...inline('Lopressor Metoprolol', 'Metoprolol 25 MG tablet'),
          dosageInstruction: [{ text: 'one 25mg tab' }],
        },
        'Lopressor Metoprolol',
        'one 25mg tab',
      ],
    ] as const) {
      const read = order(elements);
      assert.deepEqual([read.title, read.dosage], [title, dosage]);
    }
  });

  it('is read from names and ratios', () => {
    for (const name of ['x 25 MG', '10 mg/5 mL', '100 UNT/ML', '1 %', '5-mg', '40 I.E.', '0.05 MG/ACTUAT'])
      assert.ok(hasStrength(name), name);
    for (const name of ['Metoprolol', '24 HR Metoprolol', 'Vitamin B12', '5 mL', 'Factor 8', '2 tablets'])
      assert.ok(!hasStrength(name), name);
    const both = [
      ingredient('Codeine', ['30', 'mg'], ['1', '1']),
      ingredient('Paracetamol', ['500', 'mg'], ['1', 'tablet']),
    ];
    assert.equal(formatStrength({ ingredient: both }), 'Codeine 30 mg + Paracetamol 500 mg/tablet');
    assert.equal(formatStrength({ ingredient: [{ itemCodeableConcept: { text: 'x' } }] }), null);
  });

  it('is split from the dosage as it was added', () => {
    for (const dosage of ['20 U at bedtime', null])
      assert.deepEqual(splitStrength(addStrength({ dosage }, '300 U/mL').dosage), {
        words: dosage,
        strength: '300 U/mL',
      });
    assert.deepEqual(splitStrength('20 U (at bedtime)'), { words: '20 U (at bedtime)', strength: null });
  });
});
