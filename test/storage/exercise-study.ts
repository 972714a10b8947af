import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { purgeUnusedPersons } from '../../server/identity/patients/purge-unused.ts';
import { createAskAgainJob, createAskEndingJob } from '../../server/consent/records/ask-again.ts';
import { ProjectId } from '../../contract/brands.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { Reschedule } from '../../server/platform/jobs/job-kind.ts';
import { newAccount, newPerson } from '../harness/account.ts';
import { call, getOrganizationToken, type TestService } from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { decideEnrollment, invite, newInvited, newStudy } from '../harness/study.ts';

const DAY_MS = 24 * 3600 * 1000;

/** People are invited to a study, corrected, decide, are asked again, and take part no more. */
export async function exerciseStudy(service: TestService, db: Db): Promise<void> {
  const token = await getOrganizationToken(service);
  const projectId = ProjectId.parse(await newStudy(service));
  const patientsUrl = `/v1/projects/${projectId}/patients`;
  const [invited] = await invite(service, projectId, [newPerson()], { suppressNotifications: true });
  assert.ok(invited);
  const corrected = {
    email: newPerson().email,
    firstName: 'Joan',
    externalId: 'MRN 12',
    phone: '+1 555 0199',
    dateOfBirth: '1980-12-31',
  };
  for (const [method, path, wanted, json] of [
    ['POST', '/invitation', 202, undefined],
    ['PATCH', '', 200, corrected],
  ] as const) {
    const url = `${patientsUrl}/${invited.patientId}${path}`;
    const { status, body } = await call(service, url, { method, token, ...(json && { json }) });
    assert.equal(status, wanted, `${method} ${path}: ${JSON.stringify(body)}`);
  }
  // Somebody has the next address, and comes to the invitation.
  const owner = createTestBrowser(service);
  const { email: owned } = await newAccount(service, owner);
  const url = `${patientsUrl}/${invited.patientId}`;
  assert.equal((await call(service, url, { method: 'PATCH', token, json: { email: owned } })).status, 200);
  assert.equal((await owner.get(`/account/enrollments/${projectId}`)).body.enrolled, true);
  const list = `/v1/organizations/${service.organization.organizationId}/patients?state=has_account`;
  const [adopted] = (await call(service, list, { token })).body.results as { patientId: string }[];
  const ended = await call(service, `${patientsUrl}/${adopted?.patientId}`, { method: 'DELETE', token });
  assert.equal(ended.status, 204);
  const repeated = await call(service, `${patientsUrl}/${adopted?.patientId}`, { method: 'DELETE', token });
  assert.equal(repeated.status, 204);
  const inAMonth = { now: () => new Date(Date.now() + 31 * 24 * 60 * 60_000) };
  const jobs = { enqueue: async () => {}, wake: () => {} };
  await purgeUnusedPersons({ db, clock: inAMonth, jobs }, new AbortController().signal);

  const person = await newInvited(service, projectId);
  assert.equal((await decideEnrollment(person, projectId)).status, 200);
  await exerciseList(service, token, { projectId, patientId: person.patientId });
  const { email, firstName, lastName, browser } = person;
  const enrolled = await call(service, patientsUrl, {
    token,
    json: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
  });
  assert.equal(enrolled.body.duplicates[0].consents[0].consentStatus, 'OPTED_IN');
  await exerciseAskingAgain(service, { db, token, projectId });
  const { enrollments } = (await browser.get('/account/enrollments')).body;
  assert.equal(enrollments[0].studyId, projectId);
  // Sent again after a lost answer: the second is the first.
  const decisionKey = randomUUID();
  assert.equal((await decideEnrollment(person, projectId, { decisionKey })).status, 200);
  const again = await decideEnrollment(person, projectId, { decisionKey, replaces: null });
  assert.equal(again.status, 200);
  const endUrl = `/v1/organizations/${service.organization.organizationId}/patients/end-enrollments`;
  const all = await call(service, endUrl, { token, json: { projectId, expected: 1 } });
  assert.deepEqual([all.status, all.body.ended], [200, 1]);
}

async function exerciseList(
  service: TestService,
  token: string,
  { projectId, patientId }: { projectId: string; patientId: string },
): Promise<void> {
  const list = `/v1/organizations/${service.organization.organizationId}/patients`;
  for (const query of ['', '?q=jo', '?q=%2B1555', '?state=deleted', `/${patientId}`])
    assert.equal((await call(service, list + query, { token })).status, 200, query);
  const figures = `/v1/organizations/${service.organization.organizationId}/projects/figures`;
  assert.equal((await call(service, figures, { token })).status, 200);
  const time = 'from=2026-01-01T00:00:00Z&to=2036-01-01T00:00:00Z';
  assert.equal((await call(service, `${list}/funnel?${time}`, { token })).status, 200);
  const sent = await call(service, `${list}/invitations`, { token, json: { projectId } });
  assert.equal(sent.status, 202);
}

/** The study changes its words, and later the consents end: the jobs of both are run at once. */
async function exerciseAskingAgain(
  service: TestService,
  { db, token, projectId }: { db: Db; token: string; projectId: ProjectId },
): Promise<void> {
  const { organizationId } = service.organization;
  const content = { en: { title: 'Asthma', purpose: 'For sleep too.' } };
  const { status } = await call(service, `/v1/organizations/${organizationId}/projects/${projectId}`, {
    method: 'PATCH',
    token,
    json: { consentTypes: [{ type: 'DATA_AUTHORIZATION', content }] },
  });
  assert.equal(status, 200);
  const mails: unknown[] = [];
  const jobs = { enqueue: async (_: unknown, job: unknown) => void mails.push(job), wake: () => {} };
  const deps = { db, clock: systemClock, jobs, consentAppUrl: service.config.http.consentAppUrl };
  const { signal } = new AbortController();
  await createAskAgainJob(deps).run({ projectId }, signal);
  assert.equal(mails.length, 1);
  const later = { now: () => new Date(Date.now() + 80 * DAY_MS) };
  await assert.rejects(createAskEndingJob({ ...deps, clock: later }).run({}, signal), Reschedule);
}
