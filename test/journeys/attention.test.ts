import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AttentionItem } from '../../contract/organization/attention.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { newFlow, obtainTokens } from '../harness/authorization.ts';
import { newMember, signInAs } from '../harness/member.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  newProject,
  newTestPatient,
  startTestService,
  type TestService,
} from '../harness/service.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('what needs somebody', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    service.clock.stop();
  });
  after(() => service.stop());

  const list = async (token: string, organization = service.organization) => {
    const { body } = await call(service, `/v1/organizations/${organization.organizationId}/attention`, {
      token,
    });
    return body.results as AttentionItem[];
  };
  const daysFromNow = (days: number): Date => new Date(service.clock.now().getTime() + days * DAY_MS);
  const run = (statement: Parameters<TestService['store']['db']['query']>[0]) =>
    service.store.db.query(statement);

  async function insertTroubles(): Promise<{ webhookId: string; sourceId: string }> {
    const { organizationId } = service.organization;
    const [webhookId, sourceId, patientId] = [generateId(), generateId(), generateId()];
    await run(sql`insert into webhook (organization_id, webhook_id, url, description, event_types, status, status_since, failing_since, created_at, changed_at)
      values (${organizationId}, ${webhookId}, 'https://hooks.example/a', '', '{}', 'active', ${daysFromNow(-9)}, ${daysFromNow(-2)}, ${daysFromNow(-9)}, ${daysFromNow(-9)}),
        (${organizationId}, ${generateId()}, 'https://gone.example/a', '', '{}', 'suspended', ${daysFromNow(-1)}, null, ${daysFromNow(-9)}, ${daysFromNow(-9)}),
        (${organizationId}, ${generateId()}, 'https://fine.example/a', '', '{}', 'active', ${daysFromNow(-1)}, null, ${daysFromNow(-9)}, ${daysFromNow(-9)})`);
    await run(sql`insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
      select ${organizationId}, ${webhookId}, 'evt_' || n, 'exhausted', now(), now(), ${daysFromNow(-0.5)}::timestamptz - n * interval '12 hours'
      from generate_series(0, 2) n`);
    await run(sql`insert into webhook_secret (organization_id, webhook_id, secret, created_at, expires_at)
      values (${organizationId}, ${webhookId}, 'one', now(), ${daysFromNow(0.5)}), (${organizationId}, ${webhookId}, 'two', now(), null)`);
    await run(sql`insert into record_source (organization_id, source_id, name, base_url, status, authentication, matching, created_at, changed_at)
      values (${organizationId}, ${sourceId}, 'Hospital', 'https://ehr.example/fhir', 'active', 'none', '{}', now(), now())`);
    await run(sql`insert into source_sync (patient_id, source_id, organization_id, state, requested_at)
      values (${patientId}, ${sourceId}, ${organizationId}, 'failed', now()), (${generateId()}, ${sourceId}, ${organizationId}, 'ambiguous_match', now()),
        (${generateId()}, ${sourceId}, ${organizationId}, 'up_to_date', now())`);
    return { webhookId, sourceId };
  }

  it('is what the caller may read, what does not work first, and nothing of another organization', async () => {
    const admin = await getOrganizationToken(service);
    const patient = await newTestPatient(service);
    await run(sql`update consent set expires_at = ${daysFromNow(10)} where patient_id = ${patient.id}`);
    await run(
      sql`insert into upload_batch (patient_id, batch_id, status, received_at, position)
        values (${patient.id}, ${generateId()}, 'failed', ${daysFromNow(-1)}, 1)`,
    );
    const { webhookId, sourceId } = await insertTroubles();
    const webhook = { name: 'hooks.example', target: `/console/webhooks/${webhookId}` };
    const source = { name: 'Hospital', target: `/console/sources/${sourceId}?tab=work` };
    const settings = { name: null, count: null, at: null, target: '/docs/configuration' };
    const problems = (await list(admin)).filter(({ severity }) => severity === 'problem');
    const byCode = problems.toSorted((one, other) => one.code.localeCompare(other.code));
    assert.deepEqual(
      byCode.map(({ code, name, count }) => [code, name, count]),
      [
        ['deliveries_exhausted', 'hooks.example', 2],
        ['source_failing', 'Hospital', 1],
        ['webhook_failing', 'hooks.example', null],
        ['webhook_suspended', 'gone.example', null],
      ],
    );
    const notices = (await list(admin)).slice(problems.length);
    const expected = [
      {
        code: 'webhook_secret_ending',
        severity: 'notice',
        ...webhook,
        count: null,
        at: daysFromNow(0.5).toISOString(),
      },
      { code: 'source_ambiguous', severity: 'notice', ...source, count: 1, at: null },
      { code: 'mail_not_configured', severity: 'notice', ...settings },
      { code: 'base_url_insecure', severity: 'notice', ...settings },
    ];
    for (const item of expected)
      assert.deepEqual(
        notices.find(({ code }) => code === item.code),
        item,
      );
    assert.equal(notices.find(({ code }) => code === 'consents_ending')?.count, 1);
    assert.equal(notices.find(({ code }) => code === 'uploads_failed')?.count, 1);
    const foreign = await newOrganization(service);
    assert.deepEqual(
      (await list(await getOrganizationToken(service, 'admin', foreign), foreign)).map(({ code }) => code),
      ['mail_not_configured', 'base_url_insecure'],
    );
    const researcher = await signInAs(
      service,
      await newMember(service, 'researcher', { projectIds: [generateId()] }),
    );
    const limited = await researcher.get(
      `/v1/organizations/${service.organization.organizationId}/attention`,
    );
    assert.ok(
      (limited.body.results as AttentionItem[]).every(
        ({ code }) => !/consents|key|mail|audit|source|uploads/.test(code),
      ),
    );
  });

  it('names keys that nobody uses, and one of which a secret ends', async () => {
    const admin = await getOrganizationToken(service);
    const { admin: key, researcher } = service.organization;
    await run(sql`update api_key set created_at = ${daysFromNow(-400)} where api_key = ${key.apiKey}`);
    await run(sql`update api_key set created_at = ${daysFromNow(-95)} where api_key = ${researcher.apiKey}`);
    await run(sql`update api_key_secret set last_used_at = null where api_key = ${researcher.apiKey}`);
    const keys = (await list(admin)).filter(({ code }) => code.startsWith('key_'));
    assert.deepEqual(
      keys.map(({ code, name, at }) => [code, name, at]),
      [
        ['key_old', 'Admin key', daysFromNow(-400).toISOString()],
        ['key_unused', 'Researcher key', daysFromNow(-95).toISOString()],
      ],
    );
    await run(
      sql`update api_key_secret set expires_at = ${daysFromNow(0.9)} where api_key = ${researcher.apiKey}`,
    );
    const [, ending] = (await list(admin)).filter(({ code }) => code.startsWith('key_'));
    assert.equal(ending?.code, 'key_secret_ending');
  });

  it('names an app that a patient has connected, until somebody has judged it', async () => {
    const admin = await getOrganizationToken(service);
    await obtainTokens(service, await newFlow(service, { client_name: 'Pill helper' }));
    const apps = async () => (await list(admin)).filter(({ code }) => code === 'app_unjudged');
    const [app] = await apps();
    assert.deepEqual([app?.name, app?.count, app?.severity], ['Pill helper', 1, 'notice']);
    const { organizationId } = service.organization;
    const id = app?.target.replace('/console/apps/', '');
    const { status } = await call(service, `/v1/organizations/${organizationId}/clients/${id}`, {
      method: 'PATCH',
      token: admin,
      json: { judgement: 'blocked', note: 'As the board decided' },
    });
    assert.equal(status, 200);
    assert.deepEqual(await apps(), []);
  });
});

describe('the first steps of an organization', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  it('are done one by one, and each caller sees those that their role may take', async () => {
    const { organizationId } = service.organization;
    const path = `/v1/organizations/${organizationId}/first-steps`;
    const admin = await getOrganizationToken(service);
    const listDone = async () =>
      ((await call(service, path, { token: admin })).body.results as { code: string; isDone: boolean }[])
        .filter(({ isDone }) => isDone)
        .map(({ code }) => code);
    const { body } = await call(service, path, { token: admin });
    assert.deepEqual(
      body.results.map(({ code }: { code: string }) => code),
      ['words_written', 'patient_enrolled', 'record_connected', 'reader_connected', 'second_owner'],
    );
    const before = await listDone();
    assert.ok(!before.includes('reader_connected') && !before.includes('second_owner'), before.join());
    await obtainTokens(service, await newFlow(service));
    const owners = [await newMember(service, 'owner'), await newMember(service, 'owner')];
    assert.deepEqual(
      (await listDone()).filter((code) => !before.includes(code)),
      ['patient_enrolled', 'reader_connected', 'second_owner'].filter((code) => !before.includes(code)),
    );
    assert.equal(owners.length, 2);
    const auditor = await signInAs(service, await newMember(service, 'auditor'));
    assert.deepEqual((await auditor.get(path)).body.results, []);
  });

  it('say to whoever is limited to projects only what was done in these', async () => {
    const patient = await newTestPatient(service);
    const path = `/v1/organizations/${service.organization.organizationId}/first-steps`;
    const listSteps = async (projectIds: string[]) => {
      const researcher = await signInAs(service, await newMember(service, 'researcher', { projectIds }));
      return (await researcher.get(path)).body.results;
    };
    assert.deepEqual(await listSteps([patient.projectId]), [{ code: 'patient_enrolled', isDone: true }]);
    assert.deepEqual(await listSteps([await newProject(service)]), [
      { code: 'patient_enrolled', isDone: false },
    ]);
  });
});
