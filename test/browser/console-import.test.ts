import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/platform/db/sql.ts';
import { beginTestSession, newMember } from '../harness/member.ts';
import {
  DESKTOP,
  openBrowser,
  openBrowserFixtures,
  press,
  type BrowserFixtures,
  type PersonBrowser,
} from '../harness/page.ts';
import { assertCount } from '../harness/page-assertions.ts';
import { call, getOrganizationToken } from '../harness/service.ts';
import { consoleEn as en } from '../harness/words.ts';

let fixtures: BrowserFixtures;
let browser: PersonBrowser;
let tab: Page;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  const { memberId } = await newMember(fixtures.service, 'owner');
  browser = await openBrowser(fixtures, { reducedMotion: 'reduce', viewport: DESKTOP });
  const value = await beginTestSession(fixtures.service, memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: fixtures.service.baseUrl }]);
  tab = await browser.newTab();
});
after(async () => {
  await browser.close();
  await fixtures.stop();
  browser.assertNoFaults();
});

const openPage = (path: string) => tab.goto(`${fixtures.service.baseUrl}/console${path}`);
const warning = () => tab.getByText(en.patients.asksNothing.title);

it('a double click on the import enrolls who is in the list and nobody else', async () => {
  const { importer: words } = en.patients;
  const csv = [
    'email,first name,last name',
    'maria@list.example,Maria,López',
    'maria@list.example,Maria,López',
    'ann@list.example,Ann,Lee',
  ].join('\n');
  await openPage('/patients/import');
  await tab.setInputFiles('#list-file', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await press(tab, words.check);
  await tab.getByRole('button', { name: `${words.tabs.twice} 1` }).click();
  // Who takes part already is still being asked: until then the import does not start.
  await tab.getByRole('button', { name: words.stop }).waitFor({ state: 'hidden' });
  await tab.getByRole('button', { name: words.start('2') }).dblclick();
  await tab.getByText(words.done('2')).waitFor();
  const rows = await fixtures.service.store.db.query(
    sql`select p.email from enrollment join patient p using (patient_id) where p.test_organization_id is null order by 1`,
  );
  assert.deepEqual(rows, [{ email: 'ann@list.example' }, { email: 'maria@list.example' }]);
});

it('asks about rows that were mended too, by one press or by hand, who takes part already', async () => {
  const { importer: words } = en.patients;
  const { projectId } = fixtures.service.organization;
  for (const email of ['eva@dates.example', 'joe@dates.example']) {
    const { status } = await call(fixtures.service, `/v1/projects/${projectId}/patients`, {
      token: await getOrganizationToken(fixtures.service),
      json: {
        patients: [{ email, firstName: 'Eva', lastName: 'Ruiz', dateOfBirth: '1980-12-31' }],
        suppressNotifications: true,
      },
    });
    assert.ok(status < 300, String(status));
  }
  const csv = [
    'email,first name,last name,date of birth',
    'eva@dates.example,Eva,Ruiz,31/12/1980',
    'new@dates.example,Noa,Paz,30/11/1981',
    'joe@dates,Eva,Ruiz,1980-12-31',
  ].join('\n');
  await openPage('/patients/import');
  await tab.setInputFiles('#list-file', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await press(tab, words.check);
  await tab.getByRole('button', { name: `${words.tabs.faulty} 3` }).waitFor();
  await tab.getByRole('button', { name: `${words.convert.dmy}: 1980-12-31` }).click();
  await tab.getByRole('button', { name: `${words.tabs.enrolled} 1` }).waitFor();
  const email = tab.getByLabel(words.cell(words.fields.email, '4'));
  await email.fill('joe@dates.example');
  await email.press('Enter');
  await tab.getByRole('button', { name: `${words.tabs.enrolled} 2` }).waitFor();
  await press(tab, words.start('1'));
  await tab.getByText(words.done('1')).waitFor();
  await tab.getByRole('button', { name: `${words.tabs.enrolled} 2` }).waitFor();
});

it('a double click on a button presses none that takes its place', async () => {
  await openPage('/patients/enroll');
  // Each in the place of the one before it.
  await tab.evaluate(`
    window.presses = 0;
    const place = document.createElement('div');
    place.style = 'position: fixed; inset: 0 auto auto 0; z-index: 99';
    const put = () => {
      const button = document.createElement('button');
      button.textContent = 'One more';
      button.addEventListener('click', () => { window.presses++; put(); });
      place.replaceChildren(button);
    };
    put();
    document.body.append(place);`);
  const button = tab.getByRole('button', { name: 'One more' });
  await button.dblclick();
  assert.equal(await tab.evaluate('window.presses'), 1);
  await button.click();
  assert.equal(await tab.evaluate('window.presses'), 2);
});

it('says where people are invited that the project asks them for nothing, until it asks', async () => {
  await openPage('/patients/enroll');
  await warning().waitFor();
  await tab.getByLabel(en.patients.one.invite).uncheck({ force: true });
  await assertCount(warning(), 0);
  const { organizationId, projectId } = fixtures.service.organization;
  const { status } = await call(
    fixtures.service,
    `/v1/organizations/${organizationId}/projects/${projectId}`,
    {
      method: 'PATCH',
      token: await getOrganizationToken(fixtures.service),
      json: { consentTypes: [{ type: 'DATA_AUTHORIZATION' }] },
    },
  );
  assert.equal(status, 200);
  await openPage('/patients/enroll');
  await tab.getByLabel(en.patients.one.invite).waitFor();
  await browser.waitUntilStill(tab);
  await assertCount(warning(), 0);
});
