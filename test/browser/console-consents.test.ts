import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ResourceScope } from '../../contract/data-categories.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { recordConsentWithScreenshots } from '../harness/consent-record.ts';
import { createPng } from '../harness/evidence.ts';
import { beginTestSession, newMember } from '../harness/member.ts';
import {
  DESKTOP,
  NARROW,
  newBrowser,
  openBrowserFixtures,
  openReview,
  press,
  printPage,
  screenshot,
  waitForAgent,
  waitUntilStill,
  type BrowserFixtures,
  type PersonBrowser,
} from '../harness/page.ts';
import { assertAbsent, assertCount, assertInPage } from '../harness/page-assertions.ts';
import { readZip } from '../harness/read-zip.ts';
import { decide, newTestPatient, setProjectContent, upload, type TestPatient } from '../harness/service.ts';
import { consoleEn, en } from '../harness/words.ts';

const { detail, verification, decisions } = consoleEn.consents;

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
});
after(() => fixtures.stop());

/** The console of a member who has just proved to be present. */
async function openConsole(t: TestContext): Promise<{ browser: PersonBrowser; tab: Page }> {
  const { service } = fixtures;
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', viewport: DESKTOP });
  const { memberId } = await newMember(service, 'owner');
  const value = await beginTestSession(service, memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
  return { browser, tab: await browser.newTab() };
}

/** What the patient's log says of looks at their decisions. */
const listLooks = async ({ id }: Pick<TestPatient, 'id'>): Promise<string[]> =>
  (
    await fixtures.service.store.db.query(sql<{ action: string }>`
      select action from audit_entry
      where patient_id = ${id} and (action like 'consent.%viewed' or action = 'evidence.exported') order by action`)
  ).map(({ action }) => action);

describe('the evidence of a consent in the console', () => {
  it('is that of the consent page: looked at after a warning, verified, downloaded, and in the log of the patient', async (t) => {
    const { service } = fixtures;
    const categoryPurposes = { LABS: 'To follow your lungs.' };
    await setProjectContent(service, {
      en: { title: 'Asthma and air', purpose: 'We compare how people breathe.', categoryPurposes },
      es: { title: 'Asma y aire', purpose: 'Comparamos.', risks: 'Guardamos lo que leemos.' },
    });
    const patient = await newTestPatient(service, { consent: false });
    const person = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await person.signIn(patient);
    const page = await person.newTab();
    await page.goto(fixtures.agent.connectUrl());
    await openReview(page);
    await press(page, en.review.allow);
    await waitForAgent(page, fixtures.agent);

    const { tab } = await openConsole(t);
    await tab.goto(`${service.baseUrl}/console/consents`);
    await tab.locator('[data-row-link]').first().click();
    await tab.getByText(detail.banner).waitFor();
    await waitUntilStill(tab);
    assert.deepEqual(await listLooks(patient), [], 'nothing is loaded before the member agrees');
    await press(tab, detail.show);
    await tab.getByRole('heading', { name: verification.title }).waitFor();
    await assertCount(tab.locator('.check'), 5, 'signature, record, number, two pictures');
    await assertCount(tab.locator('.filmstrip-screen img'), 2);
    await assertAbsent(tab.locator('.check-failed'));
    assert.deepEqual(await listLooks(patient), ['consent.evidence_viewed'], 'one look is one entry');

    await tab.locator('dd[lang=en]').getByText(categoryPurposes.LABS).waitFor();
    await tab.locator('dd[lang=es]').getByText('Guardamos lo que leemos.').waitFor();
    // On paper each of them is whole: nobody can scroll there.
    await tab.emulateMedia({ media: 'print' });
    await assertInPage(
      tab,
      `Array.from(document.querySelectorAll('.printed-pictures img'), (img) =>
        img.clientWidth > 200 && Math.abs(img.clientHeight / img.clientWidth - img.naturalHeight / img.naturalWidth) < 0.01)
        .concat(document.querySelector('.large-picture').checkVisibility()).join()`,
      'true,true,false',
    );
    await tab.emulateMedia({ media: null });
    await printPage(tab, 'evidence', 'A4');

    const downloading = tab.waitForEvent('download');
    await press(tab, detail.downloadEvidence);
    const files = await readZip(readFileSync(await (await downloading).path()));
    assert.ok(files.has('index.html') && files.has('receipt.jws') && files.has('screens/02.png'));
    assert.ok((await listLooks(patient)).includes('evidence.exported'));

    // The patient takes it back while it is on the screen.
    await decide(service, patient, 'OPTED_OUT');
    await tab.getByText(detail.newer(decisions.withdrawn)).waitFor();
    await tab.waitForRequest('**/consent-records?**');
    await waitUntilStill(tab);
    assert.deepEqual(
      await listLooks(patient),
      ['consent.evidence_viewed', 'consent.record_viewed', 'evidence.exported'],
      'what the page was told of it once it does not ask for again',
    );
  });

  it('is called altered where a picture or the receipt is another on its way to the browser', async (t) => {
    const { service } = fixtures;
    const patient = await newTestPatient(service, { consent: false });
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, {
      images: [createPng(), createPng()],
    });
    const { tab } = await openConsole(t);
    interface Opened {
      receipt: string;
      screenshots: { data: string }[];
    }
    const alter = (change: (opened: Opened) => void): Promise<unknown> =>
      tab.route('**/consent-records/*', async (route) => {
        const opened = (await (await route.fetch()).json()) as Opened;
        change(opened);
        await route.fulfill({ json: opened });
      });
    await alter(({ screenshots: [first] }) => {
      assert.ok(first);
      const bytes = Buffer.from(first.data, 'base64');
      // One bit of the first picture.
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      first.data = bytes.toString('base64');
    });
    const open = async (): Promise<void> => {
      await tab.goto(`${service.baseUrl}/console/consents/${consentRecordId}`);
      await press(tab, detail.show);
      await tab.getByRole('heading', { name: verification.failedTitle }).waitFor();
    };
    await open();
    await assertCount(tab.locator('.check-failed'), 1);
    await assertCount(tab.getByText(detail.altered, { exact: true }), 1);
    await assertAbsent(tab.getByRole('heading', { name: verification.title }));

    await tab.unroute('**/consent-records/*');
    await alter((opened) => {
      const [header, payload = '', signature] = opened.receipt.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      const changed = Buffer.from(JSON.stringify({ ...claims, iss: 'https://elsewhere.example' }));
      opened.receipt = [header, changed.toString('base64url'), signature].join('.');
    });
    await open();
    await assertCount(tab.locator('.check-failed'), 5, 'nothing is proven without a signature');
  });

  it('of two people on two versions of the page stands side by side, and the look is in the log of each', async (t) => {
    const { service } = fixtures;
    const people: TestPatient[] = [];
    for (const uiHash of ['0ld-page', 'new-page']) {
      const person = await newTestPatient(service, { consent: false });
      await recordConsentWithScreenshots(service, person, { uiHash });
      people.push(person);
    }
    const { comparison, compareSelected } = consoleEn.consents;
    const { tab } = await openConsole(t);
    await tab.goto(`${service.baseUrl}/console/consents`);
    const select = (row: number) => tab.locator('[data-row]').nth(row).locator('.list-select input').check();
    await select(0);
    await assertAbsent(tab.getByRole('link', { name: compareSelected }));
    await select(1);
    await tab.getByRole('link', { name: compareSelected }).click();
    await tab.getByText(comparison.banner).waitFor();
    for (const person of people) assert.deepEqual(await listLooks(person), []);
    await press(tab, detail.show);
    const page = tab.getByRole('row', { name: detail.page });
    await page.getByText('new-page').waitFor();
    await page.getByText('0ld-page').waitFor();
    await page.getByText(comparison.differs).waitFor();
    await assertCount(tab.locator('.filmstrip-screen img'), 2);
    for (const person of people) assert.deepEqual(await listLooks(person), ['consent.evidence_viewed']);
  });
});

describe('what a consent covers, in the console', () => {
  it('names the protected classes that are shared in the list, its file, the facts and the page of the patient', async (t) => {
    const { service } = fixtures;
    const patient = await newTestPatient(service, { consent: false });
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, {
      scopes: {
        resourceScopes: [...ResourceScope.options],
        sensitivityScopes: ['NORMAL', 'MENTAL_HEALTH', 'HIV_OR_STI'],
      },
    });
    const { scope, classes } = consoleEn.consents;
    const covered = scope.everythingWith(`${classes.MENTAL_HEALTH}; ${classes.HIV_OR_STI}`);
    const { tab } = await openConsole(t);
    await tab.goto(`${service.baseUrl}/console/consents`);
    await tab.getByRole('row').nth(1).getByText(covered, { exact: true }).waitFor();
    const downloading = tab.waitForEvent('download');
    await press(tab, consoleEn.list.csv);
    assert.ok(readFileSync(await (await downloading).path(), 'utf8').includes(covered));

    await tab.emulateMedia({ colorScheme: 'dark' });
    await tab.setViewportSize(NARROW);
    await tab.goto(`${service.baseUrl}/console/patients/${patient.id}`);
    await press(tab, consoleEn.patients.details.show);
    await tab.getByText(covered, { exact: true }).waitFor();
    await screenshot(tab, 'patient-covers-dark');
    await tab.emulateMedia({ colorScheme: 'light' });
    await screenshot(tab, 'patient-covers-light');
    await tab.goto(`${service.baseUrl}/console/consents/${consentRecordId}`);
    await press(tab, detail.show);
    await tab.getByRole('heading', { name: verification.title }).waitFor();
    await assertAbsent(tab.getByText(scope.everything, { exact: true }));
  });
});

describe('the search of the console', () => {
  it("finds an upload by its id, and opens its patient's uploads at it", async (t) => {
    const { service } = fixtures;
    const patient = await newTestPatient(service);
    const { batchId } = await upload(service, patient, await createArchive({ 'letter.txt': 'Seen today.' }));
    const { search, patients } = consoleEn;
    const { tab } = await openConsole(t);
    await tab.goto(`${service.baseUrl}/console/patients`);
    await tab.getByRole('combobox', { name: search.label }).fill(batchId as string);
    await tab.getByRole('option', { name: search.openUpload }).waitFor();
    await tab.keyboard.press('Enter');
    await press(tab, patients.details.show);
    await tab.getByText(patients.details.namedUpload, { exact: true }).waitFor();
    assert.match(tab.url(), new RegExp(`upload=${batchId}`));
  });
});
