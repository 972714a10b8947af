import { consoleEn as en } from '../harness/words.ts';
import type { answerWith, ConsoleScreen, ConsoleStep, open, pressAll } from './console-screens.ts';

/** What ways to a screen are made of. */
interface Steps {
  open: typeof open;
  answerWith: typeof answerWith;
  pressAll: typeof pressAll;
}

const ID = '01a00000-0000-7000-8000-000000000001';

const CONTENT = {
  en: {
    title: 'Asthma and air in the valley',
    purpose:
      'We look at how the air in the valley changes asthma over three years. We read your record twice a year.\nNobody calls you.',
    benefits: 'It may help to know on which days to stay inside.',
    risks: null,
    categoryPurposes: { LABS: 'To follow your lungs.', CLINICAL_VITALS: 'To see how you breathe.' },
  },
  es: {
    title: 'El asma y el aire del valle',
    purpose: 'Miramos cómo el aire del valle cambia el asma durante tres años.',
    benefits: null,
    risks: null,
  },
  contact: { name: 'Dr. Ana Ruiz', email: 'asthma@clinic.example', phone: '+1 555 010 7777' },
};

const EARLIER = {
  ...CONTENT,
  en: {
    ...CONTENT.en,
    purpose: 'We look at how the air in the valley changes asthma over two years. Nobody calls you.',
    benefits: null,
    categoryPurposes: { LABS: 'To follow your lungs.' },
  },
  contact: null,
};

const PROJECT = {
  id: ID,
  organizationId: ID,
  name: 'Asthma and air in the valley: a study over three years',
  createdAt: '2026-01-05T10:02:03.000Z',
  version: 2,
  studySnapshotId: ID.replace(/1$/, '2'),
  content: CONTENT,
  consentTypes: [
    { type: 'DATA_AUTHORIZATION', content: null },
    { type: 'FUTURE_DATA_USE', content: { ...EARLIER, es: undefined } },
  ],
  onlyVouchedApps: false,
};

const EMPTY = {
  ...PROJECT,
  name: 'Registry of rare illnesses',
  version: null,
  studySnapshotId: null,
  content: null,
  consentTypes: [],
};

const VERSIONS = [
  { version: 2, content: CONTENT, consentTypes: PROJECT.consentTypes },
  { version: 1, content: EARLIER, consentTypes: PROJECT.consentTypes.slice(0, 1) },
].map(({ version, ...held }) => ({
  version,
  ...held,
  studySnapshotId: ID.replace(/1$/, String(version)),
  createdAt: `2026-0${version}-05T10:02:03.000Z`,
}));

const FIGURES = {
  projectId: ID,
  patients: 1204,
  consentsInForce: 861,
  consentsByVersion: [
    { version: 2, consents: 849 },
    { version: 1, consents: 12 },
  ],
  sources: 2,
  webhooks: 1,
};

const FIGURES_URL = '**/v1/organizations/*/projects/figures*';
const LIST = '**/v1/organizations/*/projects?*';
const ONE = '**/v1/organizations/*/projects/*';

/** A colleague publishes while the page is open: the first answer is from before. */
const answerFirst =
  (first: object, later: object): ConsoleStep =>
  ({ tab }) => {
    let isFirst = true;
    return tab.route(`${ONE.slice(0, -1)}${ID}`, (route) => {
      const json = isFirst ? first : later;
      isFirst = false;
      return route.fulfill({ json });
    });
  };

/** The pages of projects, each in its states. */
export function listProjectScreens({ open, answerWith, pressAll }: Steps): ConsoleScreen[] {
  const words = en.projects;
  const at = (tab = '') => open(`/projects/${ID}${tab}`);
  const counted = answerWith(FIGURES_URL, 200, { results: [FIGURES] });
  const shown = [answerWith(ONE, 200, PROJECT), counted, at()];
  return [
    {
      screen: 'projects',
      steps: [answerWith(LIST, 200, { total: 2, results: [PROJECT, EMPTY] }), counted, open('/projects')],
    },
    {
      screen: 'projects',
      variant: 'projects-empty',
      steps: [answerWith(LIST, 200, { total: 0, results: [] }), open('/projects')],
    },
    {
      screen: 'projects',
      variant: 'projects-create',
      steps: [
        open('/projects'),
        pressAll(words.create),
        ({ tab }) => tab.getByRole('dialog').getByRole('button', { name: words.create }).click(),
      ],
    },
    { screen: 'projects', variant: 'projects-auditor', role: 'auditor', steps: [open('/projects')] },
    {
      screen: 'project',
      steps: [...shown, ({ tab }) => tab.getByRole('heading', { name: words.categoriesTitle }).click()],
    },
    {
      screen: 'project',
      variant: 'project-faults',
      steps: [answerWith(ONE, 200, EMPTY), at(), pressAll(words.review)],
    },
    {
      screen: 'project',
      variant: 'project-publish',
      steps: [
        answerFirst(PROJECT, { ...PROJECT, ...VERSIONS[1] }),
        counted,
        at(),
        // Of these, somebody else has changed the first too.
        ({ tab }) => tab.locator('[name="en.benefits"]').fill('It may help to know when to stay inside.'),
        ({ tab }) => tab.locator('[name="en.risks"]').fill('Others may see what we read.'),
        ({ tab }) => tab.locator('[name="es.title"]').fill('El asma y el aire'),
        pressAll(words.review),
        ({ tab }) => tab.getByRole('dialog').getByText(words.bothChanged).waitFor(),
      ],
    },
    { screen: 'project', variant: 'project-auditor', role: 'auditor', steps: shown },
    {
      screen: 'project',
      variant: 'project-not-permitted',
      role: 'researcher',
      steps: [answerWith(ONE, 403, { code: 'forbidden' }), at()],
    },
    {
      screen: 'project',
      variant: 'project-gone',
      steps: [answerWith(ONE, 404, { code: 'not_found' }), at()],
    },
    {
      screen: 'project',
      variant: 'project-versions',
      steps: [
        answerWith(ONE, 200, PROJECT),
        answerWith('**/v1/organizations/*/projects/*/versions?*', 200, { total: 2, results: VERSIONS }),
        counted,
        at('?tab=versions'),
      ],
    },
    {
      screen: 'project',
      variant: 'project-connect',
      steps: [answerWith(ONE, 200, PROJECT), at('?tab=connect')],
    },
    {
      screen: 'project',
      variant: 'project-connect-not-asking',
      steps: [answerWith(ONE, 200, EMPTY), at('?tab=connect')],
    },
  ];
}
