import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countTokens } from '../../../../test/harness/tokens.ts';
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

  it('leaves English prose as long as the limit of characters allows', () => {
    const prose = (rows[5] as string).repeat(1000).slice(0, MAX_RESULT_LENGTH);
    assert.ok(fitsOneAnswer(prose));
    assert.ok(!fitsOneAnswer(`${prose}.`));
  });

  it('is limited by tokens where those are many', () => {
    const digits = (rows[0] as string).repeat(1000).slice(0, MAX_RESULT_LENGTH);
    assert.ok(!fitsOneAnswer(digits));
  });
});
