import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDevice } from './device.ts';

describe('the device of a session', () => {
  for (const [userAgent, device] of [
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
      'Chrome, Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
      'Safari, iOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox, Linux'],
    ['', ''],
    [undefined, ''],
    ['<script>alert(1)</script>/1.0 (x) y', ''],
    ['a'.repeat(16_000), ''],
  ] as const)
    it(`is “${device}” of ${String(userAgent).slice(0, 60)}`, () => {
      assert.equal(describeDevice(userAgent), device);
    });
});
