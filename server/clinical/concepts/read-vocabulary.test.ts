import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CONCEPT_KINDS, ConceptLine, toConceptId } from './concept.ts';
import { findFaults } from './find-faults.ts';
import { KIND_CONCEPTS } from './kind-concepts.ts';
import { readConceptRows } from './read-vocabulary.ts';
import { compileVocabulary } from './vocabulary.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const measureHeap = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

describe('the vocabulary that is shipped', () => {
  const rows = readConceptRows();

  it('has rows of the form that the service takes them to be of', () => {
    for (const { kind: _, ...row } of rows) assert.deepEqual(ConceptLine.parse(row), row, row.id);
  });

  it('has no row that is a duplicate, too general, broader than itself, or related to nothing', () => {
    assert.deepEqual(findFaults(rows), []);
  });

  it('has more than 2,000 concepts, of every kind, with the source of each', () => {
    assert.ok(rows.length > 2_000, String(rows.length));
    assert.deepEqual([...new Set(rows.map(({ kind }) => kind))].sort(), [...CONCEPT_KINDS].sort());
  });

  it('has the concepts that entries have by their kind', () => {
    const slugs = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      Object.values(KIND_CONCEPTS)
        .flat()
        .filter((slug) => !slugs.has(slug)),
      [],
    );
  });

  it('takes at most 30 MB of memory', () => {
    const before = measureHeap();
    const vocabulary = compileVocabulary(readConceptRows());
    // All of it: what nobody asked for takes less.
    for (const phrase of vocabulary.listPhrases()) assert.ok(vocabulary.findPhrases(phrase, 'question'));
    for (const { codes } of rows) vocabulary.findByCode('http://loinc.org', codes?.loinc?.[0] ?? '');
    for (const { id } of rows) assert.ok(vocabulary.getConcept(toConceptId(id))?.treatments);
    const bytes = measureHeap() - before;
    assert.ok(vocabulary.findPhrases('heart attack', 'question').length > 0);
    assert.ok(bytes < 30e6, `${(bytes / 1e6).toFixed(1)} MB`);
  });
});
