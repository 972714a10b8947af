import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { skip } from '../data/sample-data.ts';
import { createEmptyRecord, importBatch } from '../harness/import-record.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { readQuestion } from '../harness/vocabulary.ts';
import { evaluateQuery, readGradedRecord, type ScoredQuery } from './evaluate.ts';
import { isHeldOut, readGradedQueries } from './graded-queries.ts';
import { readRecordFiles } from './graded-records.ts';
import { summarize } from './score.ts';

/** Two bulk exports, whose lines are imported in a second or two; `npm run bench -- search-quality` asks all records. */
const SMALL = /^(synthea\/bulk-ndjson-v3-2024|uscore\/g10-bulk)#/;

/** What docs/search.md states of these records, less a tenth: one query more or less is no failure, a lost tier is. */
const MIN_NDCG = 0.8;
const MIN_NDCG_OF_NAMES = 0.85;
const MIN_RECALL = 0.8;
const MAX_FALSE_SHARE = 0.1;

/** An export keeps a log beside its resources. */
const isResource = (line: string): boolean => line.includes('"resourceType"');

describe('search on graded queries', { skip }, () => {
  let store: TestStore;
  const scored: ScoredQuery[] = [];
  before(async () => {
    store = await openTestStore();
    const queries = readGradedQueries().filter((query) => SMALL.test(query.record) && !isHeldOut(query));
    for (const [record, asked] of Map.groupBy(queries, (query) => query.record)) {
      const chart = await createEmptyRecord(store.db);
      const files = await readRecordFiles(record);
      const lines = files.flatMap(({ bytes }) => bytes.toString().split('\n').filter(isResource));
      await importBatch(store.db, chart, lines);
      const graded = await readGradedRecord(store.db, chart.access);
      for (const query of asked)
        scored.push(await evaluateQuery({ db: store.db, readQuestion }, graded, query));
    }
  });
  after(() => store.remove());

  it('finds what is meant, the best first, and rarely anything where there is nothing', () => {
    const [all] = summarize(scored);
    assert.ok(all);
    assert.ok(all.queries >= 80, `${all.queries} queries`);
    const worst = scored
      .filter(({ score }) => score.ndcg < 0.3 || score.isFalse === true)
      .map(({ query }) => `${query.kind}: ${query.query}`);
    assert.ok(all.ndcg >= MIN_NDCG, `nDCG@10 ${all.ndcg}: ${worst.join(', ')}`);
    assert.ok(all.recall >= MIN_RECALL, `recall@20 ${all.recall}: ${worst.join(', ')}`);
    assert.ok(all.falseShare <= MAX_FALSE_SHARE, `false answers ${all.falseShare}: ${worst.join(', ')}`);
  });

  it('answers brands, classes and shorthand nearly as well as the words of the record', () => {
    const kinds = new Set(['plain', 'misspelled', 'brand', 'class', 'shorthand']);
    const [all] = summarize(scored.filter(({ query }) => kinds.has(query.kind)));
    assert.ok(all && all.ndcg >= MIN_NDCG_OF_NAMES, `nDCG@10 ${all?.ndcg}`);
  });
});
