import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deriveBrandColors } from '../../contract/organization/brand-colors.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createOrganization } from '../../server/identity/members/create-organization.ts';
import {
  call,
  newOrganization,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { buildAuthorizePath, getRequestId, newFlow } from '../harness/authorization.ts';
import { newPerson, requestMailedLink } from '../harness/account.ts';
import { createPng } from '../harness/evidence.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const words = (purpose: string) => ({ title: 'Sleep study', purpose, benefits: null, risks: null });
const content = (purpose: string) => ({ en: words(purpose), contact: null });

for (const engine of JOURNEY_ENGINES) {
  describe(`the projects of an organization: ${engine}`, () => {
    let service: TestService;
    let admin: string;
    before(async () => {
      service = await startTestService({ engine });
      admin = await getOrganizationToken(service);
    });
    after(() => service.stop());

    const send = (
      path: string,
      json?: object,
      method = json ? 'POST' : 'GET',
      token = admin,
    ): Promise<HttpResponse> =>
      call(service, `/v1/organizations/${service.organization.organizationId}/projects${path}`, {
        method,
        token,
        ...(json && { json }),
      });
    const create = async (more: object = {}): Promise<HttpResponse['body']> =>
      (await send('', { name: 'Sleep', ...more })).body;
    const listAuditEntries = (projectId: string) =>
      service.store.db.query(
        sql<Record<string, unknown>>`select action, actor_kind, detail::text as detail from audit_entry
          where project_id = ${projectId} and action like 'project.%' order by entry_id`,
      );

    it('begin with the one that the organization was created with', async () => {
      const { status, body } = await send('?limit=1');
      assert.equal(status, 200);
      assert.deepEqual(
        { ...body.results[0], createdAt: '' },
        {
          id: service.organization.projectId,
          organizationId: service.organization.organizationId,
          name: 'Study',
          createdAt: '',
          version: null,
          studySnapshotId: null,
          content: null,
          consentTypes: [],
          onlyVouchedApps: false,
        },
      );
    });

    it('stand beside the mark and the colour that its patients see wherever it speaks, whose changes its log has', async () => {
      const { organizationId } = service.organization;
      const path = `/v1/organizations/${organizationId}`;
      const flow = await newFlow(service);
      const stranger = createTestBrowser(service);
      const { projectId } = service.organization;
      const token = await requestMailedLink(service, stranger, { email: newPerson().email, projectId });
      const readPages = async () => {
        const { clientId, challenge } = {
          clientId: flow.client.client_id as string,
          challenge: flow.pkce.challenge,
        };
        const begun = await flow.browser.get(buildAuthorizePath({ clientId, challenge }));
        const pages = await Promise.all([
          flow.browser.get(`/oauth/interaction/${getRequestId(begun)}`),
          stranger.get(`/account/enrollments/${projectId}`),
          stranger.post('/account/link', { token }),
          flow.browser.get('/account/session'),
        ]);
        return pages.map(({ body }) => body.organization);
      };
      for (const { name, brand } of await readPages())
        assert.deepEqual([typeof name, brand], ['string', null], 'nothing is chosen');

      const change = (method: string, more: string, json?: object) =>
        call(service, path + more, { method, token: admin, ...(json && { json }) });
      for (const accentColor of ['red', '#FFF', '#12345g', '#0b5d4b;--x:url(//evil.example)'])
        assert.equal((await change('PATCH', '', { accentColor })).status, 400, accentColor);
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
      assert.equal((await change('PUT', '/mark', { image: svg })).status, 400);
      const png = createPng(96, 96);
      const image = png.toString('base64');
      assert.equal((await change('PATCH', '', { accentColor: '#ffdd00' })).body.accentColor, '#ffdd00');
      const { body: changed } = await change('PUT', '/mark', { image });
      assert.deepEqual(
        (await change('PUT', '/mark', { image })).body,
        changed,
        'the same again is no change',
      );
      const colors = deriveBrandColors('#ffdd00');
      assert.deepEqual(changed.brand, { mark: changed.brand.mark, colors });
      for (const { brand } of await readPages()) assert.deepEqual(brand, changed.brand);

      const address = `${service.baseUrl}/account/marks/${changed.brand.mark}`;
      const picture = await fetch(address);
      assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
      assert.deepEqual(
        [
          'content-type',
          'x-content-type-options',
          'content-security-policy',
          'cache-control',
          'set-cookie',
        ].map((name) => picture.headers.get(name)),
        ['image/png', 'nosniff', "default-src 'none'; sandbox", 'public, max-age=31536000, immutable', null],
      );
      assert.equal((await change('DELETE', '/mark')).body.brand.mark, null);
      assert.equal((await fetch(address)).status, 404);
      for (const brand of (await readPages()).map((organization) => organization.brand))
        assert.deepEqual(brand, { mark: null, colors });
      assert.equal((await change('PATCH', '', { accentColor: null })).body.brand, null);
      const { body: log } = await change('GET', '/audit-events?action=organization.updated&limit=4');
      assert.deepEqual(
        log.results.map(({ detail }: { detail: { changed: string[] } }) => detail.changed[0]),
        ['accentColor', 'mark', 'mark', 'accentColor'],
      );
    });

    it('are listed oldest first, in pages, to researchers too', async () => {
      const ids = [service.organization.projectId as string];
      for (const name of ['One', 'Two', 'Three']) ids.push((await create({ name })).id as string);
      const researcher = await getOrganizationToken(service, 'researcher');
      const page = async (query: string): Promise<unknown[]> => {
        const { body } = await send(`?${query}`, undefined, 'GET', researcher);
        return [body.total, body.results.map(({ id }: { id: string }) => id)];
      };
      assert.deepEqual(await page('limit=2'), [4, ids.slice(0, 2)]);
      assert.deepEqual(await page('limit=2&offset=2'), [4, ids.slice(2)]);
      assert.equal((await send('', { name: 'Four' }, 'POST', researcher)).status, 403);
    });

    it('are refused words that turn or cover the text around them', async () => {
      for (const name of ['\u202Eevil', 'a\u0000b', `o${'\u0301'.repeat(40)}`, 'x'.repeat(201), ' ']) {
        const { status, body } = await send('', { name }, 'POST');
        assert.deepEqual([status, body.code], [400, 'invalid_input']);
      }
      const said = content('One\nparagraph, and ¿otro? Zoë, ไทย');
      assert.deepEqual((await create({ content: said })).content, said);
    });

    it('are shown to patients in versions, which are never changed', async () => {
      const created = await create({ content: content('First.') });
      assert.deepEqual([created.version, created.content], [1, content('First.')]);
      assert.match(created.studySnapshotId as string, UUID);
      const path = `/${created.id}`;
      const changed = await send(path, { content: content('Second.') }, 'PATCH');
      assert.deepEqual([changed.status, changed.body.version], [200, 2]);
      assert.notEqual(changed.body.studySnapshotId, created.studySnapshotId);
      assert.deepEqual((await send(path)).body, changed.body);
      const { body } = await send(`${path}/versions`);
      assert.deepEqual(
        [body.total, body.results.map((each: Record<string, unknown>) => ({ ...each, createdAt: '' }))],
        [
          2,
          [
            {
              version: 2,
              studySnapshotId: changed.body.studySnapshotId,
              createdAt: '',
              content: content('Second.'),
              consentTypes: [],
            },
            {
              version: 1,
              studySnapshotId: created.studySnapshotId,
              createdAt: '',
              content: content('First.'),
              consentTypes: [],
            },
          ],
        ],
      );
      assert.equal((await send(`${path}/versions?limit=1&offset=1`)).body.results[0].version, 1);
      assert.deepEqual(
        (await listAuditEntries(created.id as string)).map(({ detail, ...rest }) => ({
          ...rest,
          detail: JSON.parse(detail as string) as unknown,
        })),
        [
          { action: 'project.created', actor_kind: 'admin', detail: { version: 1 } },
          { action: 'project.updated', actor_kind: 'admin', detail: { renamed: false, version: 2 } },
        ],
      );
    });

    it('have no new version, and leave no trace, where no content differs', async () => {
      const created = await create({ content: content('Same.') });
      const same = {
        contact: null,
        en: { risks: null, purpose: ' Same. ', title: 'Sleep study', benefits: null },
      };
      const answer = await send(`/${created.id}`, { name: 'Sleep', content: same }, 'PATCH');
      assert.deepEqual([answer.status, answer.body], [200, created]);
      assert.equal((await listAuditEntries(created.id as string)).length, 1);
    });

    it('are renamed without a new version', async () => {
      const created = await create({ content: content('Same.') });
      const answer = await send(`/${created.id}`, { name: 'Rest' }, 'PATCH');
      assert.deepEqual(answer.body, { ...created, name: 'Rest' });
    });

    it('keep both of two changes at once, as two versions', async () => {
      const created = await create();
      const texts = Array.from({ length: 8 }, (_, place) => `Text ${place}.`);
      const answers = await Promise.all(
        texts.map((text) => send(`/${created.id}`, { content: content(text) }, 'PATCH')),
      );
      assert.deepEqual(
        new Set(answers.map(({ body }) => body.version as number)),
        new Set([1, 2, 3, 4, 5, 6, 7, 8]),
      );
      const { body } = await send(`/${created.id}/versions`);
      const purposes = (body.results as { content: { en: { purpose: string } } }[]).map(
        (each) => each.content.en.purpose,
      );
      assert.deepEqual(purposes.sort(), texts);
    });

    it('case 510: are changed by one of several who began with the same version, and lose nothing to the others', async () => {
      const created = await create();
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, place) =>
          send(`/${created.id}`, { content: content(`Text ${place}.`), basedOnVersion: null }, 'PATCH'),
        ),
      );
      const taken = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status, body }) => status === 409 && body.code === 'content_changed');
      assert.deepEqual([taken.length, refused.length], [1, 3]);
      const inForce = taken[0]?.body;
      assert.deepEqual((await send(`/${created.id}`)).body, inForce);
      const change = async (json: object) => {
        const { status, body } = await send(`/${created.id}`, json, 'PATCH');
        return [status, body.version];
      };
      // A change whose answer was lost is sent again: it is in force already, and no other.
      assert.deepEqual(await change({ content: inForce?.content as object, basedOnVersion: null }), [200, 1]);
      assert.deepEqual(await change({ content: content('Next.'), basedOnVersion: 1 }), [200, 2]);
      assert.deepEqual(await change({ name: 'Late', basedOnVersion: 1 }), [409, undefined]);
      assert.deepEqual(await change({ basedOnVersion: 2 }), [400, undefined]);
      assert.deepEqual(await change({ content: content('Without.') }), [200, 3]);
    });

    it('are refused without words: a title, a purpose, a language', async () => {
      for (const json of [
        {},
        { name: '' },
        { name: 'x'.repeat(201) },
        { name: 'x', content: {} },
        { name: 'x', content: { en: { title: 'x' } } },
        { name: 'x', content: { en: { title: '', purpose: 'x' } } },
        { name: 'x', content: { en: words('x'.repeat(4001)) } },
        { name: 'x', content: { ...content('x'), contact: { email: 'nobody' } } },
        { name: 'x', content: content('x\0') },
      ]) {
        const { status } = await send('', json);
        assert.equal(status, 400, JSON.stringify(json).slice(0, 80));
      }
      const created = await create();
      assert.equal((await send(`/${created.id}`, {}, 'PATCH')).status, 400);
    });

    it('of another organization, and those that there are not, are the same 403', async () => {
      const { projectId } = await newOrganization(service);
      const answers = new Set<string>();
      for (const id of [projectId, '00000000-0000-4000-8000-000000000000']) {
        const paths = [`/${id}`, `/${id}/versions`, `/${id}`] as const;
        for (const [index, path] of paths.entries()) {
          const { status, body } = await (index === 2 ? send(path, { name: 'Mine' }, 'PATCH') : send(path));
          answers.add(JSON.stringify([status, body]));
        }
      }
      assert.equal(answers.size, 1);
      assert.match([...answers].join(), /^\[403,.*"wrong_project"/);
    });

    it('have a first version where the organization was created with a purpose', async () => {
      const { db } = service.store;
      const given = {
        name: 'Purposeful',
        project: 'Sleep',
        purpose: 'To rest.',
        adminEmail: 'p@clinic.example',
      };
      const organization = await createOrganization({ db, clock: service.clock }, given);
      assert.ok(organization);
      const token = await getOrganizationToken(service, 'admin', organization);
      const { body } = await call(
        service,
        `/v1/organizations/${organization.organizationId}/projects/${organization.projectId}`,
        { token },
      );
      const en = { title: 'Sleep', purpose: 'To rest.', benefits: null, risks: null };
      assert.deepEqual([body.version, body.content], [1, { en, contact: null }]);
    });
  });
}
