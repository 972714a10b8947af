import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitPage, type Page } from './split-page.ts';

const note = (seq: number, length: number) => ({
  seq,
  entry: { kind: 'note', detail: { text: 'x'.repeat(length) } },
});

const buildPage = (...lengths: number[]): Page =>
  ({
    seqs: lengths.map((_, index) => index + 1),
    entries: lengths.map((length, index) => note(index + 1, length)),
    requiredLabels: lengths.map((_, index) => ({ seq: index + 1 })),
    contents: [{ seq: 2 }],
    periods: [{ seq: 1 }],
  }) as unknown as Page;

describe('a page of entries', () => {
  it('stays as it is where its texts are short', () => {
    const page = buildPage(100, 2000, 300_000);
    assert.deepEqual(splitPage(page), [page]);
  });

  it('is split between resources where they are long, and nothing is lost or twice', () => {
    const page = buildPage(300_000, 300_000, 900_000, 10, 20);
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
