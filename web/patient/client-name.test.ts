import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { patientEn as en } from './words/en.ts';
import { formatClientName } from './client-name.ts';

const shown = (name: string | null): string => formatClientName({ name }, en);

describe("a client's own name", () => {
  const names: [what: string, name: string | null, shown: string][] = [
    ['is shown as it is', 'Claude', 'Claude'],
    ['in any script is shown as it is', '医療アシスタント', '医療アシスタント'],
    ['keeps its accents', 'Señor Médico', 'Señor Médico'],
    ['is ours when there is none', null, 'Unnamed app'],
    ['is ours when it is blank', ' \t\n ', 'Unnamed app'],
    ['is ours when nothing of it can be seen', '\u200b\u2060\ufeff\u00ad', 'Unnamed app'],
    ['stays on one line', 'Claude\r\n\r\nVerified by\u2028your clinic', 'Claude Verified by your clinic'],
    ['does not turn the sentence around', 'Claude\u202egnp.exe', 'Claudegnp.exe'],
    ['holds nothing that is drawn by chance', 'Cl\ue000au\u0378de', 'Claude'],
    ['of another direction is isolated', 'مساعد', '\u2068مساعد\u2069'],
    ['that ends an isolation cannot end ours', 'مساعد\u2069x', '\u2068مساعدx\u2069'],
    ['is not drawn over other lines', `Z\u0335${'\u0301'.repeat(40)}o`, 'Z\u0335\u0301\u0301o'],
    ['keeps the marks that letters need', 'की\u0902 Tiê\u0323\u0301ng', 'की\u0902 Tiê\u0323\u0301ng'],
    [
      'keeps what joins emoji',
      '\u{1f469}\u{1f3fd}\u200d\u2695\ufe0f',
      '\u{1f469}\u{1f3fd}\u200d\u2695\ufe0f',
    ],
    ['joins nothing else', 'Cla\u200dude \u{1f469}\u200dx', 'Claude \u{1f469}x'],
    ['of sixty letters is whole', 'a'.repeat(60), 'a'.repeat(60)],
    ['of more is cut', 'a'.repeat(61), `${'a'.repeat(59)}…`],
    ['is not cut within a letter', '😀'.repeat(61), `${'😀'.repeat(59)}…`],
  ];
  for (const [what, name, expected] of names) it(what, () => assert.equal(shown(name), expected));

  it('is one short line, whatever the client wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const said = shown(name).replace(/^\u2068|\u2069$/g, '');
        assert.ok(said.trim() !== '' && Array.from(said).length <= 60);
        assert.doesNotMatch(said, /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d\p{Extended_Pictographic})\p{Cf}/u);
      }),
      { numRuns: 2000 },
    );
  });
});
