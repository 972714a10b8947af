import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  LOGIN_LIMITS,
  createLoginThrottle,
  type LoginThrottle,
} from '../../server/identity/tokens/login-throttle.ts';
import { createPasswordLine } from '../../server/identity/tokens/password-line.ts';
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
      const refused = await login(wrong);
      assert.equal(refused.status, 429);
      assert.equal(refused.body.code, 'too_many_attempts');
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= LOGIN_LIMITS.windowSeconds);
      // A password can be guessed, so the right one waits too; a secret cannot (case 397).
      assert.equal((await login(right)).status, kind === 'an API key' ? 200 : 429);
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

describe('case 190: the throttle', () => {
  const attempt = (
    throttle: LoginThrottle,
    who: { account: string; address: string },
    verify: () => Promise<'in' | null> = async () => null,
  ): Promise<'in' | 'tried' | 429 | 503> =>
    throttle.guard({ ...who, requestId: '' }, verify).then(
      (result) => result ?? 'tried',
      (error: unknown) =>
        error instanceof Refusal && (error.status === 429 || error.status === 503)
          ? error.status
          : Promise.reject(error as Error),
    );
  const wrong = (throttle: LoginThrottle, account: string, address: string) =>
    attempt(throttle, { account, address });
  const limits = { accountFromAddress: 3, account: 6, address: 8, windowSeconds: 300 };
  const newThrottle = (of = limits): LoginThrottle =>
    createLoginThrottle(
      { db: service.store.db, clock: service.clock, onFailure: () => {}, passwords: createPasswordLine() },
      of,
    );
  const count = (outcomes: readonly unknown[], outcome: unknown): number =>
    outcomes.filter((other) => other === outcome).length;

  it('bounds attempts on one account from everywhere, more widely than from one address', async () => {
    const throttle = newThrottle();
    const outcomes: unknown[] = [];
    for (let index = 0; index < 7; index++)
      outcomes.push(await wrong(throttle, 'spread', `198.51.100.${index}`));
    assert.deepEqual(outcomes, [...Array.from({ length: 6 }, () => 'tried'), 429]);
  });

  it('bounds attempts of one address on all accounts', async () => {
    const throttle = newThrottle();
    const outcomes: unknown[] = [];
    for (let index = 0; index < 9; index++)
      outcomes.push(await wrong(throttle, `sprayed ${index}`, '203.0.113.9'));
    assert.deepEqual(outcomes, [...Array.from({ length: 8 }, () => 'tried'), 429]);
  });

  it('forgets an address’s wrong attempts on an account once it logs in', async () => {
    const throttle = newThrottle();
    const who = { account: 'forgetful', address: '192.0.2.1', requestId: '' };
    for (let round = 0; round < 2; round++) {
      assert.equal(await wrong(throttle, who.account, who.address), 'tried');
      assert.equal(await wrong(throttle, who.account, who.address), 'tried');
      assert.equal(await throttle.guard(who, async () => 'in'), 'in');
    }
  });

  for (const where of ['on one node', 'on two nodes'])
    it(`tries no more of the guesses sent at once ${where} than of those sent one after another`, async () => {
      const nodes = where === 'on one node' ? [newThrottle()] : [newThrottle(), newThrottle()];
      const outcomes = await times(60, (index) =>
        wrong(nodes[index % nodes.length] as LoginThrottle, `${where} ${index}`, `192.0.2.${nodes.length}0`),
      );
      assert.equal(count(outcomes, 'tried'), limits.address);
      assert.equal(count(outcomes, 429), 60 - limits.address);
    });

  it('lets a right secret through beyond every limit, and refuses and counts wrong ones there no more (case 397)', async () => {
    const throttle = newThrottle();
    const who = { account: 'rotated key', address: '192.0.2.88', requestId: '' };
    const counted: boolean[] = [];
    const tryWrong = () =>
      throttle.guardSecret(who, async (isCounted) => {
        counted.push(isCounted);
        return null;
      });
    const tryRight = () => throttle.guardSecret(who, async () => 'in');
    for (let round = 0; round < limits.accountFromAddress; round++) assert.equal(await tryWrong(), null);
    for (let round = 0; round < 3 * limits.address; round++) {
      await assert.rejects(tryWrong(), { status: 429 });
      assert.equal(await tryRight(), 'in');
    }
    assert.equal(counted.filter(Boolean).length, limits.accountFromAddress);
  });

  it('gives back what it counted when an attempt succeeds or fails for another reason', async () => {
    const throttle = newThrottle();
    const who = { account: 'busy', address: '192.0.2.77', requestId: '' };
    for (let round = 0; round < 2 * limits.address; round++) {
      assert.equal(await attempt(throttle, who, async () => 'in'), 'in');
      const failure = throttle.guard(who, () => Promise.reject(new TypeError('the store is away')));
      await assert.rejects(failure, TypeError);
    }
  });

  it('hashes four passwords at a time, lets a hundred wait, and lets who never failed overtake those who guess', async () => {
    const throttle = newThrottle({ ...limits, account: 1e6, address: 1e6 });
    const open = Promise.withResolvers<void>();
    const order: string[] = [];
    const hash = (name: string) => async (): Promise<null> => {
      order.push(name);
      await open.promise;
      return null;
    };
    const refused = new Set<number>();
    const guesses = times(300, async (index) => {
      const who = { account: `guessed ${index}`, address: '203.0.113.66' };
      if ((await attempt(throttle, who, hash('guess'))) === 503) refused.add(index);
    });
    while (refused.size < 300 - 4 - 100) await sleep(5);
    while (order.length !== 4) await sleep(5);
    assert.deepEqual(order, ['guess', 'guess', 'guess', 'guess']);
    const person = attempt(throttle, { account: 'a person', address: '198.51.100.200' }, async () => {
      order.push('person');
      return 'in';
    });
    while (refused.size < 300 - 4 - 100 + 1) await sleep(5);
    open.resolve();
    assert.equal(await person, 'in');
    await guesses;
    assert.ok(
      order.indexOf('person') < 40,
      `before most who came earlier, not number ${order.indexOf('person')}`,
    );
    assert.equal(order.length, 4 + 99 + 1);
  });

  it('lets in who comes from where they came from before, whatever is guessed elsewhere or beside them (case 355)', async () => {
    const throttle = newThrottle();
    const owner = { account: 'owner', address: '198.51.100.7' };
    const come = () => attempt(throttle, owner, async () => 'in');
    assert.equal(await come(), 'in');
    for (let index = 0; index < limits.account; index++)
      assert.equal(await wrong(throttle, 'owner', `203.0.113.${index}`), 'tried');
    for (let index = 0; index < limits.address; index++)
      assert.equal(await wrong(throttle, `beside ${index}`, owner.address), 'tried');
    assert.equal(await wrong(throttle, 'owner', '203.0.113.200'), 429);
    assert.equal(await wrong(throttle, 'beside', owner.address), 429);
    assert.equal(await come(), 'in');
    for (let index = 0; index < limits.accountFromAddress; index++)
      assert.equal(await wrong(throttle, owner.account, owner.address), 'tried');
    assert.equal(await come(), 429, 'who guesses there is no better off');
  });

  it('takes them before a line that is full of guesses from as many addresses as accounts (case 355)', async () => {
    const throttle = newThrottle();
    const owner = { account: 'owner in a flood', address: '198.51.100.8' };
    assert.equal(await attempt(throttle, owner, async () => 'in'), 'in');
    const oneEnds = Promise.withResolvers<void>();
    const allEnd = Promise.withResolvers<void>();
    const order: string[] = [];
    const refused = new Set<number>();
    const guesses = times(150, async (index) => {
      const who = { account: `spread ${index}`, address: `2001:db8:${index}::` };
      const verify = async (): Promise<null> => {
        await (order.push('guess') === 1 ? oneEnds : allEnd).promise;
        return null;
      };
      if ((await attempt(throttle, who, verify)) === 503) refused.add(index);
    });
    while (refused.size < 150 - 4 - 100) await sleep(5);
    while (order.length < 4) await sleep(5);
    const stranger = { account: 'owner in a flood', address: '198.51.100.9' };
    assert.equal(await attempt(throttle, stranger, async () => 'in'), 503, 'nothing tells them from a guess');
    const answers: unknown[] = [];
    const comes = attempt(throttle, owner, async () => (order.push('owner'), 'in')).then((given) =>
      answers.push(given),
    );
    while (refused.size < 150 - 4 - 100 + 1 && answers.length === 0) await sleep(5);
    oneEnds.resolve();
    while (order.length < 5 && answers.length === 0) await sleep(5);
    allEnd.resolve();
    await Promise.all([comes, guesses]);
    assert.deepEqual(answers, ['in']);
    assert.equal(order.indexOf('owner'), 4, 'the first after those that were being tried');
  });

  it('keeps no e-mail and no address', async () => {
    const rows = await service.store.db.query(sql<{ key: string }>`select key from rate_limit`);
    assert.ok(rows.length > 0);
    assert.ok(rows.every(({ key }) => /^(pair|account|address|known):[\w-]{43}$/.test(key)));
  });
});
