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
    { id: 'stroke', name: 'stroke' },
    { id: 'history-of-stroke', name: 'history of stroke' },
    { id: 'influenza', name: 'influenza', related: ['fever'] },
    { id: 'influenza-vaccine', name: 'influenza vaccine', related: ['influenza'], kind: 'vaccines' as const },
    {
      id: 'influenza-vaccine-nasal',
      name: 'nasal influenza vaccine',
      en: ['influenza vaccine'],
      broader: ['influenza-vaccine'],
      kind: 'vaccines' as const,
    },
    {
      id: 'family-history-of-diabetes',
      name: 'family history of diabetes',
      en: ['mother had diabetes'],
      related: ['diabetes'],
      kind: 'family-history' as const,
    },
  ].map((row) => ({ kind: 'conditions' as const, ...row, source: 'own words' })),
);
const annotate = createAnnotator(() => vocabulary);

const ROLES: readonly Role[] = [
  'named',
  'namedWider',
  'mentioned',
  'mentionedWider',
  'negated',
  'ofOthers',
  'related',
  'prevented',
];
const NAMES = new Map(
  [
    'chest-pain',
    'pain',
    'fever',
    'diabetes',
    'family-history',
    'family-history-of-diabetes',
    'penicillin-allergy',
    'allergy',
    'stroke',
    'history-of-stroke',
    'influenza',
    'influenza-vaccine',
    'influenza-vaccine-nasal',
    'vaccine',
    'immunization-record',
  ].flatMap((slug) => ROLES.map((role) => [toMention(toConceptId(slug), role), `${slug} ${role}`] as const)),
);

const list = (text: Partial<AnnotatedText>): string[] =>
  annotate({ kind: 'condition', title: '', body: '', codes: [], ...text })
    .map((mention) => NAMES.get(mention) ?? 'unknown')
    .sort();

describe('the concepts of a text', () => {
  it('come from codes, the title and the body, with wider ones', () => {
    assert.deepEqual(
      list({ title: 'Chest pain', body: 'With fever', codes: ['http://hl7.org/fhir/sid/icd-10-cm|E11.9'] }),
      [
        'chest-pain named',
        'diabetes named',
        'family-history-of-diabetes related',
        'fever mentioned',
        'pain namedWider',
      ],
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

  it('are a vaccine where an immunization has the name of a disease, and never the disease', () => {
    const vaccine = [
      'immunization-record namedWider',
      'influenza prevented',
      'influenza related',
      'influenza-vaccine named',
      'vaccine namedWider',
    ];
    assert.deepEqual(list({ kind: 'immunization', title: 'Influenza' }), vaccine);
    assert.deepEqual(list({ kind: 'immunization', title: 'Influenza, 2019/20', body: 'Influenza' }), vaccine);
    assert.deepEqual(list({ kind: 'immunization', title: 'Vaccination', body: 'Had fever, not given' }), [
      'fever mentioned',
      'immunization-record namedWider',
      'vaccine namedWider',
    ]);
  });

  it('are a vaccine where a text names it by the disease, unless it says the disease too', () => {
    const isPrevented = (body: string): boolean => list({ body }).includes('influenza prevented');
    for (const body of [
      'Given the following immunizations: tetanus, influenza.',
      'Vaccinated against influenza',
      'Had the influenza vaccine',
      'Vacunas administradas: influenza',
      'Geimpft gegen influenza',
    ]) {
      assert.ok(isPrevented(body), body);
      assert.ok(!list({ body }).includes('influenza mentioned'), body);
    }
    for (const body of ['Immunizations: none. Has influenza', 'Influenza in spite of the influenza vaccine'])
      assert.ok(!isPrevented(body) && list({ body }).includes('influenza mentioned'), body);
  });

  it('are denied with the history that is denied', () => {
    assert.deepEqual(list({ body: 'No history of stroke.' }), [
      'history-of-stroke negated',
      'stroke negated',
    ]);
  });

  it('come from what somebody is said to be allergic to', () => {
    assert.deepEqual(list({ body: 'Allergic to penicillin per wife.' }), [
      'allergy mentionedWider',
      'penicillin-allergy mentioned',
    ]);
    assert.deepEqual(list({ body: 'Not known to be allergic. Denies being allergic to penicillin' }), [
      'penicillin-allergy negated',
    ]);
  });

  it('are of a relative where a phrase says that a relative had it', () => {
    for (const text of [{ body: 'Mother had diabetes.' }, { title: 'Family history of diabetes', body: '' }])
      assert.deepEqual(
        list(text).filter((each) => each.startsWith('diabetes')),
        ['diabetes ofOthers', ...(text.body === '' ? ['diabetes related'] : [])],
      );
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
