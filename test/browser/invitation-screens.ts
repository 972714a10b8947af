import type { Enrollment } from '../../contract/account/enrollments.ts';
import { setBrand } from '../harness/brand.ts';
import { waitForScreen } from '../harness/page.ts';
import { newOrganization } from '../harness/service.ts';
import { en } from '../harness/words.ts';
import type { ScreenCase, Step } from './screens.ts';

interface Steps {
  fulfillWith: (url: string, status: number, body?: object) => Step;
  goTo: (fragment: string) => Step;
  pressAll: (...names: string[]) => Step;
  signIn: Step;
}

const CONTENT = {
  en: {
    title: 'Better asthma care',
    purpose: 'We want to find out which medicines help people with asthma best.',
    benefits: 'You may understand your own record better.',
    risks: 'Somebody who should not may see what you share.',
  },
  contact: { name: 'Dr. Ana Ruiz', email: 'asthma@riverside.example', phone: '+1 555 010 2030' },
};

const DECISION = {
  consentRecordId: '0b0e1c52-54c3-4d3a-9a3c-0d1a2b3c4d5e',
  decidedAt: '2026-11-01T10:00:00.000Z',
  expiresAt: '2027-01-30T10:00:00.000Z',
};

const consent = (consentType: string, more: object = {}) => ({
  consentType,
  content: CONTENT,
  status: 'undecided',
  decision: null,
  asked: 'new',
  previous: null,
  draft: null,
  ...more,
});

const answered = (consentType: string, status: string) =>
  consent(consentType, { status, decision: DECISION, asked: null });

/** The organization reads by another yes. */
const READING = {
  consentType: 'DATA_AUTHORIZATION',
  project: { id: DECISION.consentRecordId, name: 'HEART-2', titles: { en: 'A better heart', es: null } },
  expiresAt: DECISION.expiresAt,
};

/** The service's answer about an invitation, for the person who is signed in, with something that takes long to bring about. */
const asInvited =
  (consents: object[], { isBranded = false, reading = [] as object[] } = {}): Step =>
  async ({ fixtures: { service, answers } }) => {
    const brand = isBranded ? await setBrand(service, '#1d4ed8', await newOrganization(service)) : null;
    const { projectId } = service.organization;
    answers.change('**/account/enrollments/*', (enrollment: Enrollment) => ({
      ...enrollment,
      organization: { name: 'Riverside Clinic', contact: CONTENT.contact, brand },
      ...(enrollment.person && {
        enrolled: true,
        project: { id: projectId, name: 'Study', purpose: null, studySnapshotId: 'one' },
        mcpUrl: `https://chartgate.riverside.example/projects/${projectId}/mcp`,
        consents,
        reading,
      }),
    }));
  };

/** Who is not invited in truth has no draft of it. */
const keepPictures: Step = async ({ fixtures }) =>
  fixtures.answers.answer('**/account/enrollments/*/screens', 200, { id: DECISION.consentRecordId });

/** From an organization's invitation to what comes after the decisions. */
export function invitationScreens({ goTo, pressAll, signIn, fulfillWith }: Steps): ScreenCase[] {
  const open: Step = (context) =>
    goTo(`#/patient-consent/${context.fixtures.service.organization.projectId}/enrollment/link`)(context);
  const review = (consents: object[], reading: object[] = []): Step[] => [
    asInvited(consents, { reading }),
    keepPictures,
    signIn,
    open,
    pressAll(en.confirmIdentity.yes),
  ];
  return [
    { screen: 'invitation', steps: [asInvited([]), open] },
    {
      screen: 'sign-in',
      variant: 'sign-in-invited',
      steps: [asInvited([]), open, pressAll(en.signIn.title)],
    },
    {
      screen: 'sign-in',
      variant: 'sign-in-invited-branded',
      steps: [asInvited([], { isBranded: true }), open, pressAll(en.signIn.title)],
    },
    { screen: 'not-invited', steps: [signIn, open] },
    {
      screen: 'review',
      variant: 'review-study',
      steps: review([consent('DATA_AUTHORIZATION'), consent('FUTURE_DATA_USE')]),
    },
    {
      screen: 'review',
      variant: 'review-study-apps',
      steps: review([consent('PATIENT_DIRECTED_DATA_EXCHANGE')]),
    },
    {
      screen: 'review',
      variant: 'review-study-shared',
      steps: review([consent('DATA_AUTHORIZATION')], [READING]),
    },
    { screen: 'review', variant: 'review-study-later', steps: review([consent('FUTURE_DATA_USE')]) },
    {
      screen: 'next-steps',
      steps: [
        asInvited([answered('DATA_AUTHORIZATION', 'active'), answered('FUTURE_DATA_USE', 'refused')]),
        signIn,
        open,
      ],
    },
    {
      screen: 'next-steps',
      variant: 'next-steps-still-read',
      steps: [
        asInvited(
          [answered('DATA_AUTHORIZATION', 'refused'), answered('PATIENT_DIRECTED_DATA_EXCHANGE', 'refused')],
          { reading: [READING] },
        ),
        signIn,
        open,
      ],
    },
    {
      screen: 'next-steps',
      variant: 'next-steps-decided-before',
      steps: [
        ...review([consent('DATA_AUTHORIZATION')]),
        ({ tab }) => waitForScreen(tab, 'review'),
        fulfillWith('**/account/enrollments/*/decision', 409, { code: 'already_decided' }),
        asInvited([answered('DATA_AUTHORIZATION', 'active')]),
        pressAll(en.review.deny),
      ],
    },
    { screen: 'next-steps', variant: 'next-steps-nothing', steps: [asInvited([]), signIn, open] },
  ];
}
