import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { one, type Tx } from '../../server/platform/db/db.ts';
import { sql, type Sql } from '../../server/platform/db/sql.ts';
import {
  obtainCode,
  exchangeCode,
  postForm,
  newFlow,
  refresh,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import { isLong } from '../harness/long.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { ENGINES } from '../harness/store.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { createServerNode, type ServerNode } from '../storage/server-node.ts';
import {
  listAuditDetails,
  findGrant,
  INVALID_GRANT,
  getToolStatus,
  getStatusAndError,
  UNLIMITED,
} from './attack.ts';

interface CodeRow {
  used: boolean;
  generation: number;
  revoked_because: string | null;
}

const findCode = ({ store }: TestService, code: string): Promise<CodeRow> =>
  one(
    store.db,
    sql<CodeRow>`select r.code_used_at is not null as used, g.generation, g.revoked_because
      from oauth_request r join oauth_grant g on g.patient_id = r.patient_id and g.grant_id = r.grant_id
      where r.code_hash = ${createHash('sha256').update(code).digest()}`,
  );

/** What an exchange writes, in whatever statements: at each of them the process could be gone. */
const STEPS: Record<string, Sql> = {
  'the code is used': sql`create trigger crash after update on oauth_request for each row execute function crash()`,
  'the grant is taken': sql`create trigger crash after update on oauth_grant for each row execute function crash()`,
  'it is written into the log': sql`create trigger crash after insert on audit_entry for each row execute function crash()`,
};

for (const engine of ENGINES) {
  describe(`an exchange that breaks off: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({
        engine,
        environment: { ...UNLIMITED, CHARTGATE_LOG_LEVEL: 'silent' },
      });
      flow = await newFlow(service);
      await service.store.db.query(
        sql`create function crash() returns trigger language plpgsql as $$ begin raise exception 'the process is gone'; end $$`,
      );
    });
    after(() => service.stop());

    async function withFailingStep<T>(step: string, action: () => Promise<T>): Promise<T> {
      const { db } = service.store;
      await db.query(STEPS[step] as Sql);
      try {
        return await action();
      } finally {
        await db.query(sql`drop trigger if exists crash on oauth_request`);
        await db.query(sql`drop trigger if exists crash on oauth_grant`);
        await db.query(sql`drop trigger if exists crash on audit_entry`);
      }
    }

    for (const step of Object.keys(STEPS)) {
      it(`case 70: where ${step} has done nothing, and the code is as good as before`, async () => {
        const code = await obtainCode(flow);
        const before = (await listAuditDetails(service, 'oauth.code_exchanged')).length;
        const answer = await withFailingStep(step, () => exchangeCode(service, flow, code));
        assert.deepEqual(getStatusAndError(answer), [500, 'server_error']);
        assert.ok(!JSON.stringify(answer.body).includes('gone'));
        assert.deepEqual(await findCode(service, code), {
          used: false,
          generation: 0,
          revoked_because: null,
        });
        assert.equal((await listAuditDetails(service, 'oauth.code_exchanged')).length, before);
        const { status, body } = await exchangeCode(service, flow, code);
        assert.equal(status, 200);
        assert.equal(await getToolStatus(service, body.access_token), 200);
        assert.deepEqual(await findCode(service, code), { used: true, generation: 1, revoked_because: null });
        assert.equal((await listAuditDetails(service, 'oauth.code_exchanged')).length, before + 1);
      });

      it(`case 70: ten times at once where ${step} leaves a good code`, async () => {
        const code = await obtainCode(flow);
        const answers = await withFailingStep(step, () =>
          Promise.all(Array.from({ length: 10 }, () => exchangeCode(service, flow, code))),
        );
        for (const answer of answers) assert.deepEqual(getStatusAndError(answer), [500, 'server_error']);
        assert.equal((await exchangeCode(service, flow, code)).status, 200);
      });
    }

    it('case 70: and a refresh that breaks off leaves the token as good as before', async () => {
      const tokens = await obtainTokens(service, flow);
      const clientId = flow.client.client_id as string;
      const again = (): Promise<HttpResponse> => refresh(service, clientId, tokens.refresh_token as string);
      assert.deepEqual(getStatusAndError(await withFailingStep('the grant is taken', again)), [
        500,
        'server_error',
      ]);
      assert.equal((await again()).status, 200);
    });

    it('case 70: and the end of a grant that breaks off leaves it to the next reuse', async () => {
      const tokens = await obtainTokens(service, flow);
      const clientId = flow.client.client_id as string;
      const next = await refresh(service, clientId, tokens.refresh_token as string);
      const reuse = (): Promise<HttpResponse> => refresh(service, clientId, tokens.refresh_token as string);
      const revoke = (): Promise<HttpResponse> =>
        postForm(service, '/oauth/revoke', { token: next.body.access_token as string, client_id: clientId });
      for (const step of ['the grant is taken', 'it is written into the log']) {
        assert.equal((await withFailingStep(step, reuse)).status, 500);
        assert.equal((await withFailingStep(step, revoke)).status, 500);
        const { revoked_because: because } = await findGrant(service, next.body.access_token);
        assert.equal(because, null, 'no end without its entry');
      }
      assert.deepEqual(getStatusAndError(await reuse()), INVALID_GRANT);
      assert.equal(await getToolStatus(service, next.body.access_token), 401);
    });
  });
}

/** Killed after more answers each time; how many, in `npm test`, is as good as any. */
const ROUNDS = isLong ? 6 : 2;
const CODES = isLong ? 24 : 16;
/** How many of them the database keeps until the process is gone: on a busy machine all the others may be used by then. */
const HELD = 2;

const VICTIM = 'victim';
const VICTIM_SESSIONS = sql`from pg_stat_activity where application_name = ${VICTIM} and datname = current_database()`;

/** Waits until the database has noticed that the process is gone, and rolled back what it had open. */
const waitUntilDisconnected = ({ store }: TestService): Promise<void> =>
  waitUntil(
    'the database lets go',
    async () => (await store.db.query(sql`select 1 ${VICTIM_SESSIONS}`)).length === 0,
  );

/**
 * Runs `action` while nobody else can use `codes`, and until somebody waits for one of them. Then `last`, and whoever waits goes on.
 */
async function holdCodes(
  { store }: TestService,
  codes: string[],
  { action, last }: { action: () => Promise<void>; last: (tx: Tx) => Promise<void> },
): Promise<void> {
  const hashes = codes.map((code) => createHash('sha256').update(code).digest());
  await store.db.tx(async (tx) => {
    await tx.query(sql`select from oauth_request where code_hash = any(${hashes}::bytea[]) for update`);
    await action();
    await waitUntil('a held code is asked for', async () => {
      const waiting = await tx.query(sql`select 1 ${VICTIM_SESSIONS} and wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
    await last(tx);
  });
}

async function startVictim(service: TestService): Promise<ServerNode> {
  const node = createServerNode(await findFreePort(), {
    ...UNLIMITED,
    CHARTGATE_BASE_URL: service.baseUrl,
    CHARTGATE_DATA_DIR: service.store.dataDirectory,
    CHARTGATE_LOG_LEVEL: 'silent',
    DATABASE_URL: `${service.store.databaseUrl}?application_name=${VICTIM}`,
  });
  await node.start();
  return node;
}

describe('a server that is killed in the middle of exchanges', () => {
  it(`case 70: leaves every code either unused and good, or used with a live grant, ${ROUNDS} times`, async (t) => {
    const service = await startTestService({ environment: UNLIMITED });
    const counted = { answered: 0, unused: 0, usedUnanswered: 0 };
    try {
      const flow = await newFlow(service);
      for (let round = 0; round < ROUNDS; round++) {
        const victim = await startVictim(service);
        const codes: string[] = [];
        for (let count = 0; count < CODES; count++) codes.push(await obtainCode(flow));
        let answered = 0;
        let exchanged: Promise<HttpResponse | null>[] = [];
        await holdCodes(service, codes.slice(-HELD), {
          async action() {
            exchanged = codes.map((code) =>
              exchangeCode(victim, flow, code).then(
                (answer) => (answered++, answer),
                () => null,
              ),
            );
            // In the middle: some have their answer, others are under way.
            await waitUntil('some codes are exchanged', () => answered >= 1 + round * 3, 0);
          },
          async last(tx) {
            await victim.kill();
            // What the database has begun for a process that is gone it ends; unless somebody says that it is gone.
            if (round % 2 === 1)
              await tx.query(sql`select pg_terminate_backend(pid, 10000) ${VICTIM_SESSIONS}`);
          },
        });
        const answers: (HttpResponse | null)[] = await Promise.all(exchanged);
        await waitUntilDisconnected(service);
        const used = (await Promise.all(codes.map((code) => findCode(service, code)))).map((seen, turn) => {
          assert.deepEqual(
            seen,
            { used: seen.used, generation: seen.used ? 1 : 0, revoked_because: null },
            `code ${turn}`,
          );
          return seen.used;
        });
        for (const [turn, answer] of answers.entries()) {
          const again = (): Promise<HttpResponse> => exchangeCode(service, flow, codes[turn] as string);
          if (answer) {
            counted.answered++;
            assert.equal(answer.status, 200);
            assert.equal(used[turn], true, 'acknowledged, so it is stored');
            assert.equal(await getToolStatus(service, answer.body.access_token), 200);
            const next = await refresh(
              service,
              flow.client.client_id as string,
              answer.body.refresh_token as string,
            );
            assert.equal(next.status, 200);
          } else if (used[turn]) {
            counted.usedUnanswered++;
            assert.deepEqual(getStatusAndError(await again()), INVALID_GRANT);
          } else {
            counted.unused++;
            const late = await again();
            assert.equal(late.status, 200, JSON.stringify(late.body));
            assert.equal(await getToolStatus(service, late.body.access_token), 200);
          }
        }
      }
      t.diagnostic(JSON.stringify(counted));
      for (const [outcome, count] of Object.entries(counted)) assert.ok(count > 0, outcome);
    } finally {
      await service.stop();
    }
  });
});
