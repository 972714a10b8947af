import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import { logRefusal, toProblem } from './problem-dialect.ts';

describe('logRefusal', () => {
  const record = (
    refusal: Refusal,
    error = new Error('cause'),
    raw = { destroyed: false, complete: true },
  ): unknown[] => {
    const lines: unknown[] = [];
    const log = {
      info: (...line: unknown[]) => lines.push(['info', ...line]),
      warn: (...line: unknown[]) => lines.push(['warn', ...line]),
      error: ({ err: _error, ...details }: { err: unknown }, message: string) =>
        lines.push(['error', details, message]),
    };
    const request = { log, raw, method: 'POST', routeOptions: { url: '/v1/things/:thingId' } };
    logRefusal(request as unknown as FastifyRequest, refusal, error);
    return lines;
  };

  const asked = { method: 'POST', route: '/v1/things/:thingId' };

  it('logs the reason of a refusal, which the response leaves out', () => {
    const refusal = new Refusal(400, 'invalid_grant', { detail: 'Not good.', reason: 'code expired' });
    assert.deepEqual(record(refusal), [
      ['info', { ...asked, status: 400, code: 'invalid_grant', reason: 'code expired' }, 'request refused'],
    ]);
    assert.doesNotMatch(JSON.stringify(toProblem(refusal)), /code expired/);
  });

  it('logs nothing for a refusal without a reason, and the error behind a 5xx', () => {
    assert.deepEqual(record(new Refusal(404, 'not_found', { detail: 'Not there.' })), []);
    assert.deepEqual(record(new Refusal(500, 'internal_error', { detail: 'Failed.' })), [
      ['error', { ...asked, status: 500 }, 'request failed'],
    ]);
  });

  it('logs a 5xx that is a refusal as a warning, without a stack', () => {
    const refusal = new Refusal(503, 'clocks_differ', { detail: 'Not ready.', reason: '3000 ms' });
    assert.deepEqual(record(refusal, refusal), [
      ['warn', { ...asked, status: 503, code: 'clocks_differ', reason: '3000 ms' }, 'request refused'],
    ]);
  });

  it('logs no error where the client broke off, but any other error of a request that was broken off', () => {
    const failed = new Refusal(500, 'internal_error', { detail: 'Failed.' });
    const gone = { destroyed: true, complete: false };
    const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    assert.deepEqual(record(failed, reset, gone), [
      ['info', { ...asked, code: 'connection_lost' }, 'the client closed the connection'],
    ]);
    assert.deepEqual(record(failed, new Error('a fault of ours'), gone), [
      ['error', { ...asked, status: 500 }, 'request failed'],
    ]);
    assert.deepEqual(record(failed, reset), [['error', { ...asked, status: 500 }, 'request failed']]);
  });
});
