import assert from 'node:assert/strict';
import { buildAuthorizePath, newFlow, obtainTokens } from '../harness/authorization.ts';
import { call, getOrganizationToken, type TestService } from '../harness/service.ts';

/** An organization looks at an app that a patient has connected, and blocks it; it asks again, with a fault. */
export async function exerciseClients(service: TestService): Promise<void> {
  const flow = await newFlow(service, { client_name: 'Blocked agent' });
  await obtainTokens(service, flow);
  const attempt = { clientId: flow.client.client_id as string, challenge: flow.pkce.challenge };
  const faulty = buildAuthorizePath(attempt, { scope: 'unknown' });
  const token = await getOrganizationToken(service);
  const clients = `/v1/organizations/${service.organization.organizationId}/clients`;
  const { body } = await call(service, `${clients}?q=Blocked&connected=true`, { token });
  const url = `${clients}/${body.results[0].id}`;
  assert.equal((await call(service, url, { token })).status, 200);
  const json = { judgement: 'blocked', note: 'Leaked' };
  assert.equal((await call(service, url, { method: 'PATCH', token, json })).body.ends.patients, 1);
  assert.equal((await flow.browser.get(faulty)).status, 403);
  const unblocked = await call(service, url, { method: 'PATCH', token, json: { judgement: 'new' } });
  assert.equal(unblocked.status, 200);
}
