import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeClientAddress } from './client-address.ts';

describe('the address that limits count', () => {
  it('is the IPv4 address, however it is written', () => {
    assert.equal(normalizeClientAddress('192.0.2.7'), '192.0.2.7');
    assert.equal(normalizeClientAddress('::ffff:192.0.2.7'), '192.0.2.7');
  });

  it('is one for all addresses of an IPv6 subscriber', () => {
    assert.equal(
      normalizeClientAddress('2001:db8:1:2:aaaa::1'),
      normalizeClientAddress('2001:db8:1:2:bbbb::2'),
    );
    assert.notEqual(normalizeClientAddress('2001:db8:1:2::1'), normalizeClientAddress('2001:db8:1:3::1'));
  });

  it('is whatever it is when it is none', () => {
    assert.equal(normalizeClientAddress('unix'), 'unix');
  });
});
