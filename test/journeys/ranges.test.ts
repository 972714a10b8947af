import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call, getOrganizationToken, newTestPatient, startTestService } from '../harness/service.ts';

it('every list of a range takes days of the organization and moments, and answers the same for the same', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const token = await getOrganizationToken(service);
  const organization = `/v1/organizations/${service.organization.organizationId}`;
  await call(service, organization, { method: 'PATCH', token, json: { timeZone: 'America/New_York' } });
  const { body: webhook } = await call(service, `${organization}/webhooks`, {
    token,
    json: { url: 'https://hooks.example/a', eventTypes: ['consent.granted'] },
  });
  await newTestPatient(service);
  const lists = [
    'usage',
    'daily-figures',
    'consent-stats',
    'patients/funnel',
    `webhooks/${webhook.id}/stats`,
  ];
  const moments = { from: '2026-03-08T05:00:00Z', to: '2026-03-10T00:00:00-04:00' };
  for (const list of lists) {
    const [byDays, byMoments] = await Promise.all(
      [{ from: '2026-03-08', to: '2026-03-09' }, moments].map((range) =>
        call(service, `${organization}/${list}?from=${range.from}&to=${range.to}`, { token }),
      ),
    );
    assert.equal(byDays?.status, 200, `${list}: ${JSON.stringify(byDays?.body)}`);
    assert.deepEqual(byMoments?.body, byDays?.body, list);
    const { status, body } = await call(service, `${organization}/${list}?from=2026-03-08&to=soon`, {
      token,
    });
    assert.deepEqual([status, body.errors[0].path], [400, 'to'], list);
    const reversed = await call(service, `${organization}/${list}?from=2026-03-08&to=2026-03-07`, { token });
    assert.equal(reversed.status, 400, list);
    assert.match(reversed.body.errors[0].path, /^(?:from|to)$/, list);
  }
});
