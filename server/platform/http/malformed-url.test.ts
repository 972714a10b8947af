import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../kernel/refusal.ts';
import { createMalformedUrlCheck } from './malformed-url.ts';

describe('the check of malformed URLs', () => {
  const { rewriteUrl, refuseMalformed } = createMalformedUrlCheck(({ url = '' }) => url.replace('/a', '/b'));

  /** The URL that is routed, and the code of the refusal. */
  async function route(url: string): Promise<[string, string | null]> {
    const raw = { method: 'GET', url } as IncomingMessage;
    const routed = rewriteUrl(raw);
    const refused = await (
      refuseMalformed as unknown as (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    )({ raw } as FastifyRequest, {} as FastifyReply).then(
      () => null,
      (error: unknown) => (error as Refusal).code,
    );
    return [routed, refused];
  }

  it('routes a malformed path to its surface, where it is refused', async () => {
    for (const [url, routed] of [
      ['/FHIR/R4/Person/%ff/x', '/FHIR/R4/Person/%25ff/x'],
      ['/v1/%c0%af', '/v1/%25c0%25af'],
      ['/v1/%zz/%41', '/v1/%25zz/%2541'],
      ['/v1/%', '/v1/%25'],
      ['/a%ff?x=1', '/b%25ff'],
      ['http://host/v1/%ff', '/v1/%25ff'],
    ] as const)
      assert.deepEqual(await route(url), [routed, 'invalid_url'], url);
  });

  it('leaves every other URL as it is: a query has rules of its own', async () => {
    for (const [url, routed] of [
      ['/v1/x', '/v1/x'],
      ['/v1/x?state=%ff', '/v1/x?state=%ff'],
      ['/v1/%41%2F%C3%A9', '/v1/%41%2F%C3%A9'],
      ['/a', '/b'],
      ['', '/'],
      ['*', '/*'],
      ['http://host:80/a?x', '/b?x'],
      ['https://host', '/'],
      ['http://[/v1', '/v1'],
    ] as const)
      assert.deepEqual(await route(url), [routed, null], url);
  });
});
