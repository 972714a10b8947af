import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { callMcp, newFlow, obtainTokens } from '../harness/authorization.ts';
import { beginTestSession, newMember } from '../harness/member.ts';
import {
  DESKTOP,
  openBrowser,
  openBrowserFixtures,
  type BrowserFixtures,
  type PersonBrowser,
} from '../harness/page.ts';
import { assertAbsent } from '../harness/page-assertions.ts';
import { call, getOrganizationToken, newTestPatient, setProjectContent } from '../harness/service.ts';
import { createWebhookApi, emitEvents } from '../harness/webhooks.ts';
import { consoleEn as en } from '../harness/words.ts';

let fixtures: BrowserFixtures;
let browser: PersonBrowser;
let tab: Page;
/** Something is in each list. */
let ids: { project: string; webhook: string; source: string };

before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  const { service } = fixtures;
  const { organizationId, projectId } = service.organization;
  await setProjectContent(service, {
    en: { title: 'Asthma and air', purpose: 'We compare how people breathe.' },
  });
  const { access_token: token } = await obtainTokens(service, await newFlow(service));
  await callMcp(service, token as string, 'tools/call');
  const { memberId } = await newMember(service, 'owner');
  const admin = await getOrganizationToken(service, 'admin');
  const create = async (path: string, json: object): Promise<string> => {
    const { status, body } = await call(service, `/v1/organizations/${organizationId}/${path}`, {
      token: admin,
      json,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id as string;
  };
  const webhook = await (await createWebhookApi(service)).createWebhook('https://receiver.example/hook');
  await emitEvents(service, 1);
  await create('invitations', { email: 'ben@clinic.example', role: 'auditor', projectIds: null });
  const source = await create('sources', {
    name: 'Riverside Hospital',
    baseUrl: 'https://ehr.example/fhir',
    authentication: { type: 'none' },
    matching: { by: 'identifier', system: 'urn:mrn' },
    projectIds: null,
    servesTestPatients: true,
  });
  // Patients are looked for at a server when they consent.
  await newTestPatient(service);
  await service.worker.drain();
  ids = { project: projectId, webhook: webhook.id as string, source };
  browser = await openBrowser(fixtures, { reducedMotion: 'reduce', viewport: DESKTOP });
  const value = await beginTestSession(service, memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
  tab = await browser.newTab();
});
after(async () => {
  await browser.close();
  await fixtures.stop();
  browser.assertNoFaults();
});

const PAGES: readonly [path: () => string, heading: string, list?: number][] = [
  [() => '/patients', 'name,state,since,project,lastReadAt,externalId,email'],
  [() => '/consents', 'timestamp,patient,decision,state,scope,until,parts,app'],
  [() => '/consents?tab=pages', 'uiHash,flow,firstUsedAt,lastUsedAt,example'],
  [() => '/reads', 'what,outcome,at,reader'],
  [() => '/apps', 'name,judgement,standsOn,patients,reads,lastReadAt,firstSeenAt'],
  [() => '/webhooks', 'url,status,waiting'],
  [() => `/webhooks/${ids.webhook}?tab=deliveries`, 'type,status,happened'],
  [() => '/sources', 'name,status,patients,address,signIn,matching'],
  [() => `/sources/${ids.source}?tab=patients`, 'patient,state,why'],
  [() => '/api-keys', 'name,role,projects,state,lastUsedAt'],
  [() => '/test-patients', 'name,dateOfBirth,projects,createdAt'],
  [() => '/projects', 'name,consentTypes,version'],
  [() => `/projects/${ids.project}?tab=versions`, 'version,createdAt,consents'],
  [() => '/team', 'name,role,projects,hasFactor,lastSignedInAt'],
  [() => '/team', 'email,role,projects,expiresAt', 1],
];

describe('the CSV file of a list', () => {
  for (const [path, heading, list = 0] of PAGES)
    it(`is saved with the rows of the list: ${heading}`, async () => {
      await tab.goto(`${fixtures.service.baseUrl}/console${path()}`);
      const button = tab.locator('.list').nth(list).getByRole('button', { name: en.list.csv, exact: true });
      const downloading = tab.waitForEvent('download');
      await button.click();
      const file = readFileSync(await (await downloading).path(), 'utf8');
      assert.equal(file.slice(0, heading.length + 1), `\ufeff${heading}`);
      assert.ok(file.trim().split('\r\n').length > 1, file);
    });

  it('is none of the audit log, whose export asks who somebody is and is an entry of it', async () => {
    await tab.goto(`${fixtures.service.baseUrl}/console/audit`);
    await tab.getByRole('button', { name: en.audit.export.csv }).waitFor();
    await assertAbsent(tab.getByRole('button', { name: en.list.csv, exact: true }));
  });
});
