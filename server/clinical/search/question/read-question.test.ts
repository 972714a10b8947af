import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConceptKind, ConceptRow } from '../../concepts/concept.ts';
import { compileVocabulary } from '../../concepts/vocabulary.ts';
import { createQuestionReader } from './read-question.ts';

const row = (kind: ConceptKind, id: string, more: Partial<ConceptRow> = {}): ConceptRow => ({
  id,
  name: id.replaceAll('-', ' '),
  source: 'own words',
  ...more,
  kind,
});

const VOCABULARY = compileVocabulary([
  row('conditions', 'myocardial-infarction', {
    en: ['heart attack'],
    es: ['infarto', 'ataque al corazón'],
    de: ['Herzinfarkt'],
    short: ['MI'],
    related: ['troponin'],
  }),
  row('conditions', 'hypertension', { en: ['high blood pressure'], es: ['presión alta'], short: ['HTN'] }),
  row('conditions', 'multiple-sclerosis', { short: ['MS'], related: ['interferon-beta'] }),
  row('conditions', 'mitral-stenosis', { short: ['MS'] }),
  row('conditions', 'breast-cancer'),
  row('conditions', 'first-degree-burn'),
  row('conditions', 'diabetes', {
    en: ['sugar disease'],
    de: ['Zuckerkrankheit'],
    related: ['hemoglobin-a1c'],
  }),
  row('conditions', 'recurrent-urinary-tract-infection'),
  row('symptoms', 'chest-pain', { de: ['Brustschmerzen'] }),
  row('body-parts', 'heart', { es: ['corazón'], de: ['Herz'] }),
  row('drugs', 'interferon-beta'),
  row('drugs', 'metformin', { brands: ['Glucophage'] }),
  row('drugs', 'morphine-sulfate', { short: ['MS'] }),
  row('drugs', 'penicillin'),
  row('devices', 'nebulizer'),
  row('conditions', 'old-myocardial-infarction', {
    name: 'history of myocardial infarction',
    es: ['antecedentes de infarto'],
  }),
  row('conditions', 'schizophrenia'),
  row('tests', 'troponin'),
  row('tests', 'hemoglobin-a1c', { short: ['A1c', 'HbA1c'] }),
  row('tests', 'blood-pressure', { es: ['presión arterial'], de: ['Blutdruck'], short: ['BP'] }),
  row('vaccines', 'tetanus-vaccine', {
    en: ['tetanus shot'],
    es: ['vacuna contra el tétanos'],
    de: ['Tetanusimpfung'],
  }),
  row('drug-classes', 'antihypertensive', {
    en: ['blood pressure pill'],
    es: ['pastilla para la presión arterial'],
  }),
  row('drugs', 'iron-supplement', { en: ['iron pill'] }),
  row('conditions', 'influenza', { en: ['flu'] }),
  row('tests', 'influenza-test', { en: ['flu test'] }),
  row('visits', 'encounter', { en: ['visit to doctor', 'visit'] }),
  row('tests', 'urine-glucose', { en: ['sugar in urine'] }),
  row('procedures', 'tubal-ligation', { en: ['tubes tied'] }),
  row('procedures', 'history-of-colonoscopy', { en: ['had a colonoscopy'] }),
  row('procedures', 'surgery', { en: ['operation'] }),
  row('family-history', 'family-history', {}),
  row('family-history', 'family-history-of-breast-cancer', {}),
  row('procedures', 'knee-replacement', { en: ['knee surgery'] }),
  row('conditions', 'death', { said: { en: ['did he die', 'did she die'] } }),
  row('social-history', 'smoking', { de: ['raucht'] }),
  row('visits', 'emergency-visit', { short: ['ER'] }),
  row('body-parts', 'lung'),
  row('conditions', 'heart-disease', { said: { en: ['bad heart'] } }),
  row('procedures', 'x-ray'),
  row('procedures', 'chest-x-ray', { en: ['lung x-ray'], broader: ['x-ray'] }),
  row('procedures', 'knee-x-ray', { broader: ['x-ray'] }),
  row('procedures', 'colonoscopy', { es: ['colonoscopia'], de: ['Darmspiegelung'] }),
]);
const read = createQuestionReader(() => VOCABULARY);
const ask = (query: string) => read(query, '2026-11-20');

/** The concepts of a question by their slugs, those of one phrase joined by a bar. */
const slugs = (query: string): string[] =>
  ask(query).concepts.map(({ readAs }) => readAs.map(({ slug }) => slug).join('|'));
const words = (query: string): string[] => ask(query).words.map(({ text }) => text);

describe('the concepts of a question', () => {
  it('are the longest phrases in three languages, by lay words, shorthand and brands', () => {
    for (const [query, expected] of [
      ['heart attack', 'myocardial-infarction'],
      ['ataque al corazon', 'myocardial-infarction'],
      ['Herzinfarkt', 'myocardial-infarction'],
      ['htn', 'hypertension'],
      ['a1c', 'hemoglobin-a1c'],
      ['Glucophage', 'metformin'],
    ] as const) {
      assert.deepEqual(slugs(query), [expected], query);
      assert.deepEqual(words(query), [], query);
    }
    assert.deepEqual(slugs('heart attack troponin'), ['myocardial-infarction', 'troponin']);
  });

  it('stand in questions, whose other words are left out', () => {
    for (const query of [
      'what is my blood pressure?',
      'Can you please show me my blood pressure',
      '¿Cuál fue mi presión arterial?',
      'Welchen Blutdruck habe ich gehabt?',
      'have I ever had my BP checked',
      "what's my blood pressure been like",
    ]) {
      assert.deepEqual(slugs(query), ['blood-pressure'], query);
      assert.deepEqual(words(query), [], query);
    }
  });

  it('are phrases also with words of the question between theirs', () => {
    assert.deepEqual(slugs('has my heart ever been attacked'), ['myocardial-infarction']);
    for (const query of ['is there sugar in my urine', 'have my tubes been tied'])
      assert.equal(slugs(query).length, 1, query);
    assert.deepEqual(slugs('have my tubes been tied'), ['tubal-ligation']);
    assert.equal(ask('have my tubes been tied').concepts[0]?.phrase, 'tubes been tied');
  });

  it('are also what a history or a high value is of', () => {
    assert.deepEqual(slugs('had a colonoscopy before'), ['history-of-colonoscopy|colonoscopy']);
    assert.deepEqual(slugs('high blood pressure'), ['hypertension|blood-pressure']);
    assert.deepEqual(slugs('antecedentes de infarto'), ['old-myocardial-infarction|myocardial-infarction']);
  });

  it('are none of the forms of a drug that is named', () => {
    assert.deepEqual(slugs('metformin nebulizer'), ['metformin']);
    assert.deepEqual(slugs('nebulizer'), ['nebulizer']);
  });

  it('are those behind the signs of notes', () => {
    for (const query of ['h/o MI', 's/p mi', 'r/o heart attack']) {
      assert.deepEqual(slugs(query), ['myocardial-infarction'], query);
      assert.deepEqual(words(query), [], query);
    }
  });

  it('are one where two phrases mean the same', () => {
    assert.deepEqual(slugs('heart attack (MI)'), ['myocardial-infarction']);
  });

  it('of an abbreviation with several meanings are those that the rest of the question is about, else all', () => {
    assert.deepEqual(slugs('MS'), ['multiple-sclerosis|mitral-stenosis|morphine-sulfate']);
    assert.deepEqual(slugs('MS interferon beta'), ['multiple-sclerosis', 'interferon-beta']);
    assert.deepEqual(slugs('ms pills'), ['morphine-sulfate']);
  });

  it('are none where an abbreviation is a word of the language', () => {
    assert.deepEqual(slugs('cuándo fue mi última colonoscopia'), ['colonoscopy']);
    assert.deepEqual(slugs('history of mi'), ['myocardial-infarction']);
    assert.deepEqual(slugs('¿tuve un MI?'), ['myocardial-infarction']);
    assert.deepEqual(slugs('mi'), ['myocardial-infarction']);
    for (const query of ['Raucht er?', 'wächst er'])
      assert.ok(!slugs(query).includes('emergency-visit'), query);
    assert.deepEqual(slugs('last visit to the er'), ['emergency-visit']);
  });

  it('are of what an image shows, whichever is said first', () => {
    for (const query of ['x-ray of his lungs', 'lung x-ray'])
      assert.deepEqual(slugs(query), ['chest-x-ray'], query);
    assert.deepEqual(slugs('x-ray'), ['x-ray']);
  });

  it('are those that go on behind words that say little', () => {
    assert.deepEqual(slugs('had a bad heart attack'), ['myocardial-infarction']);
    assert.deepEqual(slugs('is her bad heart better'), ['heart-disease']);
  });

  it('know dying from an article', () => {
    for (const query of ['what did he die of', 'when did she die', 'when did he die'])
      assert.deepEqual(slugs(query), ['death'], query);
    assert.deepEqual(slugs('what did he have'), []);
    assert.deepEqual(slugs('wie war die Darmspiegelung'), ['colonoscopy']);
  });
});

describe('the spelling of a question', () => {
  it('is repaired towards phrases that are known', () => {
    for (const [query, slug, spelled] of [
      ['metfromin', 'metformin', 'metformin'],
      ['hart atack', 'myocardial-infarction', 'heart attack'],
      ['colonoscapy', 'colonoscopy', 'colonoscopy'],
      ['diabetis', 'diabetes', 'diabetes'],
      // What sounds the same, more than two letters away.
      ['skitzophrenia', 'schizophrenia', 'schizophrenia'],
      [
        'recurrant urinary tract infecton',
        'recurrent-urinary-tract-infection',
        'recurrent urinary tract infection',
      ],
    ] as const) {
      const { concepts } = ask(query);
      assert.deepEqual(
        concepts.map(({ phrase, spelled, readAs }) => [phrase, spelled, readAs[0]?.slug]),
        [[query, spelled, slug]],
      );
    }
  });

  it('leaves known words, names, numbers and ordinary words alone', () => {
    for (const query of [
      'letzter',
      'Mutter',
      'cutting',
      'ladder',
      'Dr. Metfromin',
      'wheat',
      'heard',
      'abc1',
      'zzzzzz',
      'brest',
    ])
      assert.deepEqual(
        ask(query).concepts.filter(({ spelled }) => spelled !== null),
        [],
        query,
      );
  });

  it('takes other forms of a word, and words written together, without a remark', () => {
    for (const [query, slug] of [
      ['Tetanusimpfungen', 'tetanus-vaccine'],
      ['heartattack', 'myocardial-infarction'],
      ['Brustschmerz', 'chest-pain'],
    ] as const) {
      assert.deepEqual(slugs(query), [slug], query);
      assert.equal(ask(query).concepts[0]?.spelled, null, query);
    }
  });
});

describe('the time of a question', () => {
  it('is a window or an order, and no word', () => {
    const { window, words, concepts } = ask('blood pressure in 2019');
    assert.deepEqual(window, { from: '2019-01-01', to: '2019-12-31', phrase: 'in 2019', isRelative: false });
    assert.deepEqual([words.length, concepts.length], [0, 1]);
    assert.equal(ask('my last tetanus shot').order, 'newest');
    assert.equal(ask('cuándo fue mi primera colonoscopia').order, 'oldest');
    assert.equal(ask('letzte Darmspiegelung').order, 'newest');
    assert.equal(ask('a1c last month').window?.isRelative, true);
    assert.equal(ask('hypertension').window, null);
  });

  it('yields to a phrase that holds it', () => {
    const { order, concepts } = ask('first degree burn');
    assert.deepEqual([order, concepts[0]?.readAs[0]?.slug], [null, 'first-degree-burn']);
  });

  it('is counted from an event, unless nothing else is asked for', () => {
    const { anchor, concepts } = ask('blood pressure before my knee surgery');
    assert.deepEqual([anchor?.side, anchor?.readAs[0]?.slug], ['before', 'knee-replacement']);
    assert.deepEqual(
      concepts.map(({ phrase }) => phrase),
      ['blood pressure'],
    );
    assert.equal(ask('a1c since the heart attack').anchor?.side, 'after');
    assert.deepEqual(slugs('after knee surgery'), ['knee-replacement']);
  });
});

describe('the kinds of a question', () => {
  const kinds = (query: string): string[] => ask(query).kinds.map(({ kind }) => kind);

  it('are what is asked for, also when nothing else is', () => {
    for (const [query, kind] of [
      ['what am I allergic to', 'allergy'],
      ['a qué soy alérgico', 'allergy'],
      ['Welche Allergien habe ich?', 'allergy'],
      ['what meds do I take', 'medication'],
      ['welche Medikamente nehme ich', 'medication'],
      ['goals', 'goal'],
      ['who is my doctor', 'care_team'],
      ['my insurance', 'coverage'],
      ['¿qué vacunas tengo?', 'immunization'],
      ['my alergies', 'allergy'],
      ['list of medicatons', 'medication'],
    ] as const) {
      assert.equal(kinds(query)[0], kind, query);
      assert.deepEqual([slugs(query), words(query)], [[], []], query);
    }
    assert.deepEqual(
      [slugs('allergic to penicillin'), kinds('allergic to penicillin')],
      [['penicillin'], ['allergy']],
    );
  });

  it('are not taken from a phrase', () => {
    assert.deepEqual(kinds('tetanus shot'), []);
  });

  it('make a phrase with what they are asked of', () => {
    for (const query of [
      'which of my pills are for blood pressure',
      '¿qué pastillas tomo para la presión arterial?',
    ])
      assert.deepEqual(slugs(query), ['antihypertensive'], query);
    assert.deepEqual(slugs('does she take iron'), ['iron-supplement']);
    assert.deepEqual(slugs('was I tested for the flu'), ['influenza-test|influenza']);
    assert.deepEqual(slugs('penicillin allergy'), ['penicillin']);
  });

  it('may be named by a phrase, which is no thing then', () => {
    assert.deepEqual([kinds('my visits'), slugs('my visits')], [['visit'], []]);
    assert.deepEqual(slugs('when was I operated on'), []);
    assert.deepEqual([kinds('operations'), slugs('operations')], [['procedure'], ['surgery']]);
    assert.deepEqual(slugs('operation colonoscopy'), ['colonoscopy']);
  });

  it('may be of relatives', () => {
    for (const query of [
      'family history of breast cancer',
      'does my mother have breast cancer',
      'antecedentes familiares de breast cancer',
      'hat meine Mutter breast cancer',
    ]) {
      assert.equal(ask(query).people, /mother|Mutter/.test(query) ? 'relative' : 'family', query);
      assert.match(slugs(query)[0] ?? '', /^breast-cancer/, query);
      assert.deepEqual(words(query), [], query);
    }
    assert.deepEqual(slugs('family history of breast cancer'), [
      'breast-cancer|family-history-of-breast-cancer',
    ]);
    assert.equal(ask('family doctor').people, null);
    assert.deepEqual([kinds('family history'), slugs('family history')], [['family_history'], []]);
  });
});

describe('the words of a question', () => {
  it('are what is left, general ones and names with less weight', () => {
    assert.deepEqual(ask('heart attack at Boston general blood xyzzy').words, [
      { text: 'boston', weight: 0.5 },
      { text: 'general', weight: 1 },
      { text: 'blood', weight: 0.2 },
      { text: 'xyzzy', weight: 1 },
    ]);
  });

  it('are none of everyday talk beside what is understood, and all of them alone', () => {
    assert.deepEqual(words('what goals did the doctor set'), []);
    assert.deepEqual(words('how aggressive is the breast cancer'), []);
    assert.deepEqual(words('aggressive'), ['aggressive']);
  });

  it('are quoted phrases as written, which are not read', () => {
    const { words, unwanted, concepts } = ask('"heart attack" metformin -stairs -"left arm"');
    assert.deepEqual(words, [{ text: 'heart attack', weight: 1 }]);
    assert.deepEqual(unwanted, ['stairs', 'left arm']);
    assert.deepEqual(
      concepts.map(({ phrase }) => phrase),
      ['metformin'],
    );
  });

  it('are all of them where nothing else is understood', () => {
    assert.deepEqual(words('to be or not to be'), ['to', 'be', 'or', 'not']);
    for (const query of ['', '🤒', '"', ':* & | ! ( ) <->', '\u0000\u202E'])
      assert.deepEqual(words(query), [], query);
  });
});
