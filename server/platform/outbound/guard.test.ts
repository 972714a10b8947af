import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createGuard, isPublicAddress, isPublicOrPrivateAddress, parseTarget } from './guard.ts';

const NOT_PUBLIC = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
  168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.0.0.192
  192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1
  203.0.113.1 224.0.0.1 233.252.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255
  :: ::1 ::2 ::127.0.0.1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 ::ffff:0:808:808
  64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 64:ff9c::1 100::1 100:0:0:1::1 1::1 200::1 2001::1
  2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:5::1 2001:10::1 2001:20::1
  2001:30::1 2001:db8::1 2001:db8:ffff::1 2002:7f00:1::1 2002:a9fe:a9fe::1 2002:808:808::1 2620:4f:8000::1 3fff::1
  4000::1 5f00::1 8000::1 e000::1 fc00::1 fd00:ec2::254 fd12:3456:789a::1 fe00::1 fe80::1 fe80::a9fe:a9fe febf::1
  fec0::1 feff::1 ff02::1 ff0e::1`;

const NO_ADDRESS = [
  '',
  'agent.example',
  'localhost',
  '127.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '8.8.8',
  '08.8.8.8',
  '8.8.8.8 ',
  '8.8.8.8/32',
  '[2606:4700::1111]',
  '2606:4700::1111%eth0',
  'fe80::1%lo',
];

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('isPublicAddress', () => {
  it('accepts addresses of the internet', () => {
    for (const address of words(
      '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 168.63.129.17 172.15.255.255 172.32.0.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 223.255.255.255 2001:200::1 2001:4860:4860::8888 2606:4700::1111 2a00:1450::1 2c0f::1',
    )) {
      assert.equal(isPublicAddress(address), true, address);
      assert.equal(isPublicOrPrivateAddress(address), true, address);
    }
  });

  for (const address of words(NOT_PUBLIC)) {
    it(`refuses ${address}`, () => assert.equal(isPublicAddress(address), false));
  }

  for (const text of NO_ADDRESS) {
    it(`refuses ${JSON.stringify(text)}, which is no plain address`, () => {
      assert.equal(isPublicAddress(text), false);
      assert.equal(isPublicOrPrivateAddress(text), false);
    });
  }

  it('refuses addresses that carry an IPv4 address', () => {
    const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '2002:'];
    fc.assert(
      fc.property(fc.constantFrom(...prefixes), fc.ipV4(), (prefix, inner) => {
        const [a = 0, b = 0, c = 0, d = 0] = inner.split('.').map(Number);
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        return !isPublicAddress(prefix === '2002:' ? `${prefix}${hex}::1` : prefix + hex);
      }),
    );
  });

  it('accepts private, unique local, shared and loopback addresses with allowPrivate, never link-local ones', () => {
    for (const address of words('10.0.0.1 172.16.0.1 192.168.0.1 127.0.0.1 ::1 fd00::1 100.64.0.1')) {
      assert.equal(isPublicOrPrivateAddress(address), true, address);
    }
    for (const address of words(
      '169.254.169.254 fe80::1 0.0.0.0 :: 224.0.0.1 255.255.255.255 168.63.129.16 ::ffff:10.0.0.1 192.0.2.1',
    )) {
      assert.equal(isPublicOrPrivateAddress(address), false, address);
    }
  });
});

describe('case 499: the guard, where a name server makes IPv6 addresses of IPv4 ones (DNS64)', () => {
  const ask = async (url: string, addresses: string, allowPrivate = false): Promise<string> => {
    const resolved = words(addresses).map((address) => ({
      address,
      family: address.includes(':') ? (6 as const) : (4 as const),
    }));
    const guard = createGuard({ resolve: async () => resolved });
    return guard(parseTarget(url, allowPrivate, allowPrivate)).then(
      (permitted) => permitted.map(({ address }) => address).join(' '),
      (error: Error & { reason?: string }) => error.reason ?? error.message,
    );
  };
  const URL = 'https://hooks.partner.example/x';

  it('permits the address whose IPv4 address is public, alone and beside that, and changes nothing of it', async () => {
    for (const addresses of ['64:ff9b::5db8:d822', '64:ff9b::5db8:d822 93.184.216.34'])
      for (const allowPrivate of [false, true])
        assert.equal(await ask(URL, addresses, allowPrivate), addresses);
  });

  it('refuses one whose IPv4 address is not, with allowPrivate too', async () => {
    for (const inner of ['7f00:1', 'a00:1', 'a9fe:a9fe', 'a83f:8110', 'c0a8:1', '6440:1', '0:0'])
      for (const allowPrivate of [false, true])
        assert.equal(await ask(URL, `64:ff9b::${inner} 93.184.216.34`, allowPrivate), 'address_not_public');
  });

  it('refuses other prefixes, the address itself in a URL, and http to it', async () => {
    assert.equal(await ask(URL, '64:ff9b:1::5db8:d822'), 'address_not_public');
    assert.equal(await ask(URL, '64:ff9b::1:5db8:d822'), 'address_not_public');
    assert.equal(await ask('https://[64:ff9b::5db8:d822]/x', ''), 'address_not_public');
    assert.equal(await ask('http://hooks.partner.example/x', '64:ff9b::5db8:d822', true), 'not_https');
  });
});
