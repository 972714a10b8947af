import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAnnotator, toMention, type AnnotatedText, type Role } from './annotate.ts';
import { toConceptId } from './concept.ts';
import { compileVocabulary } from './vocabulary.ts';

const vocabulary = compileVocabulary(
  [
    { id: 'chest-pain', name: 'chest pain', es: ['dolor torácico'], de: ['Brustschmerz'], broader: ['pain'] },
    { id: 'pain', name: 'painful state' },
    { id: 'fever', name: 'fever', es: ['fiebre'], de: ['Fieber'] },
    { id: 'penicillin-allergy', name: 'penicillin allergy', broader: ['allergy'] },
    { id: 'allergy', name: 'allergy' },
    { id: 'diabetes', name: 'diabetes', de: ['Diabetes'], codes: { icd10cm: ['E11'] } },
  ].map((row) => ({ ...row, kind: 'conditions' as const, source: 'own words' })),
);
const annotate = createAnnotator(() => vocabulary);

const ROLES: readonly Role[] = ['named', 'namedWider', 'mentioned', 'mentionedWider', 'negated', 'ofOthers'];
const NAMES = new Map(
  ['chest-pain', 'pain', 'fever', 'diabetes', 'family-history', 'penicillin-allergy', 'allergy'].flatMap(
    (slug) => ROLES.map((role) => [toMention(toConceptId(slug), role), `${slug} ${role}`] as const),
  ),
);

const list = (text: Partial<AnnotatedText>): string[] =>
  annotate({ kind: 'condition', title: '', body: '', codes: [], ...text })
    .map((mention) => NAMES.get(mention) ?? 'unknown')
    .sort();

describe('the concepts of a text', () => {
  it('come from codes, the title and the body, with wider ones', () => {
    assert.deepEqual(
      list({ title: 'Chest pain', body: 'With fever', codes: ['http://hl7.org/fhir/sid/icd-10-cm|E11.9'] }),
      ['chest-pain named', 'diabetes named', 'fever mentioned', 'pain namedWider'],
    );
  });

  it('are negated by the words of three languages, before and after, to the end of the clause', () => {
    for (const body of [
      'No fever.',
      'The patient denies cough, chills or fever',
      'Sepsis was ruled out, negative for fever',
      'Fever: no',
      'Fever: none reported',
      'Fever\nNo\nOther',
      'Fever was denied.',
      'Niega tos y fiebre.',
      'Paciente sin fiebre',
      'Kein Fieber',
      'Kommt ohne Husten und Fieber',
      'Fieber wird verneint',
    ])
      assert.deepEqual(list({ body }), ['fever negated'], body);
    for (const body of [
      'No cough. Fever since Monday',
      'No cough but fever',
      'No cough\nFever since Monday',
      'Denies cough; has fever',
      'No change in the fever',
      'Fever, no cough',
      'Kein Husten, jedoch Fieber',
      'Fever\nNo cough',
    ])
      assert.deepEqual(list({ body }), ['fever mentioned'], body);
  });

  it('negate nothing wider: without chest pain there may be another', () => {
    assert.deepEqual(list({ body: 'No chest pain' }), ['chest-pain negated']);
  });

  it('come from the kind of entry, and of an allergy from its substance', () => {
    assert.deepEqual(list({ kind: 'allergy', title: 'Penicillin G' }), [
      'allergy namedWider',
      'penicillin-allergy named',
    ]);
  });

  it('are kept apart where they are said of relatives and others, with wider ones', () => {
    for (const body of [
      'Mother had chest pain',
      'Family history: chest pain',
      '# Family history\nChest pain',
      'History of chest pain in her father',
      'Sein Vater hatte Brustschmerz',
      'Antecedentes familiares de dolor torácico',
      'His wife has chest pain',
    ])
      assert.deepEqual(list({ body }), ['chest-pain ofOthers', 'pain ofOthers'], body);
    assert.deepEqual(list({ title: 'Mother: diabetes', kind: 'family_history' }), [
      'diabetes ofOthers',
      'family-history namedWider',
    ]);
    for (const body of ['Mother reports fever', 'Came with her daughter because of fever'])
      assert.deepEqual(list({ body }), ['fever mentioned'], body);
  });
});
