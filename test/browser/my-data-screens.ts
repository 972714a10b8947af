import type { AccessLogEntry } from '../../contract/access-log.ts';
import type { KeptDocument } from '../../contract/documents.ts';
import type { PatientSource } from '../../contract/patient-sources.ts';
import type { UploadBatch } from '../../contract/uploads.ts';
import { en } from '../../web/consent/src/words/en.ts';
import { fill, press } from '../harness/page.ts';
import type { ScreenOf, Way } from './screens.ts';

const { myData } = en;

/** The service says so, of what takes long to bring about. */
const answered =
  (url: string, json: object, status = 200): Way =>
  ({ tab }) =>
    tab.route(url, (route) => route.fulfill(status === 204 ? { status } : { status, json }));

const entry = (place: number, more: object): AccessLogEntry => ({
  id: `entry ${place}`,
  at: new Date(Date.now() - place * 7 * 60 * 60 * 1000).toISOString(),
  action: 'mcp.tools_call',
  outcome: 'success',
  actor: { kind: 'patient', id: 'somebody' },
  client: { id: 'claude', name: 'Claude' },
  organization: { id: 'lakeside', name: 'Lakeside Clinic' },
  project: { id: 'heart', name: 'Heart study' },
  consentRecordId: null,
  tool: null,
  categories: [],
  types: [],
  entries: null,
  whole: false,
  from: null,
  until: null,
  reason: null,
  ...more,
});

const PARTNER = { action: 'fhir.everything', actor: { kind: 'admin', id: 'key' }, client: null };

const ENTRIES = [
  { tool: 'get_labs', categories: ['LABS'], entries: 14, from: '2023-11-02', until: '2026-10-30' },
  { tool: 'search', categories: ['CLINICAL_NOTES'], entries: 6 },
  { tool: 'get_medications', outcome: 'refused', reason: 'access_revoked' },
  { action: 'consent.evidence_viewed', actor: { kind: 'admin', id: 'admin' }, client: null },
  { tool: 'get_health_summary', categories: ['ALLERGIES'], entries: 44 },
  { ...PARTNER, entries: 2345, whole: true },
  { ...PARTNER, entries: 210, types: ['Observation', 'Encounter', 'MedicationRequest'] },
  { ...PARTNER, action: 'fhir.read', entries: 1, types: ['AllergyIntolerance'] },
  { ...PARTNER, outcome: 'refused' },
  { ...PARTNER, action: 'source.sync_requested' },
  { action: 'oauth.grant_revoked' },
  { action: 'consent.recorded', client: null },
].map((more, place) => entry(place, more));

const NOTHING = {
  documents: { total: 0, processed: 0, rejected: 0 },
  resources: { created: 0, updated: 0, unchanged: 0 },
  rejected: [],
};
const NOW = new Date().toISOString();

const BATCHES = [
  { status: 'queued' },
  { status: 'processing', documents: { total: 12, processed: 5, rejected: 0 } },
  {
    status: 'completed_with_errors',
    resources: { created: 212, updated: 3, unchanged: 41 },
    rejected: [
      {
        path: 'record/letter of a very long name that has no end at all.pdf',
        code: 'encrypted',
        message: 'x',
      },
      { path: 'bundle.json#entry[3]', code: 'never_seen', message: 'In the words of the service.' },
    ],
  },
  { status: 'completed' },
  { status: 'failed', rejected: [{ path: '', code: 'damaged', message: 'x' }] },
  { status: 'completed', sourceId: 'source 2', resources: { created: 2345, updated: 0, unchanged: 0 } },
  { status: 'completed', sourceId: 'gone' },
].map(
  (more, place) =>
    ({ ...NOTHING, batchId: `batch ${place}`, sourceId: null, receivedAt: NOW, ...more }) as UploadBatch,
);

const KEPT = [
  { path: 'portal.zip/letters/Letter to Dr. Ruiz.pdf', contentType: 'application/pdf', size: 2_340_000 },
  { path: `${'after-visit-summary-'.repeat(8)}.xml`, contentType: 'application/hl7-v3+xml', size: 98_400 },
  { path: 'IMG_2041.jpg', contentType: 'image/jpeg', size: 4_100_000, batchId: 'batch 5' },
  { path: 'notes', contentType: 'application/octet-stream', size: 12, batchId: 'older' },
].map(
  (more, place) =>
    ({
      documentId: `file ${place}`,
      batchId: 'batch 3',
      sha256: '0',
      receivedAt: NOW,
      ...more,
    }) as KeptDocument,
);

/** In every state, for every reason that is told in other words. */
const SOURCES = [
  { state: 'running', name: 'St. Mary Hospital' },
  { state: 'waiting', name: 'Hill Clinic', lastSynchronizedAt: null },
  { state: 'up_to_date', name: 'Riverside Hospital' },
  { state: 'up_to_date', code: 'partial', name: 'Valley Imaging' },
  { state: 'waiting', code: 'unavailable', name: 'Harbor Labs' },
  ...['nobody_found', 'no_external_id', 'no_birth_date', 'email_differs'].map((code) => ({
    state: 'no_match',
    code,
    lastSynchronizedAt: null,
  })),
  { state: 'ambiguous_match', code: 'several_found', lastSynchronizedAt: null },
  ...['timeout', 'unauthorized', 'too_large', 'wrong_patient', 'not_stored', 'internal_error'].map(
    (code) => ({
      state: 'failed',
      code,
    }),
  ),
  { state: 'paused', code: 'source_paused' },
  { state: 'paused', code: 'no_consent', name: `${'Our Lady of the Lakes '.repeat(4)}Medical Center` },
].map(
  (more, place) =>
    ({
      sourceId: `source ${place}`,
      name: `Hospital ${place}`,
      organization: { id: 'lakeside', name: 'Lakeside Clinic' },
      code: null,
      message: null,
      lastSynchronizedAt: '2026-11-20T08:12:00.000Z',
      ...more,
    }) as PatientSource,
);
const [RUNNING, , UP_TO_DATE] = SOURCES;

const PASSKEYS = {
  possible: true,
  passkeys: [
    { id: 'one', name: 'Blue phone', createdAt: NOW, lastUsedAt: NOW },
    { id: 'two', name: 'Computer-at-work-'.repeat(5), createdAt: NOW, lastUsedAt: null },
  ],
};

const chosen: Way = async ({ tab }) => {
  const file = (name: string, size: number) => ({ name, mimeType: '', buffer: Buffer.alloc(size, 'x') });
  await tab
    .locator('input[type=file]')
    .setInputFiles([file('lab results.pdf', 2_340_000), file(`${'letter'.repeat(20)}.txt`, 900)]);
};

const told =
  (text: string): Way =>
  ({ tab }) =>
    tab.getByText(text).first().waitFor();
const opened: Way = ({ tab }) => tab.locator('summary').first().click();
const passwordTyped: Way = ({ cast, tab }) => fill(tab, { [en.form.password]: cast.person.password });

interface Ways {
  at: (fragment: string) => Way;
  pressing: (...names: string[]) => Way;
  signedIn: Way;
  shared: Way;
}

/** A person's own page in every state that looks different. */
export function myDataScreens({ at, pressing, signedIn, shared }: Ways): ScreenOf[] {
  const home = [shared, at('#/my-data')];
  const part = (name: string, ...before: Way[]): Way[] => [signedIn, ...before, at(`#/my-data/${name}`)];
  const named =
    (name: string): Way =>
    ({ tab }) =>
      tab.getByRole('button', { name }).first().click();
  const ended: Way = async ({ cast, tab }) => {
    await tab.getByText(/^You stopped it on/).waitFor();
    cast.shares = false;
  };
  const sources = answered('**/account/sources', { results: SOURCES });
  const uploads = answered('**/account/uploads', { results: BATCHES });
  const kept = answered('**/account/documents?*', { results: KEPT, next: 'more' });
  const refreshed = [
    answered('**/account/sources', { results: [RUNNING, UP_TO_DATE] }),
    answered('**/account/sources/refresh', { sources: 2 }, 202),
  ];
  const passkeys = part('signing-in', answered('**/account/passkeys', PASSKEYS));
  const deleting = part('delete-account');
  const sure = [...deleting, passwordTyped, pressing(myData.deletion.next)];
  return [
    { screen: 'my-data', ways: home },
    { screen: 'my-data', as: 'my-data-stop', ways: [...home, named(myData.stop)] },
    { screen: 'my-data', as: 'my-data-change', ways: [...home, named(myData.change)] },
    {
      screen: 'my-data',
      as: 'my-data-change-faults',
      ways: [...home, named(myData.change), pressing(myData.save)],
    },
    {
      screen: 'my-data',
      as: 'my-data-stopped',
      ways: [...home, named(myData.stop), pressing(myData.yesStop), ended],
    },
    {
      screen: 'my-data',
      as: 'my-data-sources',
      ways: [signedIn, sources, at('#/my-data'), told('Hill Clinic')],
    },
    {
      screen: 'my-data',
      as: 'my-data-sources-asked',
      ways: [signedIn, ...refreshed, at('#/my-data'), pressing(myData.sources.get), told('2 places')],
    },
    { screen: 'my-data-activity', ways: [shared, at('#/my-data/activity')] },
    {
      screen: 'my-data-activity',
      as: 'my-data-activity-long',
      ways: part('activity', answered('**/account/access-log?*', { results: ENTRIES, next: 'more' })),
    },
    { screen: 'my-data-receipts', ways: [shared, at('#/my-data/receipts')] },
    { screen: 'my-data-documents', ways: part('documents') },
    { screen: 'my-data-documents', as: 'my-data-documents-chosen', ways: [...part('documents'), chosen] },
    {
      screen: 'my-data-documents',
      as: 'my-data-documents-read',
      ways: [...part('documents', uploads, sources, kept), opened, told('IMG_2041.jpg')],
    },
    { screen: 'my-data-download', ways: part('download') },
    { screen: 'my-data-signing-in', ways: part('signing-in') },
    { screen: 'my-data-signing-in', as: 'my-data-passkeys', ways: passkeys },
    {
      screen: 'my-data-signing-in',
      as: 'my-data-passkeys-change',
      ways: [
        ...passkeys,
        pressing(myData.passkeys.add),
        ({ tab }) => tab.getByLabel(myData.passkeys.name).fill(''),
        ({ tab }) => press(tab, myData.passkeys.create),
        named(myData.passkeys.remove),
      ],
    },
    { screen: 'my-data-delete', ways: deleting },
    {
      screen: 'my-data-delete',
      as: 'my-data-delete-faults',
      ways: [...deleting, pressing(myData.deletion.next)],
    },
    { screen: 'my-data-delete', as: 'my-data-delete-sure', ways: sure },
    {
      screen: 'farewell',
      ways: [...sure, answered('**/account/delete', {}, 204), pressing(myData.deletion.yes)],
    },
  ];
}
