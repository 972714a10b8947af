import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Refusal } from '../../../kit/http/refusal.ts';
import { createAgentTokens } from './agent-tokens.ts';
import { callTool } from './call-mcp.ts';

interface Sent {
  url: string;
  token: string;
  credentials: unknown;
}

const realFetch = globalThis.fetch;
const NOW_SECONDS = 1_800_000_000;

let sent: Sent[];
let taken: unknown[];
let refusedTokens: Set<string>;
let nowMs: number;
let answer: unknown;

/** The service, as far as an agent sees it. */
beforeEach(() => {
  sent = [];
  taken = [];
  refusedTokens = new Set();
  nowMs = NOW_SECONDS * 1000;
  answer = { result: { content: [{ type: 'text', text: '# Labs' }] } };
  globalThis.fetch = (async (url: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization') ?? '';
    sent.push({ url, token, credentials: init.credentials });
    return refusedTokens.has(token)
      ? Response.json({ code: 'unauthorized' }, { status: 401 })
      : Response.json(answer);
  }) as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

function newAgent() {
  const withToken = createAgentTokens(
    async (grant) => {
      taken.push(grant);
      return { token: `token-${taken.length}`, expiration: nowMs / 1000 + 3600 };
    },
    () => nowMs,
  );
  const deps = { baseUrl: 'https://chart.example', projectId: 'q' };
  return {
    callTool: (tool: typeof LABS, grant: typeof NARROW | null) =>
      withToken(grant, (token) => callTool(deps, token, tool)),
    forgetGrants: withToken.forgetGrants,
  };
}

const LABS = { name: 'get_labs', input: {} };
const NARROW = { consentDataResourceScopes: ['DIAGNOSES' as const] };

describe('the agent of a test patient in the console', () => {
  it('calls the endpoint of the project without cookies, with a token for each width, which it takes once', async () => {
    const agent = newAgent();
    const made = await Promise.all([agent.callTool(LABS, null), agent.callTool(LABS, null)]);
    await agent.callTool(LABS, NARROW);
    await agent.callTool(LABS, NARROW);
    assert.deepEqual(
      made.map(({ kind, text, status }) => [kind, text, status]),
      [
        ['answer', '# Labs', 200],
        ['answer', '# Labs', 200],
      ],
    );
    assert.deepEqual(taken, [null, NARROW]);
    assert.deepEqual(
      sent.map(({ token }) => token),
      ['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2'],
    );
    assert.ok(sent.every(({ url }) => url === 'https://chart.example/projects/q/mcp'));
    assert.ok(sent.every(({ credentials }) => credentials === 'omit'));
  });

  it('takes another before an hour is over, and once where one was refused', async () => {
    const agent = newAgent();
    await agent.callTool(LABS, null);
    nowMs += 3_590_000;
    await agent.callTool(LABS, null);
    assert.equal(taken.length, 2);
    refusedTokens.add('Bearer token-2');
    assert.equal((await agent.callTool(LABS, null)).kind, 'answer');
    refusedTokens.add('Bearer token-3').add('Bearer token-4');
    await assert.rejects(
      agent.callTool(LABS, null),
      (error) => error instanceof Refusal && error.status === 401,
    );
    assert.equal(taken.length, 4);
  });

  it('forgets the grants of the consent before, and keeps the token of the patient', async () => {
    const agent = newAgent();
    await agent.callTool(LABS, null);
    await agent.callTool(LABS, NARROW);
    agent.forgetGrants();
    await agent.callTool(LABS, null);
    await agent.callTool(LABS, NARROW);
    assert.deepEqual(taken, [null, NARROW, NARROW]);
  });

  it('distinguishes an answer, a fault in the arguments and a refusal', async () => {
    const agent = newAgent();
    const read = async (body: unknown) => {
      answer = body;
      const { kind, text } = await agent.callTool(LABS, null);
      return [kind, text];
    };
    const fault = { result: { isError: true, content: [{ type: 'text', text: 'years: must be a number' }] } };
    assert.deepEqual(await read(fault), ['error', 'years: must be a number']);
    assert.deepEqual(await read({ error: { code: -32602, message: 'Invalid params' } }), [
      'error',
      'Invalid params',
    ]);
    assert.deepEqual(await read({ error: 'Data Access is revoked!' }), [
      'refused',
      'Data Access is revoked!',
    ]);
  });
});
