import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DecisionTerms } from '../oauth/decision-terms.ts';
import { EnrollmentEntry } from '../organization/enrollment.ts';
import { createTestPatient } from '../organization/test-patients.ts';
import { setPassword } from './account.ts';
import { formatFullName, formatPersonName } from './person-name.ts';

describe('the name of a person', () => {
  const names: [what: string, name: string, shown: string][] = [
    ['is shown as it is', 'Seán O’Brien-Łoś', 'Seán O’Brien-Łoś'],
    ['does not turn what comes after it', 'O’Brien\u202e evil', 'O’Brien evil'],
    ['ends no isolation of the sentence', 'O’Brien\u2069\u2066', 'O’Brien'],
    ['from right to left is isolated', 'محمد', '\u2068محمد\u2069'],
    ['in another script from right to left is isolated', '𞤀𞤣𞤤𞤢𞤥', '\u2068𞤀𞤣𞤤𞤢𞤥\u2069'],
    ['from right to left cannot end its isolation', 'محمد\u2069\u202ex', '\u2068محمدx\u2069'],
    ['with a mark of direction is isolated', 'Ana\u200f', '\u2068Ana\u200f\u2069'],
    ['is one line', 'Ana\r\nApproved by\u2028the clinic', 'Ana Approved by the clinic'],
    ['keeps the joiners of its script', 'می\u200cرا 👩🏽\u200d⚕️', '\u2068می\u200cرا 👩🏽\u200d⚕️\u2069'],
    ['is not drawn over other lines', `Z${'\u0301'.repeat(40)}o`, 'Z\u0301\u0301\u0301o'],
  ];
  for (const [what, name, shown] of names) it(what, () => assert.equal(formatPersonName(name), shown));

  it('is isolated as a whole', () => {
    assert.equal(formatFullName({ firstName: 'Ana\u202e', lastName: 'محمد' }), '\u2068Ana محمد\u2069');
  });

  it('turns nothing after it, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        const within = formatPersonName(name).replace(/^\u2068|\u2069$/g, '');
        assert.doesNotMatch(within, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('is taken without what turns direction', () => {
    const given = ' O’Brien\u202e evil\n';
    const names = { firstName: given, lastName: given };
    const taken = { firstName: 'O’Brien evil', lastName: 'O’Brien evil' };
    const representative = { name: given, authority: 'guardian' };
    assert.equal(DecisionTerms.parse({ representative }).representative?.name, 'O’Brien evil');
    assert.partialDeepStrictEqual(EnrollmentEntry.parse({ email: 'a@b.example', ...names }), taken);
    assert.partialDeepStrictEqual(createTestPatient.body.parse(names), taken);
    const password = 'four lorries on a green hill';
    assert.partialDeepStrictEqual(
      setPassword.body.parse({ token: 't'.repeat(20), password, ...names }),
      taken,
    );
  });

  it('of nothing but that is refused', () => {
    const representative = { name: '\u202e\u2066', authority: 'guardian' };
    assert.equal(DecisionTerms.safeParse({ representative }).success, false);
  });
});
