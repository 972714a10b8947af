import { answerWith, open, type ConsoleScreen } from './console-screens.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const AT = '2026-01-05T10:02:03.000Z';

const read = {
  id: ID,
  at: AT,
  action: 'mcp.tools_call',
  outcome: 'success',
  actor: { kind: 'patient', id: ID },
  client: { id: ID, name: 'Reading agent' },
  project: { id: ID, name: 'Asthma and air in the valley' },
  consentRecordId: ID,
  patientId: ID,
  tool: 'get_labs',
  categories: ['LAB_RESULTS'],
  notShared: [],
  types: [],
  entries: 1240,
  whole: false,
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
  client: { id: 'direct', name: null },
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

const item = (code: string, more: object = {}) => ({
  code,
  severity: 'problem',
  name: 'hooks.partner.example',
  count: 12,
  at: AT,
  target: '/console/audit',
  ...more,
});

const ATTENTION = answerWith('**/attention', 200, {
  results: [
    item('webhook_suspended'),
    item('source_failing', { name: 'Riverside Hospital' }),
    item('audit_altered', { name: null }),
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

/** What the organization sees of its own running: reads, usage, the audit log, and what needs somebody. */
export const INSIGHTS_SCREENS: readonly ConsoleScreen[] = [
  { screen: 'home', variant: 'home-attention', steps: [ATTENTION, open('/')] },
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
  { screen: 'usage', steps: [USAGE, open('/usage')] },
  {
    screen: 'usage',
    variant: 'usage-empty',
    steps: [
      answerWith('**/v1/organizations/*/usage?*', 200, { from: AT, to: AT, results: [], names: {} }),
      open('/usage?range=7'),
    ],
  },
  { screen: 'audit', role: 'auditor', steps: [open('/audit?actorKind=member&since=2026-01-05')] },
  {
    screen: 'audit',
    variant: 'audit-of-one-patient',
    steps: [ALTERED, open(`/audit?patientId=${ID}`)],
  },
  { screen: 'audit', variant: 'audit-altered', steps: [ALTERED, open('/audit')] },
];
