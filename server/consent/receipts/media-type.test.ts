import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefersJson } from './media-type.ts';

describe('prefersJson', () => {
  for (const accept of [
    'application/json',
    'Application/JSON',
    'application/json, text/plain, */*',
    'application/json;q=0.9, application/jose;q=0.8',
    'application/json, application/jose',
    'application/json; charset=utf-8',
    'text/html, application/json;q=0.5',
  ])
    it(`is true for ${accept}`, () => assert.equal(prefersJson(accept), true));

  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/*',
    'text/html',
    'application/jose',
    'application/jose, application/json',
    'application/jose, application/json;q=0.9',
    'application/json;q=0',
    'application/json;q=nonsense',
    'application/json+ld',
  ])
    it(`is false for ${accept}`, () => assert.equal(prefersJson(accept), false));
});
