import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress } from './client-address.ts';

describe('the address that limits count', () => {
  it('is the IPv4 address, however it is written', () => {
    assert.equal(clientAddress('192.0.2.7'), '192.0.2.7');
    assert.equal(clientAddress('::ffff:192.0.2.7'), '192.0.2.7');
  });

  it('is one for all addresses of an IPv6 subscriber', () => {
    assert.equal(clientAddress('2001:db8:1:2:aaaa::1'), clientAddress('2001:db8:1:2:bbbb::2'));
    assert.notEqual(clientAddress('2001:db8:1:2::1'), clientAddress('2001:db8:1:3::1'));
  });

  it('is whatever it is when it is none', () => {
    assert.equal(clientAddress('unix'), 'unix');
  });
});
