import { consoleEn as en } from '../harness/words.ts';
import type { answerWith, ConsoleScreen, open, pressAll } from './console-screens.ts';

/** What ways to a screen are made of. */
interface Steps {
  open: typeof open;
  answerWith: typeof answerWith;
  pressAll: typeof pressAll;
}

const ID = '01a00000-0000-7000-8000-000000000001';
const HOUR = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();

const NOBODY = {
  waiting: 0,
  running: 0,
  up_to_date: 0,
  no_match: 0,
  ambiguous_match: 0,
  needs_organization_review: 0,
  failed: 0,
  paused: 0,
};

const HOSPITAL = {
  id: ID,
  organizationId: ID,
  name: 'Riverside Hospital',
  baseUrl: 'https://fhir.riverside-hospital.example/interconnect/api/FHIR/R4',
  status: 'active',
  authentication: {
    type: 'smart_backend_services',
    clientId: '6f1d3f3a-2f0e-4a55-9f2c-0d4b8f6a7c11',
    tokenEndpoint: null,
    scope: null,
    jwksUrl: `https://chart.riverside-clinic.example/v1/sources/${ID}/jwks.json`,
  },
  matching: {
    by: 'identifier_then_demographics',
    system: 'urn:oid:2.16.840.1.113883.19.5',
    requireEmail: true,
  },
  projectIds: null,
  servesTestPatients: false,
  createdAt: ago(2000),
  changedAt: ago(30),
  patients: {
    ...NOBODY,
    up_to_date: 212,
    waiting: 9,
    no_match: 6,
    ambiguous_match: 2,
    needs_organization_review: 3,
    failed: 4,
  },
};

const SANDBOX = {
  ...HOSPITAL,
  id: ID.replace(/1$/, '2'),
  name: 'Valley imaging centre, sandbox',
  baseUrl: 'https://hapi.valley-imaging.example/fhir',
  status: 'paused',
  authentication: { type: 'none' },
  matching: { by: 'id' },
  servesTestPatients: true,
  patients: NOBODY,
};

const buildSync = (number: number, state: string, code: string | null, more: object = {}) => ({
  patientId: ID.replace(/1$/, String(number)),
  state,
  code,
  message: null,
  lastSynchronizedAt: state === 'up_to_date' ? ago(number) : null,
  nextAttemptAt: state === 'waiting' ? ago(-number) : null,
  requestedAt: ago(number),
  failures: state === 'failed' ? 5 : state === 'waiting' ? 3 : 0,
  pages: 4,
  resources: state === 'up_to_date' ? 1840 : 0,
  bytes: 1_200_000,
  skippedTypes: [],
  batchId: null,
  ...more,
});

const SYNCS = [
  buildSync(2, 'failed', 'token_refused'),
  buildSync(3, 'up_to_date', 'partial', { skippedTypes: ['DocumentReference', 'Binary'] }),
  buildSync(4, 'ambiguous_match', 'several_found'),
  buildSync(5, 'needs_organization_review', 'birth_date_differs'),
  buildSync(6, 'up_to_date', null),
  buildSync(7, 'waiting', 'unavailable'),
];

const TEST = {
  ok: false,
  steps: [
    { step: 'token', ok: true, code: null, message: null },
    { step: 'metadata', ok: false, code: 'forbidden', message: 'The server forbids it.' },
  ],
  fhirVersion: null,
  everything: null,
  match: false,
};

/** Every page of sources, in each of its states. */
export function listSourceScreens({ open, answerWith, pressAll }: Steps): ConsoleScreen[] {
  const words = en.sources;
  const item = [
    answerWith(`**/v1/**/sources/${ID}`, 200, HOSPITAL),
    answerWith('**/syncs?*', 200, { total: SYNCS.length, results: SYNCS }),
  ];
  const tab = (name: string): ConsoleScreen => ({
    screen: 'source',
    variant: `source-${name}`,
    steps: [...item, open(`/sources/${ID}?tab=${name}`)],
  });
  return [
    { screen: 'sources', variant: 'sources-empty', steps: [open('/sources')] },
    {
      screen: 'sources',
      steps: [answerWith('**/sources?*', 200, { total: 2, results: [HOSPITAL, SANDBOX] }), open('/sources')],
    },
    {
      screen: 'new-source',
      steps: [open('/sources/new'), pressAll(words.form.submit)],
    },
    {
      screen: 'source',
      steps: [
        ...item,
        answerWith('**/test', 200, TEST),
        open(`/sources/${ID}`),
        pressAll(words.connection.test),
      ],
    },
    tab('patients'),
    { ...tab('work'), role: 'researcher' },
    tab('settings'),
  ];
}
