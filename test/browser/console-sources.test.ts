import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startFakeFhirServer, send, type FakeFhirServer } from '../harness/fake-fhir-server.ts';
import { beginTestSession, newMember } from '../harness/member.ts';
import { fill, openBrowser, openBrowserFixtures, press, type BrowserFixtures } from '../harness/page.ts';
import { decide, newTestPatient } from '../harness/service.ts';
import { consoleEn } from '../harness/words.ts';

const words = consoleEn.sources;

let ehr: FakeFhirServer;
let fixtures: BrowserFixtures;
let tab: Page;
before(async () => {
  ehr = await startFakeFhirServer();
  fixtures = await openBrowserFixtures({
    outbound: ehr.outboundClient,
    environment: { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' },
  });
  const { service } = fixtures;
  const browser = await openBrowser(fixtures);
  const { memberId } = await newMember(service, 'developer');
  const value = await beginTestSession(service, memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
  tab = await browser.newTab();
});
after(async () => {
  await fixtures.stop();
  await ehr.stop();
});

const openTab = (name: keyof typeof words.tabs): Promise<void> =>
  tab
    .getByRole('navigation', { name: words.tabs.label })
    .getByRole('link', { name: words.tabs[name] })
    .click();

describe('a developer who connects a server in the console', () => {
  it('is shown what is missing, then connects it and sees which step of the test fails, and what to do', async () => {
    await tab.goto(`${fixtures.service.baseUrl}/console/sources`);
    await tab.getByText(words.empty).waitFor();
    await tab.getByRole('link', { name: words.create }).first().click();
    await press(tab, words.form.submit);
    await tab.getByRole('link', { name: words.form.systemWrong }).waitFor();
    await fill(tab, { [words.form.name]: 'Riverside Hospital', [words.form.address]: ehr.base });
    await tab.getByRole('radio', { name: words.signIn.none }).check();
    await fill(tab, { [words.form.system]: 'urn:mrn' });
    await tab.getByRole('checkbox', { name: words.form.servesTestPatients }).check();
    await press(tab, words.form.submit);
    await tab.getByRole('heading', { name: 'Riverside Hospital' }).waitFor();
    ehr.intercept = ({ path }, response) => {
      if (path === '/metadata') send(response, { resourceType: 'CapabilityStatement', fhirVersion: '3.0.2' });
      return path === '/metadata';
    };
    await press(tab, words.connection.test);
    await tab.getByText(words.reasons.not_r4).waitFor();
    ehr.intercept = () => false;
    await press(tab, words.connection.test);
    await tab.getByText(words.connection.good).waitFor();
  });

  it('sees whom the server does not have, and why, and has the record fetched again', async () => {
    const patient = await newTestPatient(fixtures.service);
    await decide(fixtures.service, patient, 'OPTED_IN');
    await fixtures.service.worker.drain();
    await openTab('work');
    await tab.getByLabel(words.work.which).selectOption('nobody');
    await tab.getByText(words.reasons.no_external_id).waitFor();
    const asked = tab.waitForRequest((request) => request.url().endsWith('/sync'));
    await press(tab, words.patients.sync);
    assert.deepEqual((await asked).postDataJSON(), { patientId: patient.id });
    await tab.getByText(words.patients.syncedOne).waitFor();
  });

  it('pauses it, and disconnects it by its name', async () => {
    await openTab('settings');
    await press(tab, words.settings.pause);
    const pausing = tab.getByRole('dialog', { name: words.settings.pauseTitle });
    await pausing.getByRole('button', { name: words.settings.pause }).click();
    await tab.getByRole('button', { name: words.settings.resume }).waitFor();
    await press(tab, words.settings.remove);
    const removing = tab.getByRole('dialog', { name: words.settings.removeTitle });
    await removing.getByRole('textbox').fill('Riverside Hospital');
    await removing.getByRole('button', { name: words.settings.remove }).click();
    await tab.getByText(words.empty).waitFor();
  });
});
