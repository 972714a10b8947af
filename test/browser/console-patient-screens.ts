import { consoleEn as en } from '../harness/words.ts';
import type { answerWith, ConsoleScreen, ConsoleStep, open, pressAll } from './console-screens.ts';

/** What ways to a screen are made of. */
interface Steps {
  open: typeof open;
  answerWith: typeof answerWith;
  pressAll: typeof pressAll;
}

const ID = '01a00000-0000-7000-8000-000000000001';
const HOUR = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();
const project = { id: ID, name: 'Asthma and air in the valley: a study over three years' };

const PERSON = {
  patientId: ID,
  project,
  email: 'maria.fernandez-de-la-cruz@valley-mail.example',
  firstName: 'María José',
  lastName: 'Fernández de la Cruz',
  externalId: 'MRN 0012345',
  isTestPatient: false,
  state: 'consents',
  since: ago(50),
  enrolledAt: ago(500),
  lastInvitedAt: ago(400),
  lastReadAt: ago(1),
};

const PEOPLE = [
  'enrolled',
  'invited',
  'opened',
  'has_account',
  'consents',
  'declined',
  'expired',
  'withdrew',
  'ended',
  'deleted',
].map((state, index) => ({
  ...PERSON,
  state,
  patientId: ID.replace(/..$/, String(10 + index)),
  since: ago(index * 30),
  ...(index > 7 && { email: null, firstName: null, lastName: null }),
  ...(state === 'deleted' && { externalId: null }),
}));

const DETAILS = {
  patientId: ID,
  email: PERSON.email,
  firstName: PERSON.firstName,
  lastName: PERSON.lastName,
  isTestPatient: false,
  phones: ['+15550107777'],
  enrollments: [
    {
      project,
      externalId: 'MRN 0012345',
      state: 'consents',
      since: ago(50),
      enrolledAt: ago(500),
      invitedAt: ago(499),
      lastInvitedAt: ago(400),
      openedAt: ago(300),
      accountAt: ago(299),
      decidedAt: ago(50),
    },
  ],
  consents: [
    {
      project,
      consentType: 'DATA_AUTHORIZATION',
      consentStatus: 'OPTED_IN',
      consentRecordId: ID,
      decidedAt: ago(50),
      expirationTimestamp: ago(-5000),
      isInForce: true,
    },
  ],
  uploads: {
    byStatus: { completed: 3, failed: 1 },
    rejectedDocuments: 2,
    lastReceivedAt: ago(20),
    newest: [
      { batchId: ID, status: 'completed', receivedAt: ago(20), rejectedDocuments: 0 },
      { batchId: ID.replace(/1$/, '2'), status: 'failed', receivedAt: ago(90), rejectedDocuments: 2 },
    ],
  },
  sources: [
    {
      sourceId: ID,
      name: 'Valley Hospital',
      state: 'no_match',
      code: 'no_match',
      message: 'No patient of this server matches.',
      lastSynchronizedAt: null,
      nextAttemptAt: null,
    },
    {
      sourceId: ID.replace(/1$/, '2'),
      name: 'Hill Clinic',
      state: 'waiting',
      code: 'timeout',
      message: null,
      lastSynchronizedAt: ago(400),
      nextAttemptAt: ago(-10),
    },
  ],
  timeline: [
    ['fhir.everything', 'researcher', null],
    ['consent.recorded', 'patient', null],
    ['patient.viewed', 'member', 'Ana Ruiz'],
    ['patient.enrolled', 'admin', null],
  ].map(([action, kind, name], index) => ({
    id: String(index),
    at: ago(index * 24),
    action,
    outcome: 'success',
    actor: { kind, id: ID, name },
    client: null,
    project,
    consentRecordId: null,
  })),
};

const invited = (week: string, count: number) => ({
  week,
  invited: count,
  opened: Math.round(count * 0.8),
  hasAccount: Math.round(count * 0.6),
  consented: Math.round(count * 0.4),
  declined: Math.round(count * 0.1),
  medianSeconds: { toOpened: 5400, toAccount: 93_000, toDecision: 180_000 },
});
const { week: _week, ...TOTAL } = invited('', 1240);
const FUNNEL = {
  total: TOTAL,
  weeks: [invited('2026-01-05', 400), invited('2026-01-12', 640), invited('2026-01-19', 200)],
};

const LIST = '**/v1/organizations/*/patients?*';

/** A list as a spreadsheet saves it in Spain: its faults are one of each kind. */
const CSV = [
  'Correo;Nombre;Apellidos;Fecha de nacimiento;Teléfono;Sala',
  ...Array.from({ length: 60 }, (_, index) => `p${index}@screens.example;Zoë;Núñez;1980-12-31;;4`),
  'nobody;Ana;Ruiz;31/12/1980;;4',
  'a@screens.example;;Ruiz;30/11/1979;call me;4',
  'p1@screens.example;Zoë;Núñez;;;4',
].join('\r\n');

const chooseFile: ConsoleStep = ({ tab }) =>
  tab.setInputFiles('#list-file', {
    name: 'pacientes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(CSV, 'latin1'),
  });

/** The pages of patients, each in its states. */
export function listPatientScreens({ open, answerWith, pressAll }: Steps): ConsoleScreen[] {
  const words = en.patients;
  const details = [answerWith('**/v1/organizations/*/patients/*', 200, DETAILS), open(`/patients/${ID}`)];
  const shown = [...details, pressAll(words.details.show)];
  const columns = [open('/patients/import'), chooseFile];
  return [
    {
      screen: 'patients',
      steps: [answerWith(LIST, 200, { results: PEOPLE, next: 'more' }), open('/patients')],
    },
    {
      screen: 'patients',
      variant: 'patients-empty',
      steps: [answerWith(LIST, 200, { results: [], next: null }), open('/patients')],
    },
    {
      screen: 'patients',
      variant: 'patients-send',
      steps: [
        answerWith(LIST, 200, { results: PEOPLE, next: null }),
        answerWith('**/v1/organizations/*/patients/invitations', 202, {
          matched: 120,
          recentlyInvited: 20,
          sent: 0,
          remaining: 100,
        }),
        open('/patients'),
        pressAll(words.sendAll),
      ],
    },
    {
      screen: 'patients',
      variant: 'patients-end',
      steps: [
        answerWith(LIST, 200, { results: PEOPLE, next: null }),
        answerWith('**/v1/organizations/*/patients/end-enrollments', 200, {
          matched: 120,
          consenting: 20,
          ended: 0,
          remaining: 120,
        }),
        open('/patients?state=consents'),
        pressAll(words.endAll.title),
      ],
    },
    {
      screen: 'patients',
      variant: 'patients-funnel',
      steps: [answerWith('**/patients/funnel?*', 200, FUNNEL), open('/patients?tab=funnel')],
    },
    {
      screen: 'patients',
      variant: 'patients-auditor',
      role: 'auditor',
      steps: [
        answerWith(LIST, 200, { results: PEOPLE.slice(0, 3), next: null }),
        open('/patients?state=invited'),
      ],
    },
    { screen: 'no-permission', variant: 'patients-developer', role: 'developer', steps: [open('/patients')] },
    { screen: 'patient-before', steps: details },
    // A tab asks once before it shows somebody.
    { screen: 'patient', isLoaded: true, steps: shown },
    {
      screen: 'patient',
      variant: 'patient-correct',
      isLoaded: true,
      steps: [...shown, pressAll(words.details.correct)],
    },
    {
      screen: 'patient',
      variant: 'patient-end',
      isLoaded: true,
      steps: [...shown, pressAll(words.details.end)],
    },
    { screen: 'enroll-patient', steps: [open('/patients/enroll')] },
    {
      screen: 'enroll-patient',
      variant: 'enroll-patient-faults',
      steps: [open('/patients/enroll'), pressAll(words.one.submit)],
    },
    { screen: 'import-patients', steps: [open('/patients/import')] },
    { screen: 'import-patients', variant: 'import-columns', steps: columns },
    {
      screen: 'import-patients',
      variant: 'import-rows',
      steps: [
        ...columns,
        pressAll(words.importer.check),
        ({ tab }) => tab.getByRole('button', { name: words.importer.start('60') }).waitFor(),
      ],
    },
  ];
}
