import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getVocabulary, readQuestion } from '../../../../test/harness/vocabulary.ts';
import { toConceptId } from '../../concepts/concept.ts';
import { readTurnLines, TurnLine } from './turns-of-speech.ts';

const read = (query: string): string[] =>
  readQuestion(query, '2024-01-01').concepts.map(
    ({ phrase, readAs }) => `${phrase} → ${readAs[0]?.slug ?? ''}`,
  );

describe('turns of speech', () => {
  it('name concepts and groups that there are', () => {
    const lines = readTurnLines();
    const groups = new Set(lines.flatMap((line) => ('group' in line ? `$${line.group}` : [])));
    for (const line of lines) {
      TurnLine.parse(line);
      if ('group' in line) continue;
      for (const slug of line.means) assert.ok(getVocabulary().getConcept(toConceptId(slug)), slug);
      for (const part of line.say.flatMap((say) => say.split(' ')))
        for (const word of part.split('|'))
          assert.ok(word.startsWith('$') ? groups.has(word) : /^=?[^\s$=|]+$/.test(word), part);
    }
  });

  it('are read in any order and form, with words between, of more words than the phrases in them', () => {
    assert.deepEqual(read('her lungs are completely knackered'), ['lungs are completely knackered → copd']);
    assert.deepEqual(read('a stone that just does not want to come'), [
      'stone that just does not want to come → kidney-stone',
    ]);
    assert.deepEqual(read('big vessel in the belly that is bulging'), [
      'vessel in the belly that is bulging → aortic-aneurysm',
    ]);
  });

  it('do not go across what is quoted, nor take the word of one thing for another', () => {
    assert.deepEqual(read('snores "fracture" homeless'), ['snores → snoring', 'homeless → homelessness']);
    assert.deepEqual(read('the time he got burned'), ['burned → burn']);
    assert.deepEqual(read('which jabs did she have before she turned 13'), []);
  });

  it('leave what the vocabulary knows as a whole, and what stands far away', () => {
    assert.deepEqual(read('brittle bones'), ['brittle bones → osteoporosis']);
    assert.deepEqual(
      read('lungs, after many long quiet boring happy rainy days, gone').map((each) => each.split(' ')[0]),
      ['lungs'],
    );
  });

  it('take blood for no bleeding, in any language', () => {
    for (const query of ['sangre culture', 'sangre', 'Blut', 'blood'])
      assert.deepEqual(read(query), [], query);
    for (const query of ['sangre', 'Blut', 'blood'])
      assert.deepEqual(readQuestion(query, '2024-01-01').words, [{ text: 'blood', weight: 0.2 }], query);
    assert.deepEqual(read('cultivo de sangre'), ['cultivo de sangre → blood-culture']);
    for (const query of ['sangra', 'sangrado', 'sangrar', 'Blutungen', 'blutet'])
      assert.deepEqual(read(query).length, 1, query);
  });

  it('see nothing in words that name nothing', () => {
    assert.deepEqual(read('everything is falling apart'), []);
  });

  it('are none of words that ask for a kind of entries', () => {
    for (const [kind, queries] of [
      [
        'medication',
        [
          'what medicines am I taking',
          'what medication do I take',
          'which drugs do I take',
          'which pills is she on',
          'list all my medicines',
          'medicines I do not take',
          'qué medicamentos tomo',
          'welche Medikamente nehme ich',
        ],
      ],
      ['condition', ['what conditions do I have', 'qué enfermedades tengo', 'welche Krankheiten habe ich']],
      ['allergy', ['which allergies do I have', 'qué alergias tengo']],
      ['immunization', ['what vaccines did I get', 'what jabs has he had', 'qué vacunas me pusieron']],
      ['procedure', ['what operations have I had', 'qué operaciones he tenido']],
      ['lab', ['what tests were done', 'what blood tests did I have', 'qué análisis me hicieron']],
    ] as const)
      for (const query of queries) {
        const { concepts, kinds } = readQuestion(query, '2024-01-01');
        assert.equal(kinds[0]?.kind, kind, query);
        // Operations are not all procedures.
        assert.deepEqual(
          concepts.flatMap(({ readAs }) => readAs.map(({ slug }) => slug)),
          kind === 'procedure' ? ['surgery'] : [],
          query,
        );
      }
    assert.deepEqual(read('was I tested for allergies'), ['tested for allergies → allergy-panel']);
    assert.deepEqual(read('is she on the pill'), ['on the pill → contraceptive']);
    assert.deepEqual(read('drug test'), ['drug test → drug-screen']);
  });

  it('are of the question’s own language', () => {
    assert.deepEqual(
      read('he comes up in welts').filter((each) => each.includes('allergy')),
      [],
    );
  });
});
