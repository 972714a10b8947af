import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GradedQuery } from './graded-queries.ts';
import { readTraits, type Traits } from './relevance.ts';
import { scoreAnswer, summarize } from './score.ts';

const toTraits = (type: string, text: string): Traits => readTraits({ resourceType: type, code: { text } });
const asthma = toTraits('Condition', 'Asthma');
const inhaler = toTraits('MedicationRequest', 'Albuterol');
const gout = toTraits('Condition', 'Gout');
const query: GradedQuery = {
  id: 'x-1',
  record: 'x',
  kind: 'plain',
  query: 'asthma',
  relevant: [
    { match: { types: ['Condition'], text: ['asthma'] }, grade: 3 },
    { match: { text: ['albuterol'] }, grade: 2 },
  ],
};
const nothing: GradedQuery = { ...query, kind: 'nothing', relevant: [], nothing: true };

describe('the score of an answer', () => {
  it('is one for the best order, less for a worse one, and nothing without an answer', () => {
    assert.equal(scoreAnswer(query, [[asthma], [inhaler]]).ndcg, 1);
    const swapped = scoreAnswer(query, [[inhaler], [asthma]]).ndcg;
    const late = scoreAnswer(query, [[gout], [asthma], [inhaler]]).ndcg;
    assert.ok(swapped < 1 && late < swapped && late > 0, `${swapped} ${late}`);
    assert.equal(scoreAnswer(query, [[gout]]).ndcg, 0);
    assert.equal(scoreAnswer(query, []).ndcg, 0);
  });

  it('counts every group once, and of the rows the first twenty', () => {
    assert.equal(scoreAnswer(query, [[asthma], [asthma], [asthma]]).recall, 0.5);
    assert.equal(scoreAnswer(query, [...Array.from({ length: 19 }, () => [gout]), [asthma]]).recall, 0.5);
    assert.equal(scoreAnswer(query, [...Array.from({ length: 20 }, () => [gout]), [asthma]]).recall, 0);
  });

  it('of a query that nothing answers is whether anything is shown', () => {
    assert.equal(scoreAnswer(nothing, [[gout]]).isFalse, true);
    assert.equal(scoreAnswer(nothing, []).isFalse, false);
    const scores = [
      { query, score: scoreAnswer(query, [[asthma], [inhaler]]) },
      { query: nothing, score: scoreAnswer(nothing, [[gout]]) },
    ];
    assert.deepEqual(summarize(scores)[0], { kind: 'all', queries: 2, ndcg: 1, recall: 1, falseShare: 1 });
  });
});
