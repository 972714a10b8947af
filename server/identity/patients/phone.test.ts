import assert from 'node:assert/strict';
import { it } from 'node:test';
import { normalizePhone } from './phone.ts';

for (const [written, normal] of [
  ['+1 (555) 010-0199', '+15550100199'],
  [' +49 30.123', '+4930123'],
  ['555 0100', '5550100'],
  ['1+2', '12'],
  ['+', ''],
  ['none', ''],
] as const)
  it(`normalizePhone turns "${written}" into "${normal}"`, () => {
    assert.equal(normalizePhone(written), normal);
  });
