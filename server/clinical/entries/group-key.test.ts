import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ParsedResource } from '../store/found-resource.ts';
import { buildEntries } from './build-entries.ts';
import { formatTitle, isInformativeName } from './group-key.ts';

const SNOMED = 'http://snomed.info/sct';
const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const NDC = 'http://hl7.org/fhir/sid/ndc';

interface Concept {
  text?: string;
  coding?: object[];
}

const concept = (text: string | null, system?: string, code?: string, display?: string): Concept => ({
  ...(text !== null && { text }),
  ...(code !== undefined && { coding: [{ system, code, ...(display !== undefined && { display }) }] }),
});

let count = 0;
const build = (resource: ParsedResource) => {
  const [entry] = buildEntries({ id: `r${count++}`, ...resource }, { resolve: () => null });
  assert.ok(entry);
  return entry;
};
const allergyKey = (code: Concept): string => build({ resourceType: 'AllergyIntolerance', code }).groupKey;
const conditionKey = (code: Concept): string => build({ resourceType: 'Condition', code }).groupKey;
const orderKey = (medicationCodeableConcept: Concept): string =>
  build({ resourceType: 'MedicationRequest', medicationCodeableConcept }).groupKey;

const countGroups = (getKey: (code: Concept) => string, concepts: readonly Concept[]): number =>
  new Set(concepts.map(getKey)).size;

describe('the group of an entry', () => {
  it('is not that of a code that says nothing', () => {
    for (const [system, code, display] of [
      ['http://hospital.example/allergens', 'Unknown', undefined],
      [SNOMED, '419199007', 'Allergy to substance'],
      [SNOMED, '419199007', undefined],
      ['http://terminology.hl7.org/CodeSystem/v3-NullFlavor', 'OTH', 'Other'],
      ['http://hospital.example/allergens', '1', 'Miscellaneous allergy'],
      ['http://hospital.example/allergens', '17', 'Unspecified'],
    ] as const)
      assert.equal(
        countGroups(
          allergyKey,
          ['Latex', 'Cheese', 'Ragweed'].map((text) => concept(text, system, code, display)),
        ),
        3,
        code,
      );
  });

  it('of conditions coded as disease is that of their names', () => {
    const named = (text: string) => concept(text, SNOMED, '64572001', 'Disease');
    assert.equal(countGroups(conditionKey, [named('Lupus'), named('Multiple sclerosis')]), 2);
    assert.equal(countGroups(conditionKey, [named('Lupus'), named('lupus ')]), 1);
  });

  it('of drugs under one code is that of their names where the names contradict the code', () => {
    const warfarin = concept('Warfarin 5 mg', RXNORM, '1', 'Miscellaneous drug');
    const insulin = concept('Insulin glargine', RXNORM, '1', 'Miscellaneous drug');
    assert.equal(countGroups(orderKey, [warfarin, insulin]), 2);
    const bare = (text: string) => concept(text, RXNORM, '4711');
    assert.equal(countGroups(orderKey, [bare('Warfarin'), bare('Insulin glargine')]), 2);
    assert.equal(countGroups(orderKey, [bare('Warfarin'), bare('warfarin')]), 1);
    const insulins = ['Insulin glargine', 'Insulin lispro'].map((text) =>
      concept(text, RXNORM, '5856', 'Insulin'),
    );
    assert.equal(countGroups(orderKey, insulins), 2);
  });

  it('is that of an informative code whose display the name repeats', () => {
    const codes = [
      concept('Metformin 500 MG Oral Tablet', RXNORM, '861007', 'metformin 500 MG Oral Tablets'),
      concept(null, RXNORM, '861007', 'metformin 500 MG Oral Tablet'),
      concept(null, RXNORM, '861007'),
    ];
    assert.deepEqual([...new Set(codes.map(orderKey))], [`${RXNORM}|861007`]);
    assert.equal(
      conditionKey(concept('Asthma', SNOMED, '195967001', 'Asthma (disorder)')),
      `${SNOMED}|195967001`,
    );
  });

  it('holds nothing else where there is neither a name nor a code that says which', () => {
    const nameless: Concept[] = [
      concept(null, NDC, '0'),
      concept(null, NDC, '00000000000'),
      concept(null, undefined, '12345'),
      concept('Unknown', NDC, '0'),
      concept('Medication'),
      {},
    ];
    for (const each of nameless) assert.equal(countGroups(orderKey, [each, each]), 2, JSON.stringify(each));
    const coded = concept(null, NDC, '00093-7214-01');
    assert.equal(countGroups(orderKey, [coded, coded]), 1);
  });

  it('is known by what the name adds to the code', () => {
    const fracture = (text: string) => concept(text, SNOMED, '125605004', 'Fracture of bone');
    assert.equal(
      countGroups(conditionKey, [
        fracture('Fracture of bone of left wrist'),
        fracture('Fracture of bone of hip'),
      ]),
      2,
    );
    assert.equal(
      countGroups(conditionKey, [fracture('Fracture of bone'), fracture('fracture of the bone')]),
      1,
    );
  });
});

describe('a name', () => {
  it('is informative unless all of it says nothing', () => {
    for (const name of [
      'Unknown',
      'Allergy to substance',
      'Disease (disorder)',
      'Miscellaneous drug',
      'OTHER',
      'n/a',
      'Not specified',
      'Propensity to adverse reactions',
      '-',
      'Unbekannt',
    ])
      assert.equal(isInformativeName(name), false, name);
    for (const name of [
      'Latex',
      'Food allergy to nuts',
      'Drug rash',
      'Disease of kidney',
      'K',
      '4711',
      'Crohn disease',
    ])
      assert.equal(isInformativeName(name), true, name);
  });

  it('is the display where the text says nothing', () => {
    assert.equal(formatTitle(concept('Unknown', SNOMED, '111088007', 'Latex')), 'Latex');
    assert.equal(formatTitle(concept('Latex', SNOMED, '419199007', 'Allergy to substance')), 'Latex');
    assert.equal(formatTitle(concept('Unknown', SNOMED, '419199007', 'Allergy to substance')), 'Unknown');
  });
});
