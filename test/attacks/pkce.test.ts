import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  buildAuthorizePath,
  toCodeChallenge,
  obtainCode,
  exchangeCode,
  newFlow,
  createPkce,
  REDIRECT_URI,
  type Flow,
  type QueryParameters,
} from '../harness/authorization.ts';
import { call, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { UNLIMITED } from './attack.ts';
import { assertRedirectedToClient } from './assert-redirects.ts';

let service: TestService;
let flow: Flow;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
  flow = await newFlow(service);
});
after(() => service.stop());

/** Led back with invalid_request. */
async function assertRefused(more: QueryParameters): Promise<void> {
  const attempt = { clientId: flow.client.client_id as string, challenge: flow.pkce.challenge };
  const answer = assertRedirectedToClient(
    await call(service, buildAuthorizePath(attempt, more)),
    REDIRECT_URI,
  );
  const { error, state, iss, code } = answer;
  assert.deepEqual([error, state, iss, code], ['invalid_request', 'the state', service.baseUrl, undefined]);
}

/** A code for that verifier, exchanged with it. */
async function exchangeWith(verifier: string): Promise<HttpResponse> {
  const own = { ...flow, pkce: { verifier, challenge: toCodeChallenge(verifier) } };
  return exchangeCode(service, own, await obtainCode(own));
}

const assertGrant = ({ status, headers, body }: HttpResponse, error: string | null): void => {
  assert.deepEqual([status, body.error ?? null], [error === null ? 200 : 400, error]);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal('access_token' in body, error === null);
};

describe('PKCE that is made weaker on the way', () => {
  const plain = createPkce().verifier;
  const downgrades: [what: string, more: QueryParameters][] = [
    ['method plain', { code_challenge_method: 'plain' }],
    [
      'method plain with a verifier as its challenge',
      { code_challenge_method: 'plain', code_challenge: plain },
    ],
    ['method plain with 43 characters', { code_challenge_method: 'plain', code_challenge: 'x'.repeat(43) }],
    ['no method, which RFC 7636 reads as plain', { code_challenge_method: undefined }],
    ['an empty method', { code_challenge_method: '' }],
    ['method s256', { code_challenge_method: 's256' }],
    ['method S256 and a space', { code_challenge_method: 'S256 ' }],
    ['two methods in one', { code_challenge_method: 'S256 plain' }],
    ['method S512', { code_challenge_method: 'S512' }],
    ['method none', { code_challenge_method: 'none' }],
    ['method constructor', { code_challenge_method: 'constructor' }],
    ['no challenge', { code_challenge: undefined }],
    ['an empty challenge', { code_challenge: '' }],
    ['neither challenge nor method', { code_challenge: undefined, code_challenge_method: undefined }],
    ['neither, and a nonce', { code_challenge: undefined, code_challenge_method: undefined, nonce: 'n' }],
  ];
  for (const [what, more] of downgrades) it(`case 12: ${what}`, () => assertRefused(more));

  it('case 12: is not made up for by a code_verifier at authorize', async () => {
    await assertRefused({
      code_challenge: undefined,
      code_challenge_method: undefined,
      code_verifier: flow.pkce.verifier,
    });
  });
});

describe('a challenge that is no SHA-256 in base64url', () => {
  const good = toCodeChallenge('x'.repeat(43));
  for (const code_challenge of [
    good.slice(1),
    `${good}A`,
    `${good}=`,
    `${good}\n`,
    ` ${good.slice(1)}`,
    `+${good.slice(1)}`,
    `/${good.slice(1)}`,
    `=${good.slice(1)}`,
    `~${good.slice(1)}`,
    `.${good.slice(1)}`,
    `é${good.slice(1)}`,
    `%${good.slice(1)}`,
    'A',
    'A'.repeat(64),
    'A'.repeat(128),
    'A'.repeat(5000),
    Buffer.from(good, 'base64url').toString('hex'),
    Buffer.from(good, 'base64url').toString('base64'),
    "' or 1=1 --".padEnd(43, 'x'),
  ]) {
    it(`case 13: ${JSON.stringify(code_challenge.slice(0, 60))}`, () => assertRefused({ code_challenge }));
  }
});

describe('a verifier of another shape than RFC 7636 §4.1’s, even where its hash fits', () => {
  const verifiers: [what: string, verifier: string, error: string | null][] = [
    ['of 43 characters', 'x'.repeat(43), null],
    ['of 128 characters', 'x'.repeat(128), null],
    ['of 256 characters', 'x'.repeat(256), null],
    ['of every character there is', 'AZaz09-._~'.repeat(5), null],
    ['of 42 characters', 'x'.repeat(42), 'invalid_grant'],
    ['of one character', 'x', 'invalid_grant'],
    ['of 257 characters', 'x'.repeat(257), 'invalid_grant'],
    ['of 10,000 characters', 'x'.repeat(10_000), 'invalid_grant'],
    ['with a space', `${'x'.repeat(43)} `, 'invalid_grant'],
    ['with a line break', `${'x'.repeat(43)}\n`, 'invalid_grant'],
    ['with a plus sign', `${'x'.repeat(43)}+`, 'invalid_grant'],
    ['with a slash', `${'x'.repeat(43)}/`, 'invalid_grant'],
    ['with padding', `${'x'.repeat(43)}=`, 'invalid_grant'],
    ['with a percent sign', `${'x'.repeat(43)}%`, 'invalid_grant'],
    ['with a letter that is not ASCII', `${'x'.repeat(43)}é`, 'invalid_grant'],
    ['with an emoji', `${'x'.repeat(43)}😀`, 'invalid_grant'],
    ['with a quotation mark', `${'x'.repeat(43)}'`, 'invalid_grant'],
  ];
  for (const [what, verifier, error] of verifiers)
    it(`case 13: ${what}: ${error ?? 'is good'}`, async () =>
      assertGrant(await exchangeWith(verifier), error));

  it('case 13: with a NUL: is refused, and is no fault of ours', async () => {
    const { status, body } = await exchangeWith(`${'x'.repeat(43)}\u0000`);
    assert.equal(status, 400);
    assert.ok(['invalid_grant', 'invalid_request'].includes(body.error as string));
  });
});

describe('the challenge itself sent for a verifier', () => {
  it('case 14: is invalid_grant, and so is its challenge', async () => {
    const code = await obtainCode(flow);
    const { challenge, verifier } = flow.pkce;
    for (const code_verifier of [
      challenge,
      toCodeChallenge(challenge),
      `${challenge}=`,
      Buffer.from(challenge, 'base64url').toString('hex'),
      Buffer.from(challenge, 'base64url').toString('base64'),
    ])
      assertGrant(await exchangeCode(service, flow, code, { code_verifier }), 'invalid_grant');
    assertGrant(await exchangeCode(service, flow, code, { code_verifier: verifier }), null);
  });
  it('case 14: is invalid_grant with the method named plain at the token endpoint', async () => {
    const code = await obtainCode(flow);
    const more = {
      code_verifier: flow.pkce.challenge,
      code_challenge_method: 'plain',
      code_challenge: flow.pkce.challenge,
    };
    assertGrant(await exchangeCode(service, flow, code, more), 'invalid_grant');
  });
});

describe('a wrong verifier', () => {
  it('case 15: does not use up the code, however often it comes', async () => {
    const code = await obtainCode(flow);
    const { verifier } = flow.pkce;
    for (const code_verifier of [
      createPkce().verifier,
      verifier.slice(1),
      `${verifier}A`,
      verifier.toLowerCase(),
      verifier.toUpperCase(),
      ` ${verifier}`,
      verifier.split('').reverse().join(''),
      ...Array.from({ length: 20 }, () => createPkce(32).verifier),
    ])
      assertGrant(await exchangeCode(service, flow, code, { code_verifier }), 'invalid_grant');
    assertGrant(await exchangeCode(service, flow, code), null);
  });
  it('case 15: is the one of another code of the same client and patient', async () => {
    const other = { ...flow, pkce: createPkce() };
    const [one, two] = [await obtainCode(flow), await obtainCode(other)];
    assertGrant(await exchangeCode(service, other, one), 'invalid_grant');
    assertGrant(await exchangeCode(service, flow, two), 'invalid_grant');
    assertGrant(await exchangeCode(service, flow, one), null);
    assertGrant(await exchangeCode(service, other, two), null);
  });
});

describe('no verifier at all', () => {
  for (const code_verifier of [undefined, '']) {
    it(`case 16: ${JSON.stringify(code_verifier)} is invalid_request, and the code is not used up`, async () => {
      const code = await obtainCode(flow);
      assertGrant(await exchangeCode(service, flow, code, { code_verifier }), 'invalid_request');
      assertGrant(
        await exchangeCode(service, flow, code, { code_verifier, code_challenge: flow.pkce.challenge }),
        'invalid_request',
      );
      assertGrant(await exchangeCode(service, flow, code), null);
    });
  }
});

describe('the verifier of the documented procedure', () => {
  it('case 17: has 171 characters, from 128 random bytes, and is good', async () => {
    for (let round = 0; round < 5; round++) {
      const { verifier } = createPkce(128);
      assert.equal(verifier.length, 171);
      assertGrant(await exchangeWith(verifier), null);
    }
  });
});
