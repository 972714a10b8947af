import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { OrganizationId } from '../../contract/brands.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { announceFailing } from '../../server/surfaces/webhooks/maintenance/announce-failing.ts';
import { listMailsTo } from '../harness/mails.ts';
import { newOrganization, startTestService, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

for (const engine of JOURNEY_ENGINES) {
  describe(`announcements of webhooks on ${engine}`, () => {
    let service: TestService;
    let organizationId: OrganizationId;
    let members: [string, string];
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());
    beforeEach(async () => {
      const organization = await newOrganization(service);
      ({ organizationId } = organization);
      const second = `second-${organizationId}@clinic.example`;
      members = [organization.console.email, second];
      await service.store.db.query(sql`
        insert into member (member_id, organization_id, email, name, role, password_hash, credential_id, must_choose_password,
          created_at)
        values (${generateId()}, ${organizationId}, ${second}, 'Second', 'auditor', '', ${generateId()}, false,
          ${service.clock.now()})`);
    });

    async function newWebhook({ failingFor, status = 'active' }: { failingFor?: number; status?: string }) {
      const webhookId = generateId<string>();
      const now = service.clock.now();
      const failingSince = failingFor === undefined ? null : new Date(now.getTime() - failingFor);
      await service.store.db.query(sql`
        insert into webhook (organization_id, webhook_id, url, description, event_types, status, status_since, failing_since,
          created_at, changed_at)
        values (${organizationId}, ${webhookId}, 'https://hooks.partner.example:8443/in/secret-path?key=secret-key',
          ${'The study desk\r\nBcc: nobody'}, '{consent.withdrawn}', ${status}, ${now}, ${failingSince}, ${now}, ${now})`);
      return { webhookId, failingSince };
    }

    /** Does what the timer does, on `nodes` at once. */
    async function watch(nodes = 1): Promise<void> {
      const { store, clock, worker: jobs, config } = service;
      const {
        http: { baseUrl },
        webhooks: { retryDelays },
      } = config;
      const deps = {
        db: store.db,
        clock,
        jobs,
        baseUrl,
        retryDelays,
        audit: createAuditLog({ ...store, clock }),
      };
      const never = new AbortController().signal;
      await Promise.all(Array.from({ length: nodes }, () => announceFailing(deps, never)));
    }
    const listSubjects = async (member = members[0]): Promise<(string | undefined)[]> =>
      (await listMailsTo(service, member)).map(({ subject }) => subject);
    const listAnnouncements = async (webhookId: string): Promise<Date[]> =>
      (
        await one(
          service.store.db,
          sql<{ announced_at: Date[] }>`select announced_at from webhook where webhook_id = ${webhookId}`,
        )
      ).announced_at;
    const listEntries = () =>
      service.store.db.query(sql<{ action: string; actor_kind: string; detail: string }>`
        select action, actor_kind, detail from audit_entry where organization_id = ${organizationId} order by entry_id`);

    it('are mailed to the addresses that the organization names, and to nobody else', async () => {
      const desk = 'desk@clinic.example';
      await service.store.db.query(sql`
        update organization set fault_addresses = ${[desk]}::text[] where organization_id = ${organizationId}`);
      await newWebhook({ failingFor: 2 * HOUR });
      await watch();
      const subjects = await Promise.all([desk, ...members].map(listSubjects));
      assert.deepEqual(
        subjects.map((each) => each.length),
        [1, 0, 0],
      );
    });

    it('are mailed to each console member after 1, 12 and 33 hours, and never again', async () => {
      const { webhookId, failingSince } = await newWebhook({ failingFor: 58 * MINUTE });
      const mailed: number[] = [];
      await watch();
      assert.deepEqual(await listSubjects(), []);
      for (const hours of [1, 11, 21, 100]) {
        service.clock.advance(hours * HOUR);
        await watch();
        await watch();
        mailed.push((await listSubjects()).length);
      }
      assert.deepEqual(mailed, [1, 2, 3, 3]);
      const subject = 'Webhook endpoint hooks.partner.example:8443 has been failing for more than';
      assert.deepEqual((await listSubjects(members[1])).map(String).sort(), [
        `${subject} 12 hours`,
        `${subject} 33 hours`,
        `${subject} an hour`,
      ]);
      const found = await listEntries();
      assert.deepEqual(
        found.map(({ action, actor_kind: kind, detail }) => [action, kind, JSON.parse(detail)]),
        [1, 12, 33].map((afterHours) => [
          'webhook.failing_announced',
          'system',
          { webhookId, failingSince: failingSince?.toISOString(), afterHours },
        ]),
      );
    });

    it('name the endpoint, the time, the consequence and the delivery log, but no secret of the endpoint', async () => {
      const { webhookId } = await newWebhook({ failingFor: 61 * MINUTE });
      await watch();
      const [mail] = await listMailsTo(service, members[0]);
      const text = mail?.text ?? '';
      const look = `${service.baseUrl}/v1/organizations/${organizationId}/webhooks/${webhookId}/deliveries?status=exhausted`;
      for (const part of [
        'hooks.partner.example:8443',
        webhookId,
        'The study desk Bcc: nobody',
        'UTC',
        '33 hours',
        'replay',
      ])
        assert.ok(text.includes(part), part);
      assert.ok(text.split('\n').includes(look));
      assert.doesNotMatch(text + mail?.subject, /secret/);
      assert.deepEqual(mail?.bcc ?? [], []);
    });

    it('are combined into one when several are overdue', async () => {
      const { webhookId } = await newWebhook({ failingFor: 40 * HOUR });
      await watch();
      await watch();
      assert.equal((await listAnnouncements(webhookId)).length, 3);
      const [only, ...more] = await listSubjects();
      assert.deepEqual(more, []);
      assert.match(only ?? '', /33 hours$/);
    });

    it('are sent once when two nodes check at once', async () => {
      const { webhookId } = await newWebhook({ failingFor: 2 * HOUR });
      await newWebhook({ status: 'suspended' });
      await watch(2);
      assert.equal((await listAnnouncements(webhookId)).length, 1);
      for (const member of members) assert.equal((await listSubjects(member)).length, 2);
      assert.equal((await listEntries()).length, 2);
    });

    it('begin again when the endpoint recovers and fails again', async () => {
      const { webhookId } = await newWebhook({ failingFor: 2 * HOUR });
      await watch();
      const since = service.clock.now();
      await service.store.db.query(sql`
        update webhook set announced_at = '{}', failing_since = ${since} where webhook_id = ${webhookId}`);
      await watch();
      assert.equal((await listSubjects()).length, 1);
      service.clock.advance(61 * MINUTE);
      await watch();
      assert.equal((await listSubjects()).length, 2);
    });

    it('are not sent for a webhook that is paused or healthy', async () => {
      await newWebhook({ failingFor: 40 * HOUR, status: 'paused' });
      await newWebhook({});
      await watch();
      assert.deepEqual([await listSubjects(), await listEntries()], [[], []]);
    });

    it('are sent once for a suspended webhook', async () => {
      const { webhookId } = await newWebhook({ failingFor: 2 * HOUR, status: 'suspended' });
      await watch();
      await watch();
      const [mail, ...more] = await listMailsTo(service, members[0]);
      assert.deepEqual(more, []);
      assert.equal(mail?.subject, 'Webhook endpoint hooks.partner.example:8443 is suspended');
      assert.match(mail.text ?? '', /410/);
      assert.ok(mail.text?.includes(webhookId));
      assert.doesNotMatch(mail.text ?? '', /secret/);
      assert.deepEqual(
        (await listEntries()).map(({ action }) => action),
        ['webhook.suspended'],
      );
    });

    it('are checked by a timer of the service', async () => {
      await service.worker.enqueueRecurringJobs();
      await service.worker.drain();
      await newWebhook({ failingFor: 2 * HOUR });
      service.clock.advance(61_000);
      await service.worker.drain();
      assert.equal((await listSubjects()).length, 1);
    });
  });
}
