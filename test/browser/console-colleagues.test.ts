import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { Role } from '../../contract/roles.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  beginTestSession,
  getTotpCode,
  MEMBER_PASSWORD,
  newMember,
  type TestMember,
} from '../harness/member.ts';
import {
  DESKTOP,
  fill,
  newBrowser,
  openBrowserFixtures,
  press,
  waitUntilStill,
  type BrowserFixtures,
  type PersonBrowser,
} from '../harness/page.ts';
import { assertValue } from '../harness/page-assertions.ts';
import { call, getOrganizationToken, newProject } from '../harness/service.ts';
import { consoleEn as en } from '../harness/words.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures();
});
after(() => fixtures.stop());

/** The console of a member who has just proved to be present. */
async function openConsole(
  t: TestContext,
  role: Role,
  projectIds: string[] | null = null,
): Promise<{ browser: PersonBrowser; tab: Page; member: TestMember }> {
  const { service } = fixtures;
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', viewport: DESKTOP });
  const member = await newMember(service, role, { projectIds });
  const value = await beginTestSession(service, member.memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
  return { browser, tab: await browser.newTab(), member };
}

const readOrganization = async () => {
  const token = await getOrganizationToken(fixtures.service, 'admin');
  return (
    await call(fixtures.service, `/v1/organizations/${fixtures.service.organization.organizationId}`, {
      token,
    })
  ).body;
};

describe('what a colleague has changed since a page was opened', () => {
  it('stays in the contact of an organization of which something else is saved, and is not undone unseen', async (t) => {
    const { service } = fixtures;
    const { browser, tab } = await openConsole(t, 'owner');
    const words = en.organization;
    const other = await browser.newTab();
    for (const each of [tab, other]) {
      await each.goto(`${service.baseUrl}/console/organization`);
      await each.getByLabel(words.contactPhone, { exact: true }).waitFor();
      await waitUntilStill(each);
    }
    const save = async (on: Page, label: string, value: string): Promise<void> => {
      await fill(on, { [label]: value });
      await press(on, en.common.save);
    };
    await save(tab, words.contactEmail, 'help@clinic.example');
    await tab.getByText(words.saved).waitFor();
    await save(other, words.contactPhone, '+1 555 0100');
    await other.getByText(words.saved).waitFor();
    assert.deepEqual((await readOrganization()).contact, {
      name: null,
      email: 'help@clinic.example',
      phone: '+1 555 0100',
    });
    await save(tab, words.contactPhone, '+1 555 0199');
    await tab.getByText(en.errors.conflict).waitFor();
    assert.equal((await readOrganization()).contact.phone, '+1 555 0100');
  });
});

describe('a member whom a colleague moves to another project', () => {
  it('reads so after signing in again, and loses nothing of what was written', async (t) => {
    const { service } = fixtures;
    const former = await newProject(service, 'Sleep in shifts');
    const { browser, tab, member } = await openConsole(t, 'researcher', [former]);
    const { one } = en.patients;
    await tab.goto(`${service.baseUrl}/console/patients/enroll`);
    await fill(tab, { [one.email]: 'kim@valley.example', [one.firstName]: 'Kim', [one.lastName]: 'Larsen' });
    await waitUntilStill(tab);
    await service.store.db.query(
      sql`update member set project_ids = ${[service.organization.projectId]}::uuid[] where member_id = ${member.memberId}`,
    );
    await service.store.db.query(sql`delete from member_session where member_id = ${member.memberId}`);
    browser.expectRefusals('401 POST /v1', '401 POST /console/sign-in', '403 POST /v1');
    await press(tab, one.submit);
    await tab.getByText(en.sessionOver.lead).waitFor();
    await fill(tab, { [en.signIn.password]: MEMBER_PASSWORD });
    await press(tab, en.signIn.submit);
    await fill(tab, { [en.signIn.code]: getTotpCode(service, member.totpSecret) });
    await press(tab, en.signIn.submit);
    await tab.getByText(en.errors.wrongProject).first().waitFor();
    await assertValue(tab.getByLabel(one.firstName, { exact: true }), 'Kim');
    await tab.getByLabel(one.project, { exact: true }).selectOption(service.organization.projectId);
    await press(tab, one.submit);
    await tab.getByText(one.done('Kim Larsen')).waitFor();
  });
});
