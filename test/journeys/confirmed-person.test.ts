import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { buildAuthorizePath, newFlow, getRequestId, type Flow } from '../harness/authorization.ts';
import { buildScreenshot, listIds, sendScreens } from '../harness/evidence.ts';
import { newTestPatient, startTestService, type TestService } from '../harness/service.ts';

describe('a person confirms who they are before they say yes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  const begin = async ({ browser, client, pkce }: Flow): Promise<string> => {
    const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
    return `/oauth/interaction/${getRequestId(await browser.get(buildAuthorizePath(attempt)))}`;
  };

  const recorded = (): Promise<unknown> =>
    one(
      service.store.db,
      sql`select (select count(*) from consent_record) as records, (select count(*) from oauth_grant) as grants,
        (select count(*) from audit_entry) as audited, (select count(*) from job) as jobs`,
    );

  /** What another tab of the same browser does meanwhile. */
  async function signInElse({ browser }: Flow): Promise<string> {
    const { email, password } = await newTestPatient(service, { consent: false });
    assert.equal((await browser.post('/account/sign-in', { email, password })).status, 200);
    return email;
  }

  it('and nobody else, signed in by another tab, says it in their place', async () => {
    const flow = await newFlow(service);
    const request = await begin(flow);
    const now = await signInElse(flow);
    const before = await recorded();
    const grant = { decision: 'grant', confirmedAs: flow.patient.email };
    const refused = await flow.browser.post(request, grant);
    assert.deepEqual([refused.status, refused.body.code], [409, 'person_changed']);
    assert.ok(!JSON.stringify(refused.body).includes('@'), 'a refusal names nobody');
    assert.deepEqual(await recorded(), before);

    const { body } = await flow.browser.get(request);
    assert.deepEqual([body.status, body.person.email, body.eligible], ['pending', now, true]);
    const picture = { ...buildScreenshot(flow.browser.now()), confirmedAs: flow.patient.email };
    const misplaced = await flow.browser.post(`${request}/screens`, picture);
    assert.deepEqual([misplaced.status, misplaced.body.code], [409, 'person_changed']);
    const screens = listIds(await sendScreens(flow.browser, `${request}/screens`));
    const granted = await flow.browser.post(request, { ...grant, screens, confirmedAs: now });
    assert.deepEqual([granted.status, granted.body], [200, { status: 'ready' }]);
  });

  it('in whatever case their address is written', async () => {
    const flow = await newFlow(service);
    const confirmedAs = flow.patient.email.toUpperCase();
    const request = await begin(flow);
    const screens = listIds(await sendScreens(flow.browser, `${request}/screens`));
    const { status } = await flow.browser.post(request, { decision: 'grant', screens, confirmedAs });
    assert.equal(status, 200);
  });

  it('by the account, whatever its address is by now, and another one that has the address since is refused', async () => {
    const flow = await newFlow(service);
    const { email: confirmedAs, id: personId } = flow.patient;
    const request = await begin(flow);
    const picture = { ...buildScreenshot(flow.browser.now()), confirmedAs, personId };
    await service.store.db.query(
      sql`update patient set email = ${`new-${confirmedAs}`} where patient_id = ${personId}`,
    );
    assert.equal((await flow.browser.post(`${request}/screens`, picture)).status, 200);
    const screens = listIds(await sendScreens(flow.browser, `${request}/screens`));
    const grant = { decision: 'grant', screens, confirmedAs, personId };
    // A page of the version before names the address alone.
    assert.equal((await flow.browser.post(request, { ...grant, personId: undefined })).status, 409);
    const other = await newTestPatient(service, { consent: false });
    const now = `new-${confirmedAs}`;
    const refused = await flow.browser.post(request, { ...grant, confirmedAs: now, personId: other.id });
    assert.deepEqual([refused.status, refused.body.code], [409, 'person_changed']);
    assert.equal((await flow.browser.post(request, grant)).status, 200);
  });

  it('but anybody says no', async () => {
    const flow = await newFlow(service);
    const request = await begin(flow);
    await signInElse(flow);
    const denied = await flow.browser.post(request, { decision: 'deny', confirmedAs: flow.patient.email });
    assert.deepEqual([denied.status, denied.body], [200, { status: 'denied' }]);
    const [entry] = await service.store.db.query(sql<{ actor: string; patient_id: string | null }>`
      select actor_id as actor, patient_id from audit_entry where action = 'oauth.denied' order by at desc limit 1`);
    assert.deepEqual(entry, { actor: 'anonymous', patient_id: null }, 'it is not of who is signed in');
  });

  it('and an address longer than any is not read', async () => {
    const flow = await newFlow(service);
    const confirmedAs = `${'a'.repeat(320)}@patients.invalid`;
    const answer = await flow.browser.post(await begin(flow), { decision: 'grant', confirmedAs });
    assert.equal(answer.status, 400);
  });
});
