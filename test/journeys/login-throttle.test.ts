import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LOGIN_LIMITS, createLoginThrottle } from '../../server/identity/tokens/login-throttle.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  call,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
before(async () => void (service = await startTestService()));
after(() => service.stop());

const login = (json: unknown): Promise<HttpResponse> => call(service, '/v1/auth/token', { json });
const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)));

describe('guessing credentials', () => {
  for (const kind of ['an API key', 'an e-mail'] as const) {
    it(`is answered 429 with Retry-After after ten wrong attempts on ${kind}, sent at once or not`, async () => {
      const { email, password, projectId } = await newTestPatient(service, { consent: false });
      const right = kind === 'an API key' ? service.organization.researcher : { email, password, projectId };
      const wrong = { ...right, ...(kind === 'an API key' ? { apiSecret: 'wrong' } : { password: 'wrong' }) };
      const answers = await times(14, () => login(wrong));
      assert.deepEqual(Object.groupBy(answers, ({ status }) => String(status))['401']?.length, 10);
      const refused = await login(right);
      assert.equal(refused.status, 429);
      assert.equal(refused.body.code, 'too_many_attempts');
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= LOGIN_LIMITS.windowSeconds);
    });
  }

  it('is answered 429 for accounts that do not exist just the same', async () => {
    const nobody = {
      email: 'nobody@example.org',
      password: 'wrong',
      projectId: service.organization.projectId,
    };
    const answers = await times(11, () => login(nobody));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array.from({ length: 10 }, () => 401), 429],
    );
  });

  it('costs other accounts of the same address nothing', async () => {
    assert.equal((await login(service.organization.admin)).status, 200);
  });
});

describe('the throttle', () => {
  const wrong = (
    throttle: ReturnType<typeof createLoginThrottle>,
    account: string,
    address: string,
  ): Promise<string> =>
    throttle
      .guard({ account, address }, async () => null)
      .then(
        () => 'tried',
        (error: unknown) =>
          error instanceof Refusal && error.status === 429 ? 'refused' : Promise.reject(error as Error),
      );
  const limits = { accountFromAddress: 3, account: 6, address: 8, windowSeconds: 300 };

  it('bounds attempts on one account from everywhere, more widely than from one address', async () => {
    const throttle = createLoginThrottle(service.store.db, limits);
    const outcomes: string[] = [];
    for (let index = 0; index < 7; index++)
      outcomes.push(await wrong(throttle, 'spread', `198.51.100.${index}`));
    assert.deepEqual(outcomes, [...Array.from({ length: 6 }, () => 'tried'), 'refused']);
  });

  it('bounds attempts of one address on all accounts', async () => {
    const throttle = createLoginThrottle(service.store.db, limits);
    const outcomes: string[] = [];
    for (let index = 0; index < 9; index++)
      outcomes.push(await wrong(throttle, `sprayed ${index}`, '203.0.113.9'));
    assert.deepEqual(outcomes, [...Array.from({ length: 8 }, () => 'tried'), 'refused']);
  });

  it('forgets an address’s wrong attempts on an account once it logs in', async () => {
    const throttle = createLoginThrottle(service.store.db, limits);
    const who = { account: 'forgetful', address: '192.0.2.1' };
    for (let round = 0; round < 2; round++) {
      assert.equal(await wrong(throttle, who.account, who.address), 'tried');
      assert.equal(await wrong(throttle, who.account, who.address), 'tried');
      assert.equal(await throttle.guard(who, async () => 'in'), 'in');
    }
  });

  it('keeps no e-mail and no address', async () => {
    const rows = await service.store.db.query(sql<{ key: string }>`select key from rate_limit`);
    assert.ok(rows.length > 0);
    assert.ok(rows.every(({ key }) => /^(pair|account|address):[\w-]{43}$/.test(key)));
  });
});
