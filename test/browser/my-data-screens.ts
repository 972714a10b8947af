import type { AccessLogEntry } from '../../contract/access-log.ts';
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
  entries: null,
  from: null,
  until: null,
  reason: null,
  ...more,
});

const ENTRIES = [
  { tool: 'get_labs', categories: ['LABS'], entries: 14, from: '2023-11-02', until: '2026-10-30' },
  { tool: 'search', categories: ['CLINICAL_NOTES'], entries: 6 },
  { tool: 'get_medications', outcome: 'refused', reason: 'access_revoked' },
  { action: 'consent.evidence_viewed', actor: { kind: 'admin', id: 'admin' }, client: null },
  { tool: 'get_health_summary', categories: ['ALLERGIES'], entries: 44 },
  {
    action: 'fhir.person_everything',
    categories: ['LABS', 'VISITS', 'MEDICATIONS'],
    entries: 210,
    client: { id: 'x', name: 'Care portal' },
  },
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
].map((more, place) => ({ ...NOTHING, batchId: `batch ${place}`, receivedAt: NOW, ...more }) as UploadBatch);

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

const opened: Way = ({ tab }) => tab.locator('summary').first().click();
const passwordTyped: Way = ({ cast, tab }) => fill(tab, { [en.form.password]: cast.person.password });

interface Ways {
  at: (fragment: string) => Way;
  pressing: (...names: string[]) => Way;
  signedIn: Way;
  shared: readonly Way[];
}

/** A person's own page in every state that looks different. */
export function myDataScreens({ at, pressing, signedIn, shared }: Ways): ScreenOf[] {
  const home = [...shared, at('#/my-data')];
  const part = (name: string, ...before: Way[]): Way[] => [signedIn, ...before, at(`#/my-data/${name}`)];
  const named =
    (name: string): Way =>
    ({ tab }) =>
      tab.getByRole('button', { name }).first().click();
  const ended: Way = ({ tab }) => tab.getByText(/^You stopped it on/).waitFor();
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
    { screen: 'my-data-activity', ways: [...shared, at('#/my-data/activity')] },
    {
      screen: 'my-data-activity',
      as: 'my-data-activity-long',
      ways: part('activity', answered('**/account/access-log?*', { results: ENTRIES, next: 'more' })),
    },
    { screen: 'my-data-receipts', ways: [...shared, at('#/my-data/receipts')] },
    { screen: 'my-data-documents', ways: part('documents') },
    { screen: 'my-data-documents', as: 'my-data-documents-chosen', ways: [...part('documents'), chosen] },
    {
      screen: 'my-data-documents',
      as: 'my-data-documents-read',
      ways: [...part('documents', answered('**/account/uploads', { results: BATCHES })), opened],
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
