import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProxyTrust, normalizeClientAddress } from './client-address.ts';

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

  it('leaves out the port that a proxy writes, and a zone', () => {
    assert.equal(normalizeClientAddress('192.0.2.7:1001'), '192.0.2.7');
    assert.equal(normalizeClientAddress('::ffff:192.0.2.7:1001'), '192.0.2.7');
    for (const address of ['[2001:db8:1:2::1]:1001', '[2001:db8:1:2::1]', '2001:db8:1:2:3:4:5:6:1001'])
      assert.equal(normalizeClientAddress(address), '2001:db8:1:2::', address);
    assert.equal(normalizeClientAddress('fe80::1%eth0'), 'fe80::');
  });

  it('returns one key for all that is no address', () => {
    for (const text of [
      'unix',
      'unknown',
      '_hidden',
      '',
      '1.2.3',
      '192.0.2.7:x',
      '[192.0.2.7',
      ':1',
      '0x7f.1',
    ])
      assert.equal(normalizeClientAddress(text), 'unknown', text);
  });
});

describe('the test of an address of a proxy', () => {
  const isTrusted = createProxyTrust(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::ffff:198.51.100.0/120']);

  it('is true of an address of these networks, with a port or mapped into IPv6 too', () => {
    for (const address of [
      '10.1.2.3',
      '10.1.2.3:4001',
      '::ffff:10.1.2.3',
      '192.0.2.7',
      '198.51.100.9',
      '2001:db8::9',
      '[2001:db8::9]:443',
    ])
      assert.equal(isTrusted(address), true, address);
  });

  it('is false of every other address, and of what is none', () => {
    for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', 'proxy', '', '10', undefined])
      assert.equal(isTrusted(address), false, address);
  });
});
