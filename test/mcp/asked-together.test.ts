import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verifyStore } from '../../server/platform/audit/verify-store.ts';
import { sql, type Sql } from '../../server/platform/db/sql.ts';
import { listAllSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { newFlow, obtainTokens } from '../harness/authorization.ts';
import {
  callTool,
  decide,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

type Requester = Pick<TestPatient, 'id' | 'token'>;

for (const engine of JOURNEY_ENGINES)
  describe(`answers that were kept, asked for at once (${engine})`, () => {
    let service: TestService;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());

    const run = <Row>(statement: Sql<Row>) => service.store.db.query(statement);
    const ask = (requester: Requester) => callTool(service, requester, 'get_conditions');

    /** Has asked before: the text that is kept of it names whose it is. */
    async function keepFor(requester: Requester): Promise<Requester> {
      assert.equal((await ask(requester)).status, 200);
      await run(sql`update kept_answer set text = ${requester.id} where patient_id = ${requester.id}`);
      return requester;
    }

    const newRequester = async (): Promise<Requester> => keepFor(await newTestPatient(service));

    async function newAgent(): Promise<Requester> {
      const flow = await newFlow(service);
      const { access_token: token } = await obtainTokens(service, flow);
      return keepFor({ id: flow.patient.id, token: token as string });
    }

    const countEntries = async ({ id }: Requester) =>
      Object.fromEntries(
        (
          await run(sql<{ outcome: string; entries: number }>`
            select outcome, count(*)::integer as entries from audit_entry
            where patient_id = ${id} and action = 'mcp.tools_call' group by outcome`)
        ).map(({ outcome, entries }) => [outcome, entries]),
      );

    it('are each given to whom they are of, each with its entry, and to nobody who may not read', async () => {
      const [one, agent, withdrawn, revoked, ended, changed, expired] = await Promise.all([
        newRequester(),
        newAgent(),
        newRequester(),
        newAgent(),
        newAgent(),
        newRequester(),
        newRequester(),
      ]);
      await decide(service, withdrawn as TestPatient, 'OPTED_OUT');
      await run(sql`update oauth_grant set revoked_at = now() where patient_id = ${revoked.id}`);
      await run(sql`update oauth_grant set expires_at = now() where patient_id = ${ended.id}`);
      await run(
        sql`update patient_password set credential_id = gen_random_uuid() where patient_id = ${changed.id}`,
      );
      await run(sql`update consent set expires_at = now() where patient_id = ${expired.id}`);
      const requesters = [one, agent, withdrawn, revoked, ended, changed, expired];
      const answers = await Promise.all(
        [...requesters, ...requesters, ...requesters].map(async (requester) => ({
          requester,
          answer: await ask(requester),
        })),
      );
      const expected = new Map([
        [withdrawn, 403],
        [revoked, 401],
        [ended, 401],
        [changed, 401],
        [expired, 403],
      ]);
      for (const { requester, answer } of answers) {
        assert.equal(answer.status, expected.get(requester) ?? 200, JSON.stringify(answer.body));
        if (answer.status === 200) assert.equal(getToolText(answer), requester.id);
      }
      for (const requester of [one, agent]) assert.deepEqual(await countEntries(requester), { success: 4 });
      for (const requester of [withdrawn, expired])
        assert.deepEqual(await countEntries(requester), { success: 1, refused: 3 });
      for (const requester of [revoked, ended, changed])
        assert.deepEqual(await countEntries(requester), { success: 1 });
      const { db } = service.store;
      const { fault } = await verifyStore(
        { db, keys: await importVerifyingKeys(await listAllSigningKeys(db)) },
        null,
      );
      assert.equal(fault, null);
    });

    it('are not given while something waits to be read', async () => {
      const requester = (await newRequester()) as TestPatient;
      const other = await newRequester();
      await run(sql`
        insert into upload_batch (patient_id, batch_id, status, received_at, position)
        values (${requester.id}, gen_random_uuid(), 'queued', now(), 1)`);
      const [text, others] = (await Promise.all([ask(requester), ask(other)])).map(getToolText);
      assert.match(text ?? '', /1 upload is still being read/);
      assert.equal(others, other.id);
    });

    it('are made anew where they cannot be looked up, and reported as any other', async () => {
      const requester = await newRequester();
      const refuse = sql`alter table kept_answer rename to kept_answer_elsewhere`;
      await run(refuse);
      const answers: HttpResponse[] = await Promise.all([ask(requester), ask(requester)]);
      await run(sql`alter table kept_answer_elsewhere rename to kept_answer`);
      for (const answer of answers) assert.match(getToolText(answer), /condition/i);
      assert.deepEqual(await countEntries(requester), { success: 3 });
    });

    it('are not given by a decision that is newer than their entry, which goes before it in the log', async () => {
      const requester = await newRequester();
      await run(
        sql`update consent set decided_at = now() + interval '1 hour' where patient_id = ${requester.id}`,
      );
      assert.match(getToolText(await ask(requester)), /condition/i);
      await run(sql`update consent set decided_at = now() where patient_id = ${requester.id}`);
      await keepFor(requester);
      assert.equal(getToolText(await ask(requester)), requester.id);
    });

    it('name the consent record under which they were read', async () => {
      const requester = await newTestPatient(service);
      await upload(service, requester, await createArchive({ 'a.json': createBundle() }));
      await keepFor(requester);
      await decide(service, requester, 'OPTED_IN');
      assert.equal(getToolText(await ask(requester)), requester.id);
      const entries = await run(sql<{ consent_record_id: string }>`
        select consent_record_id from audit_entry
        where patient_id = ${requester.id} and action = 'mcp.tools_call' order by entry_id`);
      const [newest] = await run(sql<{ consent_record_id: string }>`
        select consent_record_id from consent where patient_id = ${requester.id}`);
      assert.notEqual(entries[0]?.consent_record_id, newest?.consent_record_id);
      assert.equal(entries[1]?.consent_record_id, newest?.consent_record_id);
    });
  });
