import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { waitForMail } from '../harness/mails.ts';
import { createConsoleBrowser, newMember } from '../harness/member.ts';

const TOKEN = 'a-token-of-this-test';

describe('what an operator counts', () => {
  let service: TestService;
  let patient: TestPatient;
  const lines: Record<string, unknown>[] = [];
  before(async () => {
    service = await startTestService({
      environment: { CHARTGATE_METRICS_TOKEN: TOKEN, CHARTGATE_LOG_LEVEL: 'info' },
      logStream: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    });
    patient = await newTestPatient(service, { consent: false });
  });
  after(() => service.stop());

  const count = async (name: string): Promise<number> => {
    const { body } = await call(service, '/metrics', { token: TOKEN });
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body as string)?.[1]);
  };

  const ROWS: [what: string, metric: string, activity: string, act: () => Promise<unknown>][] = [
    ['a refused read', 'refused_reads', 'read_refused', () => callTool(service, patient, 'get_labs')],
    ['a consent', 'consents', 'consent_granted', () => decide(service, patient, 'OPTED_IN')],
    ['a withdrawal', 'withdrawals', 'consent_withdrawn', () => decide(service, patient, 'OPTED_OUT')],
    [
      'a failed sign-in',
      'failed_sign_ins',
      'sign_in_failed',
      () =>
        call(service, '/v1/auth/token', {
          json: { email: patient.email, password: 'not the password', projectId: patient.projectId },
        }),
    ],
    [
      'an upload',
      'uploads',
      'upload_received',
      async () =>
        upload(service, patient, await createArchive({ 'a.json': { resourceType: 'Patient', id: 'a' } })),
    ],
    [
      'a mail',
      'mails',
      'mail_sent',
      async () => {
        await call(service, `/v1/projects/${patient.projectId}/patients`, {
          token: await getOrganizationToken(service),
          json: { patients: [{ email: 'someone@mail.example', firstName: 'Ida', lastName: 'Berg' }] },
        });
        await waitForMail(service, 'someone@mail.example');
      },
    ],
  ];
  for (const [what, metric, activity, act] of ROWS) {
    it(`is ${what}: once, with a line that names nobody`, async () => {
      const name = `chartgate_${metric}_total`;
      const before = await count(name);
      await act();
      assert.equal((await count(name)) - before, 1);
      const written = lines.filter((line) => line['activity'] === activity);
      assert.ok(written.length > 0);
      const text = JSON.stringify(written);
      for (const personal of [patient.id, patient.email, 'someone', 'Ida', 'Berg', 'password'])
        assert.ok(!text.includes(personal), personal);
    });
  }

  const findLast = (activity: string): Record<string, unknown> | undefined =>
    lines.findLast((line) => line['activity'] === activity);

  it('is a failed sign-in by the id of the member or the key that it was tried for, and by that of the request', async () => {
    const {
      organizationId,
      admin: { apiKey },
    } = service.organization;
    const { memberId, email } = await newMember(service, 'owner');
    const browser = createConsoleBrowser(service);
    await browser.post('/console/sign-in', { email, password: 'not the password' });
    const tried = findLast('sign_in_failed');
    assert.deepEqual([tried?.['login'], tried?.['memberId']], ['member', memberId]);
    assert.match(String(tried?.['reqId']), /^req-/);
    await call(service, '/v1/auth/token', { json: { apiKey, apiSecret: 'not the secret' } });
    const { login, apiKeyId, organizationId: ofKey, reqId } = findLast('sign_in_failed') ?? {};
    assert.deepEqual([login, ofKey], ['api_key', organizationId]);
    assert.match(String(apiKeyId), /^[0-9a-f-]{36}$/);
    assert.notEqual(reqId, tried?.['reqId']);
    await call(service, '/v1/auth/token', { json: { apiKey: 'cgk_someone', apiSecret: 'not the secret' } });
    assert.equal(
      findLast('sign_in_failed')?.['apiKeyId'],
      undefined,
      'what a stranger typed is not repeated',
    );
  });

  it('is a mail by what it is and for whom it was sent', () => {
    const { mail, organizationId, projectId } = findLast('mail_sent') ?? {};
    const { organization } = service;
    assert.deepEqual(
      [mail, organizationId, projectId],
      ['invited', organization.organizationId, organization.projectId],
    );
  });
});
