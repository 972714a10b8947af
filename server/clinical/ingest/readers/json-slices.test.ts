import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createJsonSlicer, type SliceOptions } from './json-slices.ts';
import { RESOURCE_LIMITS } from '../../../../documents/fhir/resource-limits.ts';

/** `key[index] text` of every slice, then the final state. */
function cut(wanted: SliceOptions, ...chunks: (string | Buffer)[]): string[] {
  const slicer = createJsonSlicer(wanted);
  const lines = chunks.flatMap((chunk) =>
    slicer.push(Buffer.from(chunk)).map((slice) => {
      const place = slice.index < 0 ? slice.key : `${slice.key}[${slice.index}]`;
      return `${place} ${'refused' in slice ? slice.refused : slice.bytes.toString()}`;
    }),
  );
  return [...lines, slicer.state()];
}

const ENTRIES: SliceOptions = { elementsOf: 'entry', values: new Set(['type', 'n']) };
const TRICKY =
  '\u{FEFF} {"a\\"entry" : ["}", {"x":"]\\\\"}], "ent\\u0072y":[ {"q":"\\\\\\"}{["} ,\r\n[1,[2]],"s\\\\", -1.50e+3 ,' +
  'null,{}], "n" : 1.00,"list":{"entry":[1]},"type":"é\u{1F600}\\u00e9" } \n';
const TRICKY_SLICES = [
  'entry[0] {"q":"\\\\\\"}{["}',
  'entry[1] [1,[2]]',
  'entry[2] "s\\\\"',
  'entry[3] -1.50e+3',
  'entry[4] null',
  'entry[5] {}',
  'n 1.00',
  'type "é\u{1F600}\\u00e9"',
  'complete',
];

describe('cutting JSON into slices', () => {
  it('finds the requested elements and values, byte for byte', () => {
    assert.deepEqual(cut(ENTRIES, TRICKY), TRICKY_SLICES);
  });

  it('finds the same wherever the document is split', () => {
    const bytes = Buffer.from(TRICKY);
    for (let at = 0; at <= bytes.length; at += 1) {
      assert.deepEqual(
        cut(ENTRIES, bytes.subarray(0, at), bytes.subarray(at)),
        TRICKY_SLICES,
        `split at ${at}`,
      );
    }
    assert.deepEqual(cut(ENTRIES, ...Array.from(bytes, (_, n) => bytes.subarray(n, n + 1))), TRICKY_SLICES);
  });

  it('reports at every cut that the document is not complete, and keeps the slices before it', () => {
    const bytes = Buffer.from(TRICKY.trimEnd());
    for (let at = 0; at < bytes.length; at += 1) {
      const lines = cut(ENTRIES, bytes.subarray(0, at));
      assert.equal(lines.pop(), 'open');
      assert.deepEqual(lines, TRICKY_SLICES.slice(0, lines.length));
    }
  });

  it('cuts a top-level array, and a whole document without the white space around it', () => {
    assert.deepEqual(cut({}, '[{"a":1}, 2 ]'), ['[0] {"a":1}', '[1] 2', 'complete']);
    assert.deepEqual(cut({}, ' [ ] '), ['complete']);
    assert.deepEqual(cut({ document: true }, '\u{FEFF}\r\n {"a" : [1]} \n'), [' {"a" : [1]}', 'complete']);
  });

  it('detects what is not JSON between the slices', () => {
    const broken = [
      '{,}',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{"a":1 2}',
      '[1,]',
      '[1 2]',
      '{}x',
      'x',
      '{"a":[}',
      '[}',
    ];
    for (const text of broken) assert.equal(cut({}, text).at(-1), 'broken', text);
    assert.equal(cut({}, "{'a':1}").at(-1), 'broken');
    assert.equal(cut({}, '// note\n{}').at(-1), 'broken');
  });

  it('yields the entries before a break', () => {
    assert.deepEqual(cut(ENTRIES, '{"entry":[{"a":1},{"b":[1}]}'), ['entry[0] {"a":1}', 'broken']);
  });

  it('skips a slice that is too large and continues', () => {
    const big = 'x'.repeat(1024 * 1024);
    const chunks = Array.from({ length: 33 }, () => big);
    assert.deepEqual(cut(ENTRIES, '{"entry":[{"a":"', ...chunks, '"},{"b":1}]}'), [
      'entry[0] resource_too_large',
      'entry[1] {"b":1}',
      'complete',
    ]);
  });

  it('skips a slice that is nested too deep, up to a million levels, and continues', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const { depth } = RESOURCE_LIMITS;
    const document = `[${deep(depth)},${deep(depth + 1)},${deep(1_000_000)},1]`;
    assert.deepEqual(cut({}, document), [
      `[0] ${deep(depth)}`,
      '[1] too_deep',
      '[2] too_deep',
      '[3] 1',
      'complete',
    ]);
  });
});
