import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { normalizeUnit, normalizeValue, normalizeWords } from './normalize-value.ts';

describe('normalized values', () => {
  it('are equal where the numbers are, however they are written', () => {
    for (const [one, other] of [
      ['98.60', '98.6'],
      ['0.0', '0'],
      ['100', '1E2'],
      ['0.001', '1e-3'],
      ['<0.10', '< 0.1'],
      ['007', '7'],
      ['-5.0', '-5'],
      ['Positive', 'positive (qualifier value)'],
    ] as const)
      assert.equal(normalizeValue(one), normalizeValue(other), `${one} ${other}`);
  });

  it('differ where the numbers do', () => {
    for (const [one, other] of [
      ['1', '10'],
      ['0.1', '0.01'],
      ['<5', '5'],
      ['-5', '5'],
      ['9007199254740993', '9007199254740992'],
      ['Positive', 'Negative'],
    ] as const)
      assert.notEqual(normalizeValue(one), normalizeValue(other), `${one} ${other}`);
  });

  it('agree with arithmetic on any decimal', () =>
    fc.assert(
      fc.property(fc.integer(), fc.nat(6), fc.nat(4), (digits, places, zeros) => {
        const written = (digits / 10 ** places).toFixed(places);
        const longer = places === 0 ? written : `${written}${'0'.repeat(zeros)}`;
        assert.equal(normalizeValue(longer), normalizeValue(written));
        assert.equal(normalizeValue(written) === normalizeValue('1'), Number(written) === 1);
      }),
    ));

  it('have units by their meaning, and none where the unit is empty', () => {
    assert.equal(normalizeUnit('mm[Hg]'), normalizeUnit('mmHg'));
    assert.equal(normalizeUnit('[lb_av]'), normalizeUnit('lbs'));
    assert.equal(normalizeUnit('degrees C'), normalizeUnit('Cel'));
    assert.equal(normalizeUnit('mg/dL'), normalizeUnit('MG/DL'));
    assert.notEqual(normalizeUnit('Cel'), normalizeUnit('[degF]'));
    assert.deepEqual(
      [normalizeUnit('1'), normalizeUnit('{score}'), normalizeUnit(' '), normalizeUnit(null)],
      [null, null, null, null],
    );
  });

  it('are words with normalized numbers', () => {
    assert.equal(normalizeWords('Take 1.0  tablet, daily.'), normalizeWords('take 1 tablet daily'));
    assert.notEqual(normalizeWords('1 tablet'), normalizeWords('10 tablets'));
  });
});
