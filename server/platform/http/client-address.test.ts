import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeClientAddress } from './client-address.ts';

describe('normalizeClientAddress', () => {
  it('returns the IPv4 address, also when it is mapped into IPv6', () => {
    assert.equal(normalizeClientAddress('192.0.2.7'), '192.0.2.7');
    assert.equal(normalizeClientAddress('::ffff:192.0.2.7'), '192.0.2.7');
  });

  it('returns one network for all addresses of an IPv6 subscriber', () => {
    assert.equal(
      normalizeClientAddress('2001:db8:1:2:aaaa::1'),
      normalizeClientAddress('2001:db8:1:2:bbbb::2'),
    );
    assert.notEqual(normalizeClientAddress('2001:db8:1:2::1'), normalizeClientAddress('2001:db8:1:3::1'));
  });

  it('returns one key for all who are gone, so that their requests are no faults of ours', () => {
    assert.equal(normalizeClientAddress(undefined), 'gone');
  });

  it('returns what is no IP address unchanged', () => {
    assert.equal(normalizeClientAddress('unix'), 'unix');
  });
});
