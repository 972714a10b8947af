import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { deriveBrandColors } from '../../contract/organization/brand-colors.ts';
import { createMark } from '../harness/brand.ts';
import { beginTestSession, newMember } from '../harness/member.ts';
import { fill, newBrowser, openBrowserFixtures, press, type BrowserFixtures } from '../harness/page.ts';
import {
  assertAbsent,
  assertChecked,
  assertCount,
  assertInPage,
  assertSoon,
  assertText,
  assertValue,
} from '../harness/page-assertions.ts';
import { call, getOrganizationToken, newProject } from '../harness/service.ts';
import { PREVIEW_PATH } from '../../web/preview/src/preview-message.ts';
import { PREVIEW_WORDS } from '../../web/preview/src/words.ts';
import { consoleEn as en, consoleEs as es, en as patientEn, es as patientEs } from '../harness/words.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures();
});
after(() => fixtures.stop());

const words = en.projects;
const dialog = (tab: Page) => tab.getByRole('dialog');
const screen = (tab: Page, name: string) => tab.locator(`[data-screen="${name}"]`).waitFor();
const inLanguage = (text: string, language: 'en' | 'es' = 'en') =>
  words.inLanguage(text, words.languages[language]);

/** Shows another side of the preview. */
const turn = (tab: Page, text: string) =>
  tab.locator('.preview-controls .segment').getByText(text, { exact: true }).click();

async function openTab(t: TestContext): Promise<Page> {
  return (await openConsole(t)).tab;
}

/** An owner at the console, in a tab. */
async function openConsole(t: TestContext, locale = 'en-US') {
  const { service } = fixtures;
  const owner = await newMember(service, 'owner');
  const browser = await newBrowser(t, fixtures, { locale, viewport: { width: 1280, height: 900 } });
  const value = await beginTestSession(service, owner.memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
  return { tab: await browser.newTab(), expectRefusals: browser.expectRefusals };
}

describe('what somebody else does meanwhile', () => {
  it('stays when a form is saved that was opened before: the switches of the organization', async (t) => {
    const { service } = fixtures;
    const tab = await openTab(t);
    await tab.goto(`${service.baseUrl}/console/organization`);
    const phone = tab.getByLabel(en.organization.contactPhone, { exact: true });
    await phone.fill('+1 555 010 2030');
    const path = `/v1/organizations/${service.organization.organizationId}`;
    const token = await getOrganizationToken(service);
    const json = { onlyVouchedApps: true, noNewRegistrations: true };
    await call(service, path, { method: 'PATCH', token, json });
    await press(tab, en.common.save);
    await tab.getByText(en.organization.saved).waitFor();
    const { body } = await call(service, path, { token });
    assert.deepEqual(
      [body.onlyVouchedApps, body.noNewRegistrations, body.contact.phone],
      [true, true, '+1 555 010 2030'],
    );
    await assertChecked(tab.getByLabel(en.organization.onlyVouchedApps), true);
    await call(service, path, {
      method: 'PATCH',
      token,
      json: { onlyVouchedApps: false, noNewRegistrations: false, contact: null },
    });
  });
});

describe('an input that the service alone refuses', () => {
  it('is explained in the language of the page', async (t) => {
    const { tab, expectRefusals } = await openConsole(t, 'es-ES');
    await tab.goto(`${fixtures.service.baseUrl}/console/organization`);
    await fill(tab, { [es.organization.publicName]: 'Clínica \u202eX' });
    expectRefusals('400 PATCH');
    await press(tab, es.common.save);
    const fault = Object.entries(es.inputs.faults).find(([message]) => message.includes('direction'))?.[1];
    assert.ok(fault);
    await tab.getByRole('alert').getByRole('link', { name: fault, exact: true }).waitFor();
    await assertAbsent(tab.getByText('must hold'));
  });
});

describe('words that a colleague publishes meanwhile', () => {
  /** A project in force, at the console, and what changes it as a colleague does. */
  async function openProject(t: TestContext) {
    const { service } = fixtures;
    const id = await newProject(service, 'Sleep');
    const path = `/v1/organizations/${service.organization.organizationId}/projects/${id}`;
    const token = await getOrganizationToken(service);
    const en = { title: 'Sleep', purpose: 'We look at sleep.', benefits: null, risks: null };
    const publish = async (change: object) =>
      call(service, path, {
        method: 'PATCH',
        token,
        json: { content: { en: { ...en, ...change }, contact: null } },
      });
    await publish({});
    const { tab, expectRefusals } = await openConsole(t);
    await tab.goto(`${service.baseUrl}/console/projects/${id}`);
    await tab.getByLabel(inLanguage(words.texts.title), { exact: true }).waitFor();
    const read = async () => (await call(service, path, { token })).body;
    return { tab, expectRefusals, publish, read };
  }
  const confirm = (tab: Page) => dialog(tab).getByRole('button', { name: words.publish }).click();

  it('stay where they were not touched, and the review names what both have changed', async (t) => {
    const { tab, publish, read } = await openProject(t);
    await fill(tab, {
      [inLanguage(words.texts.title)]: 'Sleep well',
      [inLanguage(words.texts.benefits)]: 'You may sleep well.',
    });
    await publish({ purpose: 'Reviewed.', risks: 'Others may see it.', benefits: 'Perhaps.' });
    await press(tab, words.review);
    await dialog(tab).getByText(words.overtaken(2)).waitFor();
    const both = dialog(tab).getByRole('alert').getByRole('listitem');
    await both.getByText(inLanguage(words.texts.benefits), { exact: true }).waitFor();
    await assertCount(both, 1);
    await assertAbsent(dialog(tab).getByRole('heading', { name: words.texts.risks }));
    await dialog(tab).getByRole('button', { name: en.common.cancel }).click();
    await assertValue(tab.getByLabel(inLanguage(words.texts.purpose), { exact: true }), 'Reviewed.');
    await press(tab, words.review);
    await both.getByText(inLanguage(words.texts.benefits), { exact: true }).waitFor();
    await assertCount(both, 1);
    await confirm(tab);
    await tab.getByText(words.published(3)).waitFor();
    assert.deepEqual((await read()).content.en, {
      title: 'Sleep well',
      purpose: 'Reviewed.',
      benefits: 'You may sleep well.',
      risks: 'Others may see it.',
    });
    // What was published is what the next change is based on.
    await fill(tab, { [inLanguage(words.texts.title)]: 'Sleep better' });
    await press(tab, words.review);
    await dialog(tab).getByText(words.publishText).waitFor();
    await assertAbsent(dialog(tab).getByText(words.overtaken(3)));
  });

  it('case 510: are not undone by a review that was open before: it begins anew with them', async (t) => {
    const { tab, expectRefusals, publish, read } = await openProject(t);
    await fill(tab, { [inLanguage(words.texts.title)]: 'Sleep well' });
    await press(tab, words.review);
    await dialog(tab).getByText(words.publishText).waitFor();
    await publish({ risks: 'Others may see it.' });
    expectRefusals('409 PATCH');
    await confirm(tab);
    await dialog(tab).getByText(words.overtaken(2)).waitFor();
    await dialog(tab)
      .getByRole('heading', { name: words.publishTitle(3) })
      .waitFor();
    assert.deepEqual([(await read()).version, (await read()).content.en.title], [2, 'Sleep']);
    await confirm(tab);
    await tab.getByText(words.published(3)).waitFor();
    const { title, risks } = (await read()).content.en;
    assert.deepEqual([title, risks], ['Sleep well', 'Others may see it.']);
  });
});

describe('a name without a space', () => {
  it('makes no table wider than the page', async (t) => {
    await newProject(fixtures.service, 'A'.repeat(200));
    const tab = await openTab(t);
    await tab.goto(`${fixtures.service.baseUrl}/console/projects`);
    await tab.locator('.list-table').getByText('A'.repeat(200)).first().waitFor();
    await assertInPage(
      tab,
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.list-scroll'))`,
      true,
    );
  });
});

describe('the mark and the colour of an organization', () => {
  it('are seen before they are saved, drawn anew from what was chosen, and shown in the preview of the review', async (t) => {
    const { service } = fixtures;
    const owner = await newMember(service, 'owner');
    const browser = await newBrowser(t, fixtures, { viewport: { width: 1280, height: 900 } });
    const value = await beginTestSession(service, owner.memberId);
    await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
    const tab = await browser.newTab();
    const { brand } = en.organization;
    await tab.goto(`${service.baseUrl}/console/organization`);
    const file = tab.getByLabel(brand.mark, { exact: true });
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await file.setInputFiles({ name: 'mark.svg', mimeType: 'image/svg+xml', buffer: drawing });
    await tab.getByText(brand.faults.unreadable).waitFor();
    await file.setInputFiles({ name: 'mark.png', mimeType: 'image/png', buffer: createMark() });
    await tab.getByLabel(brand.color, { exact: true }).fill('#ffdd00');
    const { light, dark } = deriveBrandColors('#ffdd00');
    await tab.getByText(brand.adjusted(light.accent, dark.accent)).waitFor();
    await assertCount(tab.locator('.brand-preview img[src^="data:"]'), 2);
    await press(tab, brand.save);
    await tab.getByText(en.organization.saved).waitFor();
    await assertCount(tab.locator('.brand-preview img[src*="/account/marks/"]'), 2);

    const { organizationId, projectId } = service.organization;
    const path = `/v1/organizations/${organizationId}`;
    const { body } = await call(service, path, { token: await getOrganizationToken(service) });
    assert.deepEqual([body.accentColor, body.brand.colors], ['#ffdd00', { light, dark }]);
    const picture = await fetch(`${service.baseUrl}/account/marks/${body.brand.mark}`);
    const png = Buffer.from(await picture.arrayBuffer());
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, 256]);

    await tab.goto(`${service.baseUrl}/console/projects/${projectId}`);
    const mark = tab.frameLocator('.preview-frame').locator('.frame-name .mark-picture');
    await assertSoon(async () =>
      assert.equal(await mark.evaluate((image: { naturalWidth: number }) => image.naturalWidth), 256),
    );
    await tab.goto(`${service.baseUrl}/console/organization`);
    await press(tab, brand.removeMark);
    await press(tab, brand.removeColor);
    await press(tab, brand.save);
    await tab.getByText(en.organization.saved).waitFor();
    const taken = await call(service, path, { token: await getOrganizationToken(service) });
    assert.equal(taken.body.brand, null);
  });
});

describe('a project at the console', () => {
  it('is created, gets words, and its second version is published after a look at what differs', async (t) => {
    const { service } = fixtures;
    const { organizationId } = service.organization;
    const owner = await newMember(service, 'owner');
    const browser = await newBrowser(t, fixtures, { viewport: { width: 1280, height: 900 } });
    const value = await beginTestSession(service, owner.memberId);
    await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
    const tab = await browser.newTab();
    const token = await getOrganizationToken(service);
    const read = async (path = '') => {
      const id = new URL(tab.url()).pathname.split('/').at(-1);
      return (await call(service, `/v1/organizations/${organizationId}/projects/${id}${path}`, { token }))
        .body;
    };

    await tab.goto(`${service.baseUrl}/console/projects`);
    await press(tab, words.create);
    await fill(tab, { [words.name]: 'Sleep study' });
    await dialog(tab).getByRole('button', { name: words.create }).click();
    await screen(tab, 'project');

    // A title alone is not enough; what is written stays while another tab is looked at.
    await fill(tab, { [inLanguage(words.texts.title)]: 'How you sleep' });
    await press(tab, words.review);
    await tab.getByRole('alert').getByRole('link', { name: words.faults.purpose.en }).click();
    await tab.keyboard.type('We look at how people sleep.');
    await fill(tab, {
      [inLanguage(words.texts.title, 'es')]: 'Cómo duerme usted',
      [inLanguage(words.texts.purpose, 'es')]: 'Miramos cómo duermen las personas.',
    });

    // The review beside it says so at once, in both languages and colours, and decides nothing.
    const preview = tab.frameLocator('iframe');
    await preview.getByText('We look at how people sleep.').waitFor();
    const allow = PREVIEW_WORDS.en.allow(patientEn.review.allow);
    await preview.getByRole('button', { name: allow, exact: true }).click();
    await preview.getByText(PREVIEW_WORDS.en.pressed).waitFor();
    await turn(tab, words.preview.schemes.dark);
    const [, frame] = tab.frames();
    assert.ok(frame);
    await frame.waitForFunction(`getComputedStyle(document.body).backgroundColor === 'rgb(14, 20, 18)'`);
    await turn(tab, words.preview.languages.es);
    await preview.getByText('Miramos cómo duermen las personas.').waitFor();
    await preview.getByRole('heading', { name: patientEs.review.why.title }).waitFor();

    // Its own window may not say what is shown, and the page around it is out of its reach.
    await frame.evaluate(`postMessage({ chartgatePreview: 'show', shown: { requester: 'app', language: 'en', scheme: 'light',
      organization: { name: 'Evil' }, projectName: 'Evil', content: null } }, '*')`);
    await assert.rejects(frame.evaluate('parent.document.title'), /SecurityError/);

    await tab.getByRole('link', { name: words.tabs.versions }).click();
    await tab.getByText(words.versionsEmpty).waitFor();
    await tab.getByRole('link', { name: words.tabs.words }).click();
    await tab.getByLabel(words.types.DATA_AUTHORIZATION).check();
    await preview.getByRole('heading', { level: 1 }).waitFor();
    await assertAbsent(preview.getByText('Evil'));
    await press(tab, words.review);
    await dialog(tab).getByText(words.publishFirst).waitFor();
    assert.equal((await read()).version, null);
    await dialog(tab).getByRole('button', { name: words.publish }).click();
    await tab.getByText(words.published(1)).waitFor();
    const first = await read();
    assert.deepEqual(
      [first.name, first.version, first.content.en.purpose, first.consentTypes],
      ['Sleep study', 1, 'We look at how people sleep.', [{ type: 'DATA_AUTHORIZATION', content: null }]],
    );

    // The same words again are no version.
    await press(tab, words.review);
    await tab.getByText(words.unchanged).waitFor();

    // A letter that the service alone refuses is shown at its field.
    const purpose = tab.getByLabel(inLanguage(words.texts.purpose), { exact: true });
    browser.expectRefusals('400 PATCH');
    await purpose.fill('We look at how people \u202esleep.');
    await press(tab, words.review);
    await dialog(tab).getByRole('button', { name: words.publish }).click();
    await tab
      .getByRole('alert')
      .getByRole('link', { name: `${inLanguage(words.texts.purpose)}: It holds characters` })
      .click();
    await purpose.fill('We look at how children sleep.');

    // What is not published is not left by accident.
    await tab.getByRole('link', { name: words.back }).click();
    await dialog(tab).getByText(words.leaveText).waitFor();
    await dialog(tab).getByRole('button', { name: en.common.cancel }).click();
    await press(tab, words.review);
    await dialog(tab).getByText(words.publishText).waitFor();
    await assertText(dialog(tab).locator('del'), /people$/);
    await assertText(dialog(tab).locator('ins'), /children$/);
    await dialog(tab).getByRole('button', { name: words.publish }).click();
    await tab.getByText(words.published(2)).waitFor();

    await tab.getByRole('link', { name: words.tabs.versions }).click();
    await tab.getByRole('rowheader', { name: words.versionNumber(2) }).waitFor();
    await assertText(tab.locator('.compared del'), /people$/);
    assert.equal((await read('/versions')).total, 2);

    await tab.getByRole('link', { name: words.tabs.connect }).click();
    await tab.getByLabel(words.onlyVouched).click();
    await tab.getByText(words.onlyVouchedNow).waitFor();
    assert.equal((await read()).onlyVouchedApps, true);

    await press(tab, words.rename);
    await dialog(tab).getByLabel(words.name, { exact: true }).fill('Sleep of children');
    await dialog(tab).getByRole('button', { name: en.common.save }).click();
    await tab.getByRole('heading', { level: 1, name: 'Sleep of children' }).waitFor();
    assert.equal((await read()).version, 2);
    await tab.getByRole('link', { name: words.back }).click();
    await screen(tab, 'projects');

    // Opened by itself, it shows no review.
    await tab.goto(`${service.baseUrl}${PREVIEW_PATH}`);
    await tab.getByText(PREVIEW_WORDS.en.alone).waitFor();
  });
});
