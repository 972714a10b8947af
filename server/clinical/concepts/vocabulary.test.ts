import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONCEPT_ID_BITS, ConceptLine, toConceptId, type ConceptRow } from './concept.ts';
import { findFaults } from './find-faults.ts';
import type { Reading } from './phrase-trie.ts';
import { compileVocabulary } from './vocabulary.ts';

const toRow = (kind: ConceptRow['kind'], line: object): ConceptRow => ({
  ...ConceptLine.parse({ source: 'own words', ...line }),
  kind,
});

const ROWS = [
  toRow('conditions', {
    id: 'myocardial-infarction',
    name: 'myocardial infarction',
    en: ['heart attack'],
    es: ['infarto', 'ataque al corazón'],
    de: ['Herzinfarkt'],
    short: ['MI'],
    codes: { icd10cm: ['I21'], icd9cm: ['410'], snomed: ['22298006'] },
    broader: ['heart-disease'],
  }),
  toRow('conditions', { id: 'heart-disease', name: 'heart disease', de: ['Ödem am Herzen'] }),
  toRow('conditions', { id: 'stemi', name: 'ST elevation infarction', codes: { icd10cm: ['I21.3'] } }),
  toRow('conditions', { id: 'multiple-sclerosis', name: 'multiple sclerosis', short: ['MS'] }),
  toRow('conditions', { id: 'mitral-stenosis', name: 'mitral stenosis', short: ['MS'] }),
  toRow('conditions', { id: 'hypertension', name: 'hypertension', short: ['htn'] }),
  toRow('conditions', { id: 'aids', name: 'AIDS' }),
  toRow('tests', { id: 'a1c', name: 'hemoglobin A1c', short: ['a1c'], related: ['diabetes'] }),
  toRow('conditions', { id: 'diabetes', name: 'diabetes mellitus', en: ['diabetes'] }),
  toRow('conditions', { id: 'type-2', name: 'type 2 diabetes mellitus', broader: ['diabetes'] }),
  toRow('drugs', { id: 'furosemide', name: 'furosemide', brands: ['Lasix'], broader: ['loop-diuretic'] }),
  toRow('drug-classes', { id: 'loop-diuretic', name: 'loop diuretic', broader: ['diuretic'] }),
  toRow('drug-classes', {
    id: 'diuretic',
    name: 'diuretic',
    en: ['water pill'],
    said: { en: ['for swollen legs'] },
  }),
  toRow('vaccines', { id: 'b12', name: 'vitamin B12' }),
];
const vocabulary = compileVocabulary(ROWS);

const find = (text: string, reading: Reading = 'question'): string[] =>
  vocabulary
    .findPhrases(text, reading)
    .map(({ phrase, concepts }) => `${phrase}: ${concepts.map(({ slug }) => slug).join(' ')}`);

describe('phrases of the vocabulary', () => {
  it('are found in three languages, by brands and abbreviations, whatever the case and the signs', () => {
    assert.deepEqual(find('Heart-Attack, INFARTO; ataque al corazon / Herzinfarkt mi Lasix'), [
      'Heart-Attack: myocardial-infarction',
      'INFARTO: myocardial-infarction',
      'ataque al corazon: myocardial-infarction',
      'Herzinfarkt: myocardial-infarction',
      'mi: myocardial-infarction',
      'Lasix: furosemide',
    ]);
  });

  it('match in their longest form, in singular and plural, and not within words', () => {
    assert.deepEqual(find('type 2 diabetes mellitus and diabetes'), [
      'type 2 diabetes mellitus: type-2',
      'diabetes: diabetes',
    ]);
    assert.deepEqual(find("loop diuretics, water pills, the heart's attack"), [
      'loop diuretics: loop-diuretic',
      'water pills: diuretic',
      "heart's attack: myocardial-infarction",
    ]);
    assert.deepEqual(find('infartox hearing aid'), []);
    assert.deepEqual(find('aids'), ['aids: aids']);
  });

  it('match with umlauts written out or left out, British spelling, and digits joined to letters', () => {
    for (const text of ['Ödem am Herzen', 'Oedem am Herzen', 'odem am herzen', 'O\u0308dem am Herzen'])
      assert.deepEqual(find(text), [`${text}: heart-disease`]);
    for (const text of ['haemoglobin a1c', 'Hemoglobin A 1c', 'HEMOGLOBIN A1C'])
      assert.deepEqual(find(text), [`${text}: a1c`]);
    assert.deepEqual(find('vitamin b-12'), ['vitamin b-12: b12']);
  });

  it('go across no end of a sentence or paragraph', () => {
    assert.deepEqual(find('heart. Attack; heart\n\nattack'), []);
    assert.deepEqual(find('heart\nattack'), ['heart\nattack: myocardial-infarction']);
  });

  it('are read in a record only where an abbreviation can mean nothing else', () => {
    assert.deepEqual(find('ms'), ['ms: multiple-sclerosis mitral-stenosis']);
    assert.deepEqual(find('MS, mi, htn, a1c, heart attack', 'record'), [
      'htn: hypertension',
      'a1c: a1c',
      'heart attack: myocardial-infarction',
    ]);
    assert.deepEqual(find('MI', 'record'), ['MI: myocardial-infarction']);
  });
});

describe('turns of speech of the vocabulary', () => {
  it('are read in questions alone: in a record the same words need not mean it', () => {
    assert.deepEqual(find('something for swollen legs'), ['for swollen legs: diuretic']);
    assert.deepEqual(find('Seen for swollen legs, has a water pill', 'record'), ['water pill: diuretic']);
  });
});

describe('concepts of the vocabulary', () => {
  const get = (slug: string) => vocabulary.getConcept(toConceptId(slug));

  it('know all wider ones, and relations from both sides', () => {
    assert.deepEqual(
      get('furosemide')
        ?.ancestors.map((id) => vocabulary.getConcept(id)?.slug)
        .sort(),
      ['diuretic', 'loop-diuretic'],
    );
    assert.deepEqual(get('diabetes')?.related, [toConceptId('a1c')]);
    assert.deepEqual(get('a1c')?.related, [toConceptId('diabetes')]);
  });

  it('know what treats them and what answers for them, over the conditions that they are related to', () => {
    const { getConcept } = compileVocabulary([
      toRow('tests', { id: 'blood-pressure', name: 'blood pressure', related: ['hypertension'] }),
      toRow('conditions', { id: 'hypertension', name: 'hypertension' }),
      toRow('drugs', { id: 'lisinopril', name: 'lisinopril', related: ['hypertension'] }),
      toRow('symptoms', { id: 'dizziness', name: 'dizziness', related: ['hypertension', 'blood-pressure'] }),
      toRow('conditions', { id: 'history-of-bypass', name: 'history of bypass', related: ['bypass'] }),
      toRow('procedures', { id: 'bypass', name: 'heart bypass' }),
    ]);
    const list = (slug: string, relation: 'akin' | 'treatments') =>
      getConcept(toConceptId(slug))?.[relation].map((id) => getConcept(id)?.slug);
    assert.deepEqual(list('blood-pressure', 'treatments'), ['lisinopril']);
    assert.deepEqual(list('dizziness', 'treatments'), ['lisinopril']);
    assert.deepEqual(list('dizziness', 'akin'), ['hypertension']);
    assert.deepEqual(list('history-of-bypass', 'akin'), ['bypass']);
    assert.deepEqual(list('bypass', 'akin'), ['history-of-bypass']);
    assert.deepEqual(list('hypertension', 'akin'), []);
  });

  it('are found by their codes, of ICD by the longest prefix', () => {
    const findByCode = (system: string, code: string) =>
      vocabulary.findByCode(system, code).map(({ slug }) => slug);
    assert.deepEqual(findByCode('http://snomed.info/sct', '22298006'), ['myocardial-infarction']);
    assert.deepEqual(findByCode('http://hl7.org/fhir/sid/icd-10-cm', 'I21.4'), ['myocardial-infarction']);
    assert.deepEqual(findByCode('http://hl7.org/fhir/sid/icd-10-cm', 'I21.31'), ['stemi']);
    assert.deepEqual(findByCode('http://hl7.org/fhir/sid/icd-10-cm', 'I2'), []);
    assert.deepEqual(findByCode('http://hl7.org/fhir/sid/icd-9-cm', '410.71'), ['myocardial-infarction']);
    assert.deepEqual(findByCode('http://loinc.org', '22298006'), []);
  });

  it('keep their ids, which fit into the bits they have', () => {
    assert.equal(toConceptId('myocardial-infarction'), 156388449);
    for (const { id } of ROWS) assert.ok(toConceptId(id) < 2 ** CONCEPT_ID_BITS);
  });

  it('survive a circle and a relation to nothing, which are faults', () => {
    const rows = [
      toRow('conditions', { id: 'one', name: 'one thing', broader: ['other'], related: ['nothing'] }),
      toRow('conditions', { id: 'other', name: 'other thing', broader: ['one'] }),
      toRow('conditions', { id: 'third', name: 'tests', brands: ['Brand'], en: ['!', '999'] }),
      toRow('conditions', { id: 'third', name: 'third thing' }),
    ];
    assert.ok(compileVocabulary(rows).getConcept(toConceptId('one')));
    assert.deepEqual(findFaults(rows), [
      'third stands twice.',
      'one refers to nothing, which is no other concept.',
      'one is broader than itself.',
      'other is broader than itself.',
      'third: “tests” alone is too general.',
      'third: “!” has no word.',
      'third: “999” is a bare number.',
      'third: only drugs and vaccines have brands.',
    ]);
    assert.deepEqual(findFaults(ROWS), []);
  });
});
