import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { countTokens, listTokenMerges } from '../../../../test/harness/tokens.ts';
import { estimateTokens, fitsOneAnswer, MAX_RESULT_LENGTH } from './fit-length.ts';

const rows: readonly string[] = [
  '| 2021-03-05 09:15 | 128/82 | 81.40 | 36.6 | Observation/ab12cd34 (5) |\n',
  '| Nizatidine 150 MG Oral Capsule [Axid] | 12 orders, 2019-03-04 to 2021-06-01 | 1 tablet twice daily | MedicationRequest/0f9e8d7c (12) |\n',
  '|---|---|---|---|---|\n',
  'Der Blutdruck war während der Behandlung mit Acetylsalicylsäure unauffällig; Überprüfung in drei Wochen.\n',
  'La presión arterial sistólica fue de 130 mmHg durante la exploración física.\n',
  'The patient denies chest pain, shortness of breath and palpitations; continue metformin 500 mg twice daily.\n',
  '- code: Asthma [SNOMED CT 195967001 “Asthma (disorder)”; ICD-10-CM J45.909 “Unspecified asthma, uncomplicated”]\n',
  '患者は高血圧のため通院しています。\n',
  'Пациент жалуется на головную боль.\n',
];

/** Each takes more tokens than an estimate by letters or characters says, but the first. */
const SAMPLES: readonly string[] = [
  '患者因高血压和糖尿病在门诊随访,近期血压控制良好,继续服用药物。',
  'ታካሚው የደም ግፊት አለው እና መድሃኒት ይወስዳል። ',
  'ནད་པའི་ཁྲག་ཤེད་མཐོ་བ། ',
  'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ',
  'ߒߞߏ ꦗꦮ ᚠᚢᚦ 𓂀𓁹 𒀀𒁀 ',
  '龘靐齉爩鱻麤 𠀀𠀁𠮷 ',
  'TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24=',
  'aQzXkWqPvRtYjLmNbGhFdSxC zqxjkvbp QZXJKVWP ',
  '}{/\\^~%#@!$&*()_+=-[]|;:<>,.?`"\'',
  '😀🩺💊🧬👩🏽‍⚕️🏳️‍🌈 ',
  '\u202E\u200B\u00AD\uFFFD\uD800 ',
  "it's THEY'RE we'll I'd ",
];

/** First and last characters of what random texts are made of. */
const SCRIPTS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  latin: [
    [0x61, 0x7a],
    [0xc0, 0x24f],
  ],
  greek: [[0x370, 0x3ff]],
  cyrillic: [
    [0x400, 0x4ff],
    [0x20, 0x20],
  ],
  hebrew: [
    [0x5d0, 0x5ea],
    [0x20, 0x20],
  ],
  arabic: [
    [0x620, 0x64a],
    [0x20, 0x20],
  ],
  devanagari: [[0x904, 0x94d]],
  thai: [[0xe01, 0xe3a]],
  tibetan: [[0xf00, 0xf47]],
  georgian: [[0x10d0, 0x10ff]],
  hangul: [[0xac00, 0xacff]],
  kana: [[0x3041, 0x30ff]],
  han: [[0x4e00, 0x9fff]],
  rareHan: [[0x20000, 0x200ff]],
  emoji: [[0x1f300, 0x1faff]],
  marks: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
    [0x2010, 0x20bf],
  ],
  space: [
    [0x9, 0xd],
    [0x20, 0x20],
    [0xa0, 0xa0],
  ],
};

const listCharacters = (ranges: readonly (readonly [number, number])[]): string =>
  ranges
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n)),
    )
    .join('');

function assertFromAbove(text: string): void {
  const [estimate, tokens] = [estimateTokens(text), countTokens(text)];
  assert.ok(estimate >= tokens, `${estimate} < ${tokens}: ${JSON.stringify(text.slice(0, 200))}`);
}

describe('the length of an answer', () => {
  it('is estimated from above for what answers are made of', () => {
    for (const row of rows) {
      const text = row.repeat(50);
      assert.ok(
        estimateTokens(text) >= countTokens(text),
        `${estimateTokens(text)} < ${countTokens(text)}: ${row}`,
      );
    }
  });

  it('is estimated from above for any mixture of it', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...rows), { minLength: 1, maxLength: 60 }), (some) => {
        const text = some.join('');
        assert.ok(estimateTokens(text) >= countTokens(text));
      }),
      { numRuns: 50 },
    ));

  it('is estimated from above for scripts of all kinds, codes and nonsense', () => {
    for (const text of SAMPLES) assertFromAbove(text.repeat(20));
    // The tokenizer itself takes the square of a piece.
    for (const ranges of Object.values(SCRIPTS)) assertFromAbove(listCharacters(ranges).slice(0, 600));
  });

  it('is estimated from above for random texts of any script', () => {
    const scripts = Object.values(SCRIPTS).map((ranges) => {
      const characters = Array.from(listCharacters(ranges)).slice(0, 4000);
      return fc.string({ unit: fc.constantFrom(...characters), maxLength: 120 });
    });
    const words = fc.string({
      unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz')),
      maxLength: 12,
    });
    const codes = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
    const text = fc.oneof(
      words,
      codes,
      fc.base64String({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
      ...scripts,
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), fc.constantFrom('', ' ', '\n', '. '), (texts, between) =>
        assertFromAbove(texts.join(between)),
      ),
      { numRuns: 100 },
    );
  });

  it('is estimated closely for Chinese', () => {
    const text = (SAMPLES[0] as string).repeat(20);
    assert.ok(
      estimateTokens(text) <= countTokens(text) * 1.15,
      `${estimateTokens(text)} of ${countTokens(text)}`,
    );
  });

  it('is estimated by the first merges of the tokenizer', () => {
    const stored: unknown = JSON.parse(readFileSync(`${import.meta.dirname}/token-merges.json`, 'utf8'));
    assert.deepEqual(stored, listTokenMerges(), 'run tools/write-token-merges.ts');
  });

  it('leaves English and Spanish prose as long as the limit of characters allows', () => {
    for (const row of [rows[5], rows[4]]) {
      const prose = (row as string).repeat(1000).slice(0, MAX_RESULT_LENGTH);
      assert.ok(fitsOneAnswer(prose), row);
      assert.ok(!fitsOneAnswer(`${prose}.`));
    }
  });

  it('is limited by tokens where those are many', () => {
    const digits = (rows[0] as string).repeat(1000).slice(0, MAX_RESULT_LENGTH);
    assert.ok(!fitsOneAnswer(digits));
  });
});
