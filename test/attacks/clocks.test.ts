import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  consumeMemberChallenge,
  createMemberChallenge,
} from '../../server/identity/members/passkeys/member-challenge.ts';
import { one } from '../../server/platform/db/db.ts';
import { raw, sql } from '../../server/platform/db/sql.ts';
import { createChallenge, consumeChallenge } from '../../server/identity/accounts/passkeys/challenge.ts';
import { exchangeCode, newFlow, obtainCode, obtainTokens, refresh } from '../harness/authorization.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
  waitUntilServing,
} from '../harness/service.ts';
import { newMember, signInAs } from '../harness/member.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const signInAgain = async (
  service: TestService,
  { email, password, projectId }: TestPatient,
): Promise<string> =>
  (await call(service, '/v1/auth/token', { json: { email, password, projectId } })).body.token as string;

const HOUR_MS = 3_600_000;

for (const engine of JOURNEY_ENGINES) {
  describe(`case 175: a node whose clock is wrong, on ${engine}`, () => {
    let service: TestService;
    let patient: TestPatient;
    before(async () => void (service = await startTestService({ engine })));
    beforeEach(async () => void (patient = await newTestPatient(service)));
    after(() => service.stop());

    /** Runs an action on the node while its clock is wrong; what was issued before stays valid under both. */
    async function withClock<T>(offsetMs: number, action: () => Promise<T>): Promise<T> {
      service.clock.advance(offsetMs);
      try {
        return await action();
      } finally {
        service.clock.advance(-offsetMs);
      }
    }

    const endConsent = (id: string): Promise<unknown> =>
      service.store.db.query(
        sql`update consent set expires_at = clock_timestamp() - interval '1 second' where patient_id = ${id}`,
      );

    it('reads nothing on after the end of a consent when it is behind', async () => {
      const token = await getOrganizationToken(service);
      const read = (): Promise<unknown> =>
        Promise.all([
          callTool(service, patient, 'get_health_summary').then(({ status }) => status),
          call(service, `/FHIR/R4/Person/${patient.id}/$everything`, { token }).then(({ status }) => status),
          call(service, `/v1/patients/${patient.id}/consented-data-scopes/study/${patient.projectId}`, {
            token,
          }).then(
            ({ body }) => body.consentDataScopes?.length ?? body.fullRecordWithoutRestrictedData ?? 'nothing',
          ),
          call(service, `/v1/patients/${patient.id}/consents`, { token }).then(
            ({ body }) => body.consents[0].hasPatientConsented,
          ),
        ]);
      const inForce = await read();
      assert.deepEqual((inForce as unknown[]).slice(0, 2), [200, 200]);
      assert.equal((inForce as unknown[])[3], true);
      await endConsent(patient.id);
      const ended = (await withClock(-HOUR_MS / 2, read)) as unknown[];
      assert.deepEqual(ended.slice(0, 2), [403, 403]);
      assert.notDeepEqual(ended[2], (inForce as unknown[])[2]);
      assert.equal(ended[3], false);
    });

    it('issues no token under a consent that has ended when it is behind', async () => {
      const flow = await newFlow(service);
      const tokens = await obtainTokens(service, flow);
      await endConsent(flow.patient.id);
      const { status, body } = await withClock(-HOUR_MS / 2, () =>
        refresh(service, flow.client.client_id as string, tokens.refresh_token as string),
      );
      assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    });

    it('exchanges no code and takes no challenge of a passkey after their end when it is behind', async () => {
      const { db } = service.store;
      const deps = { db, clock: service.clock };
      const flow = await newFlow(service);
      const code = await obtainCode(flow);
      const purpose = { browser: 'secret', patientId: null };
      const challenges = await Promise.all([1, 2].map(() => createChallenge(deps, purpose)));
      const answers = challenges.map((challenge) =>
        Buffer.from(JSON.stringify({ challenge })).toString('base64url'),
      );
      const consume = (answer: string) => consumeChallenge(deps, answer, purpose);
      assert.equal(await consume(answers[0] ?? ''), challenges[0]);
      await db.query(sql`update oauth_request set code_expires_at = clock_timestamp() - interval '1 second'
        where patient_id = ${flow.patient.id}`);
      const signIn = { browser: 'secret', purpose: 'sign_in' } as const;
      const ofMember = await createMemberChallenge(deps, signIn);
      await db.query(sql`update passkey_challenge set expires_at = clock_timestamp() - interval '1 second'`);
      await db.query(sql`update member_challenge set expires_at = clock_timestamp() - interval '1 second'`);
      const { status, body } = await withClock(-HOUR_MS / 2, () => exchangeCode(service, flow, code));
      assert.deepEqual([status, body.error], [400, 'invalid_grant']);
      assert.equal(await withClock(-HOUR_MS / 2, () => consume(answers[1] ?? '')), null);
      const answer = Buffer.from(JSON.stringify({ challenge: ofMember })).toString('base64url');
      const consumed = withClock(-HOUR_MS / 2, () => consumeMemberChallenge(deps, answer, signIn));
      assert.equal(await consumed, null);
    });

    it('takes no token and no session on after their end when it is behind, nor ends one early (case 335)', async () => {
      const flow = await newFlow(service);
      const { access_token: accessToken } = await obtainTokens(service, flow);
      const token = await getOrganizationToken(service);
      const session = (): Promise<HttpResponse> =>
        call(service, '/account/session', {
          headers: {
            cookie: [...flow.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          },
        });
      const use = (): Promise<unknown> =>
        Promise.all([
          callTool(service, { token: accessToken as string }, 'get_health_summary').then(
            ({ status }) => status,
          ),
          callTool(service, patient, 'get_health_summary').then(({ status }) => status),
          call(service, `/v1/patients/consents?patientId=${patient.id}`, { token }).then(
            ({ status }) => status,
          ),
          session().then(({ body }) => body.person !== null && body.person !== undefined),
        ]);
      assert.deepEqual(await use(), [200, 200, 200, true]);
      // Two hours ago they were issued, and by the node's clock that is now.
      const issued = await withClock(-2 * HOUR_MS, async () => ({
        patient: await signInAgain(service, patient),
        organization: await getOrganizationToken(service),
      }));
      const later = await withClock(-2 * HOUR_MS, () =>
        Promise.all([
          callTool(service, { token: issued.patient }, 'get_health_summary').then(({ status }) => status),
          call(service, `/v1/patients/consents?patientId=${patient.id}`, { token: issued.organization }).then(
            ({ status }) => status,
          ),
        ]),
      );
      assert.deepEqual(later, [401, 401]);
      const endSessionsIn = (length: string): Promise<unknown> =>
        service.store.db.query(
          sql`update account_session set expires_at = clock_timestamp() + ${length}::interval`,
        );
      // Used shortly before its end, a session lasts as long as by a node whose clock is right.
      await endSessionsIn('10 minutes');
      assert.ok((await withClock(-HOUR_MS / 2, session)).body.person);
      const left = sql<{ minutes: number }>`
        select max(extract(epoch from expires_at - clock_timestamp())::float / 60) as minutes from account_session`;
      const { minutes } = await one(service.store.db, left);
      assert.ok(minutes > 55 && minutes <= 60.1, String(minutes));
      await endSessionsIn('-1 second');
      assert.deepEqual(((await withClock(-HOUR_MS / 4, use)) as unknown[])[3], false);
    });

    it('takes no proof of presence and no session of a member on after their end when it is behind', async () => {
      const browser = await signInAs(service, await newMember(service, 'owner'));
      const create = (): Promise<{ status: number; body: { code?: string } }> =>
        browser.post(`/v1/organizations/${service.organization.organizationId}/api-keys`, {
          name: 'Late',
          role: 'researcher',
        });
      assert.equal((await create()).status, 201);
      const age = (column: 'confirmed_at' | 'expires_at', length: string) =>
        service.store.db.query(
          sql`update member_session set ${raw(column)} = clock_timestamp() - ${length}::interval`,
        );
      // Used shortly before its end, it lasts as long as by a node whose clock is right.
      await age('expires_at', '-10 minutes');
      assert.equal((await withClock(-HOUR_MS / 2, create)).status, 201);
      const left = sql<{ minutes: number }>`
        select extract(epoch from expires_at - clock_timestamp())::float / 60 as minutes from member_session`;
      assert.ok((await service.store.db.query(left)).every(({ minutes }) => minutes > 25 && minutes <= 30.1));
      await age('confirmed_at', '301 seconds');
      assert.equal((await withClock(-HOUR_MS / 2, create)).body.code, 'confirmation_required');
      await age('expires_at', '1 second');
      assert.equal((await withClock(-HOUR_MS / 2, create)).status, 401);
    });

    it('orders decisions strictly, each after the one it replaces, whichever node was behind', async () => {
      const listDecisions = async (): Promise<[string, string][]> => {
        const { body } = await call(service, `/v1/patients/consents?patientId=${patient.id}`, {
          token: patient.token,
        });
        return (body.results as { consentRecord: { consentStatus: string; timestamp: string } }[]).map(
          ({ consentRecord }) => [consentRecord.consentStatus, consentRecord.timestamp],
        );
      };
      await withClock(HOUR_MS / 2, () => decide(service, patient, 'OPTED_OUT'));
      await decide(service, patient, 'OPTED_IN');
      await withClock(-HOUR_MS / 2, () => decide(service, patient, 'OPTED_OUT'));
      const decisions = await listDecisions();
      assert.deepEqual(
        decisions.map(([status]) => status),
        ['OPTED_OUT', 'OPTED_IN', 'OPTED_OUT', 'OPTED_IN'],
      );
      const times = decisions.map(([, at]) => at);
      assert.deepEqual(times, [...new Set(times)].sort().reverse());
      assert.equal((await callTool(service, patient, 'get_health_summary')).status, 403);
    });

    it('dates a decision by the store when it is behind, so that it is new to those who ask for what is new', async () => {
      const token = await getOrganizationToken(service);
      const since = new Date(service.clock.now().getTime() - 1000).toUTCString();
      await withClock(-HOUR_MS / 2, () => decide(service, patient, 'OPTED_IN'));
      const { body } = await call(service, `/v1/patients/consents?patientId=${patient.id}`, {
        token,
        headers: { 'if-modified-since': since },
      });
      const [{ consentRecord: newest }] = body.results as [
        { consentRecord: { consentStatus: string; timestamp: string } },
      ];
      assert.equal(newest.consentStatus, 'OPTED_IN');
      assert.ok(new Date(newest.timestamp).getTime() > service.clock.now().getTime() - HOUR_MS / 4);
    });

    it('is not ready when it is more than two seconds off, and says so', async () => {
      const isReady = async (): Promise<[number, unknown]> => {
        const { status, body } = await call(service, '/readyz');
        return [status, body.code ?? body.status];
      };
      await waitUntilServing(service);
      await withClock(1500, () => waitUntilServing(service));
      assert.deepEqual(await withClock(3000, isReady), [503, 'clocks_differ']);
      assert.deepEqual(await withClock(-3000, isReady), [503, 'clocks_differ']);
      const text = await withClock(-60_000, () => service.metrics.metrics());
      const [, seconds] = /^chartgate_clock_difference_seconds (\S+)$/m.exec(text) ?? [];
      assert.ok(Math.abs(Number(seconds) - 60) < 1, String(seconds));
    });
  });

  describe(`case 554: background work of a node whose clock is wrong, on ${engine}`, () => {
    let service: TestService;
    before(async () => {
      const environment = { CHARTGATE_AUDIT_RETENTION_MONTHS: '3' };
      service = await startTestService({ engine, environment, guardsClock: true });
      await newTestPatient(service);
      await service.worker.enqueueRecurringJobs();
      await service.worker.drain();
    });
    after(() => service.stop());

    const DAYS_MS = 24 * HOUR_MS;
    const makeDue = (): Promise<unknown> =>
      service.store.db.query(sql`update job set run_at = statement_timestamp() - interval '1 second'`);
    const listKept = async (): Promise<unknown> => ({
      jobs: await service.store.db.query(sql`select kind, run_at, leased_by from job order by kind`),
      kept: await one(
        service.store.db,
        sql`select (select count(*) from audit_entry) as entries, (select count(*) from webhook_event) as events`,
      ),
    });

    it('deletes nothing whose time has not come, and puts nothing off', async () => {
      for (const off of [400 * DAYS_MS, 2 * HOUR_MS, -2 * HOUR_MS]) {
        // What recurs every two seconds may run between both.
        service.clock.advance(off);
        await makeDue();
        const before = await listKept();
        await service.worker.drain();
        assert.deepEqual(await listKept(), before);
        service.clock.advance(-off);
      }
    });

    it('works again when its clock is right', async () => {
      await makeDue();
      await service.worker.drain();
      const left = await service.store.db.query(
        sql<{ kind: string }>`select kind from job where run_at <= statement_timestamp() order by kind`,
      );
      assert.deepEqual(left, []);
    });
  });
}
