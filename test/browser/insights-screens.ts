import { createFinding } from '../../server/surfaces/doctor/finding.ts';
import { press } from '../harness/page.ts';
import { consoleEn as en } from '../harness/words.ts';
import { answerWith, holdBack, open, type ConsoleScreen } from './console-screens.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const AT = '2026-01-05T10:02:03.000Z';

const read = {
  id: ID,
  at: AT,
  action: 'mcp.tools_call',
  outcome: 'success',
  actor: { kind: 'patient', id: ID },
  client: { id: ID, name: 'Reading agent', appId: ID },
  project: { id: ID, name: 'Asthma and air in the valley' },
  consentRecordId: ID,
  patientId: ID,
  tool: 'get_labs',
  categories: ['LABS'],
  notShared: [],
  types: [],
  entries: 1240,
  whole: false,
  counted: false,
  from: null,
  until: null,
  reason: null,
};

const refused = {
  ...read,
  id: ID.replace('1', '2'),
  outcome: 'refused',
  reason: 'access_revoked',
  entries: null,
  client: { id: 'direct', name: null, appId: null },
};

const READS = answerWith('**/access-log?*', 200, { results: [read, refused], next: null });

const used = (day: number, kind: string, key: string, count: number) => ({
  at: new Date(Math.floor(Date.now() / 86_400_000 - day) * 86_400_000 + 15 * 3_600_000).toISOString(),
  kind,
  key,
  count,
  refused: day,
  failed: 0,
  p50Ms: 12,
  p95Ms: 80,
});

const USAGE = answerWith('**/v1/organizations/*/usage?*', 200, {
  from: AT,
  to: AT,
  results: [
    used(3, 'tool_call', 'get_labs', 120),
    used(2, 'tool_call', 'get_medications', 80),
    used(2, 'fhir_read', 'getPersonEverything', 14),
    used(1, 'delivery', 'consent.withdrawn', 3),
  ],
  names: {},
});

/** Stored since ten days, the log for longer. */
const FIGURES = answerWith('**/daily-figures?*', 200, {
  zone: 'UTC',
  results: Array.from({ length: 28 }, (_day, index) => ({
    day: new Date(Date.now() - (27 - index) * 86_400_000).toISOString().slice(0, 10),
    activePatients: 20 + ((index * 5) % 7),
    storage: {
      recordBytes: index < 18 ? null : 5e8 + index * 4e7,
      originalBytes: index < 18 ? null : 2e8 + index * 1e7,
      evidenceBytes: index < 18 ? null : 1e8 + index * 2e6,
      logBytes: 1e8 + index * 9e6,
    },
  })),
});

const item = (code: string, more: object = {}) => ({
  code,
  severity: 'problem',
  name: 'hooks.partner.example',
  count: 12,
  at: AT,
  target: '/console/audit',
  ...more,
});

const DAYS = Array.from({ length: 28 }, (_day, index) => index);

/** Four weeks of reads and consents, up to today. */
const ACTIVITY = [
  FIGURES,
  answerWith('**/v1/organizations/*/usage?*', 200, {
    from: AT,
    to: AT,
    zone: 'UTC',
    results: DAYS.map((day) => ({ ...used(day, 'tool_call', '', 40 + ((day * 7) % 23)), refused: day % 3 })),
    names: {},
  }),
  answerWith('**/consent-stats?*', 200, {
    from: AT.slice(0, 10),
    to: AT.slice(0, 10),
    bucket: 'day',
    zone: 'UTC',
    buckets: DAYS.toReversed().map((day) => ({
      start: new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10),
      given: (day * 5) % 9,
      changed: 0,
      refused: 1,
      withdrawn: day % 2,
      ended: day % 4 === 0 ? 1 : 0,
      inForce: 1240 - day * 11,
    })),
    inForce: 1240,
    reading: 1100,
    shared: [],
    withdrawals: { total: 0, reasons: [], ages: [] },
    timeToDecide: { decisions: 0, medianSeconds: null, p90Seconds: null, times: [] },
  }),
  answerWith('**/first-steps', 200, {
    results: [
      { code: 'words_written', isDone: true },
      { code: 'patient_enrolled', isDone: true },
      { code: 'record_connected', isDone: false },
      { code: 'reader_connected', isDone: true },
      { code: 'second_owner', isDone: false },
    ],
  }),
];

const ATTENTION = answerWith('**/attention', 200, {
  results: [
    item('webhook_suspended'),
    item('source_failing', { name: 'Riverside Hospital' }),
    item('audit_altered', { name: null }),
    item('app_unjudged', { severity: 'notice', name: 'Pill helper', target: '/console/apps' }),
    item('key_unused', { severity: 'notice', name: 'Nightly export' }),
    item('mail_not_configured', { severity: 'notice', target: '/docs/configuration' }),
  ],
});

const ALTERED = answerWith('**/audit/checkpoints?*', 200, {
  verification: {
    at: AT,
    block: 7,
    entries: 6400,
    fault: { what: 'content', block: 8, entryId: ID, detail: 'is not what was sealed' },
  },
  results: [{ block: 9, entries: 12, sealedAt: AT, checkpoint: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln' }],
  next: null,
});

const FOUND = [
  createFinding('settings_ok'),
  createFinding('unreachable', {
    baseUrl: 'https://records.riverside-community-clinic.example',
    reason: 'its certificate has expired (CERT_HAS_EXPIRED)',
  }),
  createFinding('identity_ok', {
    host: 'login.riverside.example',
    redirectUri: 'https://records.riverside-community-clinic.example/console/oidc',
  }),
  createFinding('backup_old', { hours: 50 }),
  createFinding('walk_needs_address'),
];

const doctorRun = (more: object) => ({
  id: ID,
  startedAt: AT,
  startedBy: { kind: 'member', id: ID, name: 'Ana Ruiz' },
  finishedAt: AT,
  step: 8,
  steps: 8,
  isHealthy: false,
  findings: FOUND,
  ...more,
});

const DOCTOR = '**/v1/organizations/*/doctor';

/** What the organization sees of its own running: reads, usage, the audit log, and what needs somebody. */
export const INSIGHTS_SCREENS: readonly ConsoleScreen[] = [
  { screen: 'home', variant: 'home-attention', steps: [ATTENTION, ...ACTIVITY, open('/')] },
  {
    screen: 'home',
    variant: 'home-activity-table',
    steps: [ATTENTION, ...ACTIVITY, open('/'), ({ tab }) => press(tab, en.charts.asTable)],
  },
  {
    screen: 'home',
    variant: 'home-quiet',
    steps: [answerWith('**/attention', 200, { results: [] }), open('/')],
  },
  { screen: 'reads', variant: 'reads-empty', steps: [open('/reads')] },
  { screen: 'reads', steps: [READS, USAGE, open('/reads')] },
  {
    screen: 'reads',
    variant: 'reads-empty-by-filter',
    steps: [open('/reads?outcome=refused&tool=get_labs')],
  },
  { screen: 'no-permission', variant: 'reads-not-permitted', role: 'developer', steps: [open('/reads')] },
  { screen: 'usage', steps: [USAGE, FIGURES, open('/usage')] },
  {
    screen: 'usage',
    variant: 'usage-empty',
    steps: [
      answerWith('**/v1/organizations/*/usage?*', 200, { from: AT, to: AT, results: [], names: {} }),
      open('/usage?range=7'),
    ],
  },
  {
    screen: 'usage',
    variant: 'usage-hours',
    steps: [USAGE, open('/usage?range=1')],
  },
  {
    screen: 'usage',
    variant: 'usage-failed',
    steps: [
      answerWith('**/v1/organizations/*/usage?*', 400, { code: 'invalid_input' }),
      // The chart, the totals and those of the time before.
      ({ browser }) => Promise.resolve(browser.expectRefusals('400', '400')),
      open('/usage'),
    ],
  },
  { screen: 'audit', role: 'auditor', steps: [open('/audit?actorKind=member&since=2026-01-05')] },
  {
    screen: 'audit',
    variant: 'audit-of-one-patient',
    steps: [ALTERED, open(`/audit?patientId=${ID}`)],
  },
  {
    screen: 'audit',
    variant: 'audit-loading',
    isHeld: true,
    steps: [holdBack(/\/audit-events/), open('/audit')],
  },
  { screen: 'audit', variant: 'audit-altered', steps: [ALTERED, open('/audit')] },
  { screen: 'system-check', variant: 'system-check-never', steps: [open('/system-check')] },
  {
    screen: 'system-check',
    steps: [answerWith(DOCTOR, 200, { running: null, last: doctorRun({}) }), open('/system-check')],
  },
  {
    screen: 'system-check',
    variant: 'system-check-running',
    steps: [
      answerWith(DOCTOR, 200, {
        running: doctorRun({ finishedAt: null, step: 3, isHealthy: null, findings: FOUND.slice(0, 2) }),
        last: doctorRun({ isHealthy: true, findings: [FOUND[0], FOUND[2]] }),
      }),
      open('/system-check'),
    ],
  },
];
