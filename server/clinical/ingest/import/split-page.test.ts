import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitPage, type Page } from './split-page.ts';

/** Texts of notes are long, and so may be any other string of an entry. */
const entry = (seq: number, length: number) => ({
  seq,
  entry:
    seq % 2 === 0 ? { kind: 'note', detail: { text: 'x'.repeat(length) } } : { title: 'x'.repeat(length) },
});

const buildPage = (...lengths: number[]): Page =>
  ({
    seqs: lengths.map((_, index) => index + 1),
    entries: lengths.map((length, index) => entry(index + 1, length)),
    requiredLabels: lengths.map((_, index) => ({ seq: index + 1 })),
    contents: [{ seq: 2 }],
    periods: [{ seq: 1 }],
  }) as unknown as Page;

describe('a page of entries', () => {
  it('stays as it is where its entries are short', () => {
    const page = buildPage(100, 2000, 300_000);
    assert.deepEqual(splitPage(page), [page]);
  });

  it('is split between resources where they are long, and nothing is lost or twice (case 353)', () => {
    const page = buildPage(600_000, 600_000, 1_800_000, 10, 20);
    const parts = splitPage(page);
    assert.deepEqual(
      parts.map(({ seqs }) => seqs),
      [[1], [2], [3], [4, 5]],
    );
    for (const field of ['seqs', 'entries', 'requiredLabels', 'contents', 'periods'] as const)
      assert.deepEqual(
        parts.flatMap((part): unknown[] => part[field]),
        page[field],
      );
    assert.deepEqual(parts[1]?.contents, page.contents);
  });
});
