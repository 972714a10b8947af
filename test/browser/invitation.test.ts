import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { formatDay } from '../../web/kit/format-date.ts';
import { extractPdfText } from '../../documents/pdf/pdf-text.ts';
import { en } from '../harness/words.ts';
import { newPerson } from '../harness/account.ts';
import { waitForMail } from '../harness/mails.ts';
import {
  fill,
  newBrowser,
  openBrowserFixtures,
  openReview,
  press,
  printPage,
  waitForScreen,
  waitUntilIdle,
  waitUntilStill,
  waitUntilVisible,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertChecked, assertCount } from '../harness/page-assertions.ts';
import { call, getOrganizationToken } from '../harness/service.ts';
import { decideEnrollment, invite, newInvited, newStudy, STUDY_CONSENTS } from '../harness/study.ts';

let fixtures: BrowserFixtures;
let projectId: string;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  projectId = await newStudy(fixtures.service, [...STUDY_CONSENTS, { type: 'FUTURE_DATA_USE' }]);
});
after(() => fixtures.stop());

const readLink = (text = ''): string => /^http\S+$/m.exec(text)?.[0] ?? '';

/** From the decision to its receipt, and that on paper: what is read and nothing that is pressed. */
async function assertPrintable(tab: Page, consentRecordId: string): Promise<void> {
  const { page, kinds } = en.myData.receipts;
  await tab.getByRole('link', { name: en.invitation.receipt }).first().click();
  await waitForScreen(tab, 'my-data-receipt');
  await tab.locator('.receipt-parts').nth(1).waitFor();
  for (const format of ['A4', 'Letter'] as const) {
    const { pages, text: lines } = await extractPdfText(await printPage(tab, 'receipt', format));
    const text = lines.replace(/\s+/g, ' ');
    for (const said of [
      kinds.given('Clinic'),
      'We read your record for the asthma study.',
      en.data.categories.LABS.means,
      consentRecordId,
      'chartgate receipt verify',
      page.screenNames.review,
    ])
      assert.ok(text.includes(said), said);
    assert.ok(!text.includes(page.print) && !text.includes(en.common.otherLanguage));
    assert.ok(pages <= 8, `${pages} sheets`);
  }
}

describe('somebody an organization invites', () => {
  it('learns after a reload that the first decision is saved, where they say for the second once more who they are', async (t) => {
    const { service } = fixtures;
    const person = await newInvited(service, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${service.baseUrl}/consent/#/patient-consent/${projectId}/enrollment/link`);
    await openReview(tab);
    await waitUntilStill(tab);
    await tab.reload();
    await waitForScreen(tab, 'review');
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'who-is-this');
    await tab.getByText(en.confirmIdentity.again.next).waitFor();
    await tab.getByText(en.invitation.place(2, 2)).waitFor();
    await press(tab, en.confirmIdentity.yes);
    await waitForScreen(tab, 'review');
    await press(tab, en.review.deny);
    await waitForScreen(tab, 'next-steps');

    // Decided again, with the pictures of before, which the service took for the first decision.
    await tab
      .getByRole('button', { name: new RegExp(`^${en.invitation.lookAgain}`) })
      .first()
      .click();
    await waitForScreen(tab, 'review');
    await press(tab, en.review.allow);
    await tab.getByRole('heading', { name: en.invitation.decidedTitle }).waitFor();
    await assertAbsent(tab.getByRole('button', { name: new RegExp(`^${en.invitation.lookAgain}`) }));
  });

  it('comes from the mail to an account, says yes and no without any app, and sees what to do next', async (t) => {
    const { service } = fixtures;
    const [person] = await invite(service, projectId, [newPerson()]);
    assert.ok(person);
    const browser = await newBrowser(t, fixtures);
    const tab = await browser.newTab();
    await tab.goto(readLink((await waitForMail(service, person.email)).text));
    await waitForScreen(tab, 'invitation');
    await tab.getByRole('heading', { name: /^Clinic \d+ invites you$/ }).waitFor();
    // Before anything is made: the link is the same for everybody, and lets nobody take part.
    await tab
      .getByText(/^Use the e-mail address that Clinic \d+ wrote to\. The link alone is not enough/)
      .waitFor();
    await press(tab, en.signUp.title);
    await fill(tab, { [en.form.email]: person.email });
    await press(tab, en.signUp.submit);
    await waitForScreen(tab, 'mail-sent');
    const mail = await waitForMail(service, person.email, 2);
    assert.match(mail.from?.name ?? '', /^Clinic \d+$/);
    await tab.goto(readLink(mail.text));
    await waitForScreen(tab, 'choose-password');
    await fill(tab, { [en.form.newPassword]: person.password });
    await press(tab, en.link.submitCreate);
    await openReview(tab);
    await tab.getByText(en.invitation.place(1, 2)).waitFor();
    await tab.getByText('We read your record for the asthma study.').waitFor();
    await assertAbsent(tab.getByRole('radio', { name: en.review.howLong.durations.once }));
    await press(tab, en.review.allow);
    await waitUntilVisible(tab.getByText(en.invitation.place(2, 2)));
    await waitForScreen(tab, 'review');
    await press(tab, en.review.deny);
    await waitForScreen(tab, 'next-steps');
    await tab.getByRole('img', { name: en.invitation.qrCode }).waitFor();
    await tab
      .getByText(`claude mcp add --transport http chartgate ${service.baseUrl}/projects/${projectId}/mcp`)
      .waitFor();
    await tab.reload();
    await waitForScreen(tab, 'next-steps');
    const { body } = await call(service, `/v1/patients/consents?patientId=${person.patientId}`, {
      token: await getOrganizationToken(service),
    });
    const seen = body.results.map(
      ({
        consentRecord,
        screenshots,
      }: {
        consentRecord: Record<string, unknown>;
        screenshots: unknown[];
      }) => [
        consentRecord['consentType'],
        consentRecord['consentStatus'],
        consentRecord['consentUIFlow'],
        screenshots.length,
      ],
    );
    assert.deepEqual(seen, [
      ['FUTURE_DATA_USE', 'OPTED_OUT', 'PER_STUDY_PRESCREEN', 2],
      ['DATA_AUTHORIZATION', 'OPTED_IN', 'PER_STUDY_PRESCREEN', 2],
    ]);
    await assertPrintable(tab, body.results[1].consentRecord.id as string);
  });

  it('who said no may look at it again, and is asked again on their own page when the words change', async (t) => {
    const { service } = fixtures;
    const person = await newInvited(service, projectId);
    await decideEnrollment(person, projectId, { consentType: 'DATA_AUTHORIZATION' });
    await decideEnrollment(person, projectId, { consentType: 'FUTURE_DATA_USE', decision: 'deny' });
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${service.baseUrl}/consent/#/patient-consent/${projectId}/enrollment/link`);
    await waitForScreen(tab, 'next-steps');
    await press(tab, `${en.invitation.lookAgain} ${en.invitation.types.FUTURE_DATA_USE}`);
    await openReview(tab);
    // The page learns late what the service knows now: until then it must not show what was decided before.
    const screens: unknown[] = [];
    await tab.route('**/account/enrollments/*', async (route) => {
      for (let idle = 0; idle < 2; idle++) await waitUntilIdle(tab);
      screens.push(await tab.locator('[data-screen]').getAttribute('data-screen'));
      await route.continue();
    });
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'next-steps');
    assert.deepEqual(screens, ['review']);
    await assertAbsent(tab.getByRole('button', { name: en.invitation.lookAgain }));
    await tab.unroute('**/account/enrollments/*');
    const { organizationId } = service.organization;
    const changed = [
      {
        type: 'DATA_AUTHORIZATION',
        content: { en: { title: 'Asthma study', purpose: 'Now for sleep too.' } },
      },
    ];
    const { status } = await call(service, `/v1/organizations/${organizationId}/projects/${projectId}`, {
      method: 'PATCH',
      token: await getOrganizationToken(service),
      json: { consentTypes: changed },
    });
    assert.equal(status, 200);
    await tab.goto(`${service.baseUrl}/consent/#/my-data`);
    await waitForScreen(tab, 'my-data');
    await tab.getByText(en.myData.asked.reasons.words_changed).waitFor();
    await tab.getByRole('link', { name: /^See what Clinic \d+ asks$/ }).click();
    await openReview(tab);
    await tab.getByText(en.review.changed.contentChanged).waitFor();
    await tab.getByText('Now for sleep too.').first().waitFor();
    await assertChecked(tab.getByRole('radio', { name: /, as now$/ }), true);
    await press(tab, en.review.deny);
    await waitForScreen(tab, 'next-steps');
    assert.deepEqual(
      (await browser.listConsents()).map(({ consentType, status }) => `${consentType} ${status}`).sort(),
      ['DATA_AUTHORIZATION withdrawn', 'FUTURE_DATA_USE active'],
    );
  });

  it('stops one of several consents, reads what goes on, and finds the way back to the decision', async (t) => {
    const { service } = fixtures;
    const types = ['DATA_AUTHORIZATION', 'PATIENT_DIRECTED_DATA_EXCHANGE', 'FUTURE_DATA_USE'] as const;
    const study = await newStudy(
      service,
      types.map((type) => ({ type })),
    );
    const person = await newInvited(service, study);
    for (const consentType of types) await decideEnrollment(person, study, { consentType });
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${service.baseUrl}/consent/#/my-data`);
    await waitForScreen(tab, 'my-data');
    const { consents, stop, yesStop } = en.myData;
    const name = `${consents.names.DATA_AUTHORIZATION(await readOrganization(browser))} (Better asthma care)`;
    await tab.getByRole('button', { name: `${stop} ${name}`, exact: true }).click();
    await press(tab, yesStop);
    const status = tab.getByRole('status').filter({ hasText: consents.stopped.done(consents.quoted(name)) });
    await status.getByText(consents.stop.stillReads(await readOrganization(browser))).waitFor();
    const { status: read } = await call(service, `/FHIR/R4/Person/${person.patientId}/$everything`, {
      token: await getOrganizationToken(service),
    });
    assert.equal(read, 200);
    await tab.getByRole('link', { name: /^Look again at what .+ \(Better asthma care\)$/ }).click();
    await waitForScreen(tab, 'next-steps');
    const { lookAgain, decideAgain, withdrawnOn, types: kinds } = en.invitation;
    const today = formatDay((await browser.listConsents()).at(-1)?.since ?? '', 'en');
    await tab.getByText(withdrawnOn(today)).waitFor();
    await tab.getByRole('button', { name: `${lookAgain} ${kinds.DATA_AUTHORIZATION}` }).waitFor();
    await tab.getByRole('button', { name: `${decideAgain} ${kinds.FUTURE_DATA_USE}` }).click();
    await openReview(tab);
    await tab.getByText(en.review.changed.sharing).waitFor();
    await press(tab, en.review.deny);
    await waitForScreen(tab, 'next-steps');
    assert.deepEqual(
      (await browser.listConsents()).map(({ consentType, status: now }) => `${consentType} ${now}`).sort(),
      ['DATA_AUTHORIZATION withdrawn', 'FUTURE_DATA_USE withdrawn', 'PATIENT_DIRECTED_DATA_EXCHANGE active'],
    );
    const ended = await call(service, `/v1/projects/${study}/patients/${person.patientId}`, {
      method: 'DELETE',
      token: await getOrganizationToken(service),
    });
    assert.equal(ended.status, 204);
    await tab.goto(`${service.baseUrl}/consent/#/my-data`);
    await tab.getByText(en.myData.revokedOn(await readOrganization(browser), today)).waitFor();
    await assertCount(tab.getByText(en.myData.stoppedOn(today)), 2);
  });
});

const readOrganization = async (browser: Awaited<ReturnType<typeof newBrowser>>): Promise<string> =>
  (await browser.listConsents())[0]?.organization.name ?? '';
