import assert from 'node:assert/strict';
import { newPerson, requestMailedLink, type TestAccount } from './account.ts';
import { listIds, sendScreens, type Evidence, type SentScreens } from './evidence.ts';
import { call, getOrganizationToken, newProject, type HttpResponse, type TestService } from './service.ts';
import { createTestBrowser, type TestBrowser } from './test-browser.ts';

/** A person who was invited, in a browser of their own. */
export interface InvitedPerson extends TestAccount {
  patientId: string;
  browser: TestBrowser;
}

export const STUDY_WORDS = {
  title: 'Better asthma care',
  purpose: 'We want to find out which medicines help people with asthma best.',
};

/** What a study asks for: that the organization reads, with words of its own, and that apps may. */
export const STUDY_CONSENTS = [
  {
    type: 'DATA_AUTHORIZATION',
    content: {
      en: { title: 'Asthma study', purpose: 'We read your record for the asthma study.' },
      es: { title: 'Estudio del asma', purpose: 'Leemos su historial para el estudio del asma.' },
    },
  },
];

export const newStudy = (service: TestService, consentTypes: object[] = STUDY_CONSENTS): Promise<string> =>
  newProject(service, 'Study 4711', { content: { en: STUDY_WORDS }, consentTypes });

/** Enrolls people and invites them by mail. */
export async function invite(
  service: TestService,
  projectId: string,
  people: readonly TestAccount[],
  more: { suppressNotifications?: boolean } = {},
): Promise<InvitedPerson[]> {
  const token = await getOrganizationToken(service, 'researcher');
  const patients = people.map(({ email, firstName, lastName }) => ({ email, firstName, lastName }));
  const { status, body } = await call(service, `/v1/projects/${projectId}/patients`, {
    token,
    json: { patients, ...more },
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.successCount, people.length);
  return people.map((person, index) => ({
    ...person,
    patientId: body.successfulPatients[index].referenceId as string,
    browser: createTestBrowser(service),
  }));
}

/** Goes from the invitation to an account, by the link that the page has mailed. */
export async function createAccount(
  service: TestService,
  { browser, email, password }: InvitedPerson,
  projectId: string,
): Promise<void> {
  const token = await requestMailedLink(service, browser, { email, projectId });
  const { status, body } = await browser.post('/account/password', { token, password });
  assert.deepEqual([status, body.projectId], [200, projectId]);
}

export async function newInvited(service: TestService, projectId: string): Promise<InvitedPerson> {
  const [person] = await invite(service, projectId, [newPerson()], { suppressNotifications: true });
  assert.ok(person);
  await createAccount(service, person, projectId);
  return person;
}

interface EnrollmentDecisionOptions extends Record<string, unknown> {
  decision?: 'grant' | 'deny';
  consentType?: string;
  /** The pictures that are sent before; by default the whole set, for a yes. */
  screenshots?: readonly Evidence[];
  /** Named instead of pictures that are sent. */
  screens?: readonly string[];
}

/** Sends the pictures of an invitation's screens, for a decision on these terms; returns the ids of what was kept. */
export const sendEnrollmentScreens = async (
  { browser }: Pick<InvitedPerson, 'browser'>,
  projectId: string,
  terms: Readonly<Record<string, unknown>>,
  { consentType = 'DATA_AUTHORIZATION', ...pictures }: SentScreens & { consentType?: string } = {},
): Promise<string[]> =>
  listIds(
    await sendScreens(browser, `/account/enrollments/${projectId}/screens`, {
      ...pictures,
      decision: terms,
      fields: { consentType },
    }),
  );

/** Decides as the page does: it says who decides, on which words, which decision it showed, and names its pictures. */
export async function decideEnrollment(
  { browser, email }: Pick<InvitedPerson, 'browser' | 'email'>,
  projectId: string,
  more: EnrollmentDecisionOptions = {},
): Promise<HttpResponse> {
  const { body } = await browser.get(`/account/enrollments/${projectId}`);
  const { decision = 'grant', consentType = 'DATA_AUTHORIZATION', screenshots, screens, ...rest } = more;
  const shown = (
    body.consents as { consentType: string; decision: { consentRecordId: string } | null }[]
  ).find((consent) => consent.consentType === consentType);
  const terms = {
    duration: '90-days',
    studySnapshotId: body.project?.studySnapshotId ?? 'none',
    ...rest,
  };
  const pictures = { consentType, ...(screenshots !== undefined && { screenshots }) };
  return browser.post(`/account/enrollments/${projectId}/decision`, {
    decision,
    screens:
      screens ??
      (decision === 'grant' ? await sendEnrollmentScreens({ browser }, projectId, terms, pictures) : []),
    interactions: [{ screen: 'review', action: 'shown', at: browser.now().toISOString() }],
    consentType,
    confirmedAs: email,
    replaces: shown?.decision?.consentRecordId ?? null,
    ...terms,
  });
}
