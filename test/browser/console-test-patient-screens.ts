import { ResourceScope, SensitivityScope } from '../../contract/data-categories.ts';
import { TOOLS } from '../../server/surfaces/mcp/tools/tools.ts';
import { consoleEn as en } from '../harness/words.ts';
import type { ConsoleScreen, ConsoleStep } from './console-screens.ts';

const ID = '00000000-0000-4000-8000-00000000000';
const PROJECT = `${ID}5`;

const buildPerson = (change: object = {}) => ({
  id: `${ID}1`,
  email: 'test-patient-8f0c2a4b6d8e0f12@patients.chartgate.invalid',
  firstName: 'Kamala',
  lastName: 'Juniper',
  isTestPatient: true,
  dateOfBirth: '1961-04-17',
  createdAt: '2026-11-20T09:30:00.000Z',
  projectIds: [PROJECT],
  ...change,
});

const ENROLLED = buildPerson();
const NOWHERE = buildPerson({ projectIds: [], dateOfBirth: null });

const buildUpload = (number: number, change: object = {}) => ({
  batchId: `${ID}${number}`,
  sourceId: null,
  status: 'completed',
  paths: ['fhir/record.json'],
  receivedAt: '2026-11-22T10:00:00.000Z',
  completedAt: '2026-11-22T10:00:04.000Z',
  documents: { total: 1, processed: 1, rejected: 0 },
  resources: { created: 848, updated: 0, unchanged: 0 },
  question: null,
  ...change,
});

const UPLOADS = [
  buildUpload(4, {
    status: 'failed',
    documents: { total: 1, processed: 0, rejected: 1 },
    resources: { created: 0, updated: 0, unchanged: 0 },
  }),
  buildUpload(3, {
    status: 'completed_with_errors',
    paths: ['letters/2019-04-17 discharge.pdf', 'ccda/summary.xml'],
  }),
  buildUpload(2),
];

/** The scopes of a consent that leaves out these categories. */
const buildScopes = (...without: string[]) => ({
  consentDataScopes: ResourceScope.options
    .filter((name) => !without.includes(name))
    .flatMap((resourceScope) =>
      SensitivityScope.options.map((sensitivityScope) => ({
        resourceScope,
        sensitivityScope,
        consentRecordIds: [`${ID}8`],
      })),
    ),
  fullRecordWithoutRestrictedData: false,
});

const WIDE = `# Conditions

Window: 2023-11-22 to 2026-11-22. Record of synthetic data.

| Since | Condition | Status | Source |
|---|---|---|---|
| 2021-03-02 | Type 2 diabetes mellitus (SNOMED CT 44054006) | active | [1] (Condition/7f3a) |
| 2019-08-11 | Essential hypertension | active | [1] (Condition/19bc) |
| 2024-01-30 – 2024-02-09 | Acute bronchitis <5 days | resolved | [1] (Condition/02de) |

[1] FHIR, fhir/record.json, uploaded 2026-11-22

hasMoreData: true · nextBeforeDate: 2023-11-22
`;
const NARROW = `# Conditions

Health problems are not shared with this project, so nothing of them can be shown.
`;

interface Steps {
  open: (path: string) => ConsoleStep;
  pressAll: (...names: string[]) => ConsoleStep;
  answerWith: (url: string, status: number, body: object) => ConsoleStep;
}

/** What the MCP endpoint says: its tools, and to each of the two tokens its answer. */
const answerTools =
  (answers: Readonly<Record<string, { status?: number; json: object }>>): ConsoleStep =>
  ({ tab }) =>
    tab.route('**/projects/*/mcp', async (route) => {
      const { method } = route.request().postDataJSON() as { method: string };
      const token = (await route.request().headerValue('authorization'))?.replace('Bearer ', '') ?? '';
      const listed = TOOLS.map(({ name, title, description, inputSchema }) => ({
        name,
        title,
        description,
        inputSchema,
      }));
      if (method === 'tools/list') return route.fulfill({ json: { result: { tools: listed } } });
      return route.fulfill(answers[token] ?? { status: 500, json: {} });
    });

const buildResult = (text: string, isError = false) => ({
  json: { result: { content: [{ type: 'text', text }], ...(isError && { isError }) } },
});

/** The made-up people of an organization: a list, one of them, and what an agent of theirs reads. */
export function listTestPatientScreens({ open, pressAll, answerWith }: Steps): ConsoleScreen[] {
  const { testPatients: words } = en;
  const list = '**/v1/organizations/*/test-patients?*';
  const token = (name: string) => ({ token: name, expiration: 4_000_000_000 });
  const openPerson = (person: object, path = ''): ConsoleStep[] => [
    answerWith(`**/v1/organizations/*/test-patients/${ID}1`, 200, person),
    answerWith('**/test-patients/*/projects/*/token', 200, token('wide')),
    answerWith('**/test-patients/*/projects/*/grant', 201, {
      ...token('narrow'),
      resource: 'https://x.example',
    }),
    answerWith('**/v1/organizations/*/projects?*', 200, {
      total: 2,
      results: [
        { id: PROJECT, name: 'Asthma and air in the valley: a study over three years' },
        { id: `${ID}6`, name: 'Sleep' },
      ],
    }),
    open(`/test-patients/${ID}1${path}`),
  ];
  const withRecord = (scopes: object, uploads: readonly object[]): ConsoleStep[] => [
    answerWith('**/consented-data-scopes/study/*', 200, scopes),
    answerWith('**/v1/patients/*/upload-documents', 200, { results: uploads }),
  ];
  const nothingYet = withRecord({ consentDataScopes: [], fullRecordWithoutRestrictedData: false }, []);
  const ready = withRecord(buildScopes('FAMILY_HISTORY'), UPLOADS);
  const callBoth = pressAll(words.tryIt.submit);
  const waitFor =
    (text: string): ConsoleStep =>
    ({ tab }) =>
      tab.getByText(text).first().waitFor();
  const mine = [
    answerWith(list, 200, {
      total: 2,
      results: [ENROLLED, { ...NOWHERE, id: `${ID}2`, firstName: 'Bruno', lastName: 'Oak' }],
    }),
    open('/test-patients'),
  ];
  return [
    { screen: 'test-patients', steps: mine },
    {
      screen: 'test-patients',
      variant: 'test-patients-empty',
      steps: [answerWith(list, 200, { total: 0, results: [] }), open('/test-patients')],
    },
    {
      screen: 'test-patients',
      variant: 'test-patients-create',
      role: 'developer',
      steps: [...mine, pressAll(words.create)],
    },
    { screen: 'test-patient', role: 'developer', steps: [...ready, ...openPerson(ENROLLED)] },
    {
      screen: 'test-patient',
      variant: 'test-patient-new',
      steps: [...nothingYet, ...openPerson(buildPerson({ projectIds: [PROJECT, `${ID}6`] }))],
    },
    { screen: 'test-patient', variant: 'test-patient-nowhere', steps: openPerson(NOWHERE) },
    { screen: 'test-patient', variant: 'test-patient-auditor', role: 'auditor', steps: openPerson(ENROLLED) },
    {
      screen: 'test-patient',
      variant: 'test-patient-token-refused',
      steps: [
        ...ready,
        ...openPerson(ENROLLED).slice(0, -1),
        answerWith('**/test-patients/*/projects/*/token', 409, { code: 'not_enrolled' }),
        open(`/test-patients/${ID}1`),
      ],
    },
    {
      screen: 'test-patient',
      variant: 'test-patient-consent',
      steps: [...ready, ...openPerson(ENROLLED), pressAll(words.consent.change)],
    },
    {
      screen: 'test-patient',
      variant: 'test-patient-generate',
      steps: [
        ...ready,
        answerWith('**/generate-record', 400, {
          code: 'invalid_input',
          errors: [{ path: 'years', message: 'x' }],
        }),
        ...openPerson(ENROLLED),
        pressAll(words.record.generate, words.record.generateSubmit),
        waitFor(words.record.tooYoung),
      ],
    },
    {
      screen: 'test-patient',
      variant: 'test-patient-upload',
      steps: [
        ...ready,
        ...openPerson(ENROLLED),
        pressAll(words.record.upload, words.record.uploadSubmit),
        waitFor(words.record.noFile),
      ],
    },
    {
      screen: 'test-patient',
      variant: 'try-it-fault',
      steps: [
        ...ready,
        answerTools({}),
        ...openPerson(ENROLLED, '?tab=try&tool=search'),
        callBoth,
        waitFor(words.tryIt.fault('query')),
      ],
    },
    {
      screen: 'test-patient',
      variant: 'try-it-both',
      role: 'developer',
      steps: [
        ...ready,
        answerTools({ wide: buildResult(WIDE), narrow: buildResult(NARROW) }),
        ...openPerson(ENROLLED, '?tab=try&args={"years":10}'),
        callBoth,
        waitFor(words.tryIt.narrow),
      ],
    },
    {
      screen: 'test-patient',
      variant: 'try-it-source',
      steps: [
        ...ready,
        answerTools({ wide: buildResult(WIDE), narrow: buildResult('years: must be positive', true) }),
        ...openPerson(ENROLLED, '?tab=try&show=source&without=LABS,MENTAL_HEALTH'),
        callBoth,
        waitFor(words.tryIt.toolError),
        ({ tab }) => tab.getByText(words.tryIt.request).last().click(),
        ({ tab }) => tab.getByText(words.tryIt.narrower).click(),
      ],
    },
    {
      screen: 'test-patient',
      variant: 'try-it-refused',
      steps: [
        ...nothingYet,
        ({ browser }) => Promise.resolve(browser.expectRefusals('403')),
        answerTools({ wide: { status: 403, json: { error: 'Data Access is revoked!' } } }),
        ...openPerson(ENROLLED, '?tab=try'),
        callBoth,
        waitFor(words.tryIt.refused),
      ],
    },
  ];
}
