import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalizeUrl, createBaseUrlResolver, listBaseUrlAliases } from './base-url.ts';

describe('the base URL', () => {
  it('has all loopback names on its port when it is a loopback one', () => {
    assert.deepEqual(listBaseUrlAliases('http://127.0.0.1:3000'), [
      'http://127.0.0.1:3000',
      'http://localhost:3000',
      'http://[::1]:3000',
    ]);
    assert.deepEqual(listBaseUrlAliases('http://[::1]:3000/record'), [
      'http://[::1]:3000/record',
      'http://localhost:3000/record',
      'http://127.0.0.1:3000/record',
    ]);
  });

  it('has one name when it is public', () => {
    assert.deepEqual(listBaseUrlAliases('https://record.example'), ['https://record.example']);
  });

  it('is resolved to the loopback name that a request was addressed to, and to the configured one otherwise', () => {
    const resolve = createBaseUrlResolver('http://127.0.0.1:3000');
    assert.equal(resolve({ headers: { host: 'LocalHost:3000' } }), 'http://localhost:3000');
    assert.equal(resolve({ headers: { host: '[::1]:3000' } }), 'http://[::1]:3000');
    for (const host of ['127.0.0.1:3000', 'localhost:3001', 'evil.example', ''])
      assert.equal(resolve({ headers: { host } }), 'http://127.0.0.1:3000', host);
    assert.equal(
      createBaseUrlResolver('https://record.example')({ headers: { host: 'localhost' } }),
      'https://record.example',
    );
  });

  for (const [url, expected] of [
    ['http://localhost:3000/mcp', 'http://127.0.0.1:3000/mcp'],
    ['http://localhost:3000', 'http://127.0.0.1:3000'],
    ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/mcp'],
    ['http://localhost:30001/mcp', 'http://localhost:30001/mcp'],
    ['https://localhost:3000/mcp', 'https://localhost:3000/mcp'],
    ['http://localhost:3000.evil.example/mcp', 'http://localhost:3000.evil.example/mcp'],
  ] as const)
    it(`makes ${url} ${expected}`, () =>
      assert.equal(canonicalizeUrl('http://127.0.0.1:3000', url), expected));
});
