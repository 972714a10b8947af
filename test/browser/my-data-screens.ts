import type { AccessLogEntry } from '../../contract/account/access-log.ts';
import type { StoredDocument } from '../../contract/account/documents.ts';
import type { MyConsent } from '../../contract/account/my-consents.ts';
import { ResourceScope } from '../../contract/data-categories.ts';
import type { PatientSource } from '../../contract/account/patient-sources.ts';
import type { UnreadDocument } from '../../contract/account/my-record.ts';
import type { UploadBatch } from '../../contract/account/uploads.ts';
import { setBrand } from '../harness/brand.ts';
import { newOrganization } from '../harness/service.ts';
import { en } from '../harness/words.ts';
import { fill, press } from '../harness/page.ts';
import { COUNTS, FACTS } from './record-facts.ts';
import type { ScreenCase, Step } from './screens.ts';

const { myData } = en;

/** The service says so, of what takes long to bring about. */
const fulfill =
  (url: string, json: object, status = 200): Step =>
  async ({ fixtures }) =>
    fixtures.answers.answer(url, status, json);

/** Who is signed in is asked for again. */
const reload: Step = ({ tab }) => tab.reload();

/** The one organization that the person takes part with has a mark and a colour; the mark is that of another. */
const useBrand: Step = async ({ fixtures: { service, answers } }) => {
  const brand = await setBrand(service, '#0e7490', await newOrganization(service));
  const organization = { name: 'Riverside Community Clinic', brand };
  answers.change('**/account/session', (session: object) => ({ ...session, organization }));
};

/** The app gets less than is shared, and for a shorter time. */
const limitFirstApp: Step = async ({ fixtures }) =>
  fixtures.answers.change('**/account/consents', ({ consents }: { consents: MyConsent[] }) => {
    const limited = consents.map((consent) => ({
      ...consent,
      apps: consent.apps.map((app) => ({
        ...app,
        grant: app.grant && {
          ...app.grant,
          fullRecordWithoutRestrictedData: false,
          consentDataResourceScopes: ResourceScope.exclude(['LABS', 'CLINICAL_NOTES']).options,
          consentDataSensitivityScopes: ['NORMAL'],
          expirationTimestamp: new Date().toISOString(),
        },
      })),
    }));
    return { consents: limited };
  });

const entry = (index: number, more: object): AccessLogEntry => ({
  id: `entry ${index}`,
  at: new Date(Date.now() - index * 7 * 60 * 60 * 1000).toISOString(),
  action: 'mcp.tools_call',
  outcome: 'success',
  actor: { kind: 'patient', id: 'somebody' },
  client: { id: 'claude', name: 'Claude', appId: null },
  organization: { id: 'lakeside', name: 'Lakeside Clinic' },
  project: { id: 'heart', name: 'Heart study' },
  consentRecordId: null,
  tool: null,
  categories: [],
  notShared: [],
  types: [],
  entries: null,
  whole: false,
  counted: false,
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
].map((more, index) => entry(index, more));

const NOTHING: Partial<UploadBatch> = {
  documents: { total: 0, processed: 0, rejected: 0 },
  resources: { created: 0, updated: 0, unchanged: 0 },
  rejected: [],
  notes: [],
  question: null,
};
const NOW = new Date().toISOString();

const BATCHES = [
  { status: 'queued', paths: ['portal.zip', 'Letter to Dr. Ruiz.pdf'] },
  { status: 'processing', documents: { total: 12, processed: 5, rejected: 0 } },
  {
    status: 'completed_with_errors',
    paths: ['record/letter of a very long name that has no end at all.pdf', 'bundle.json'],
    documents: { total: 14, processed: 12, rejected: 2 },
    resources: { created: 212, updated: 3, unchanged: 41 },
    rejected: [
      {
        path: 'record/letter of a very long name that has no end at all.pdf',
        code: 'encrypted',
        message: 'x',
      },
      { path: 'bundle.json#entry[3]', code: 'never_seen', message: 'In the words of the service.' },
      { path: 'pictures.pdf', code: 'not_read_in_time', message: 'x' },
    ],
  },
  {
    status: 'completed',
    documents: { total: 1, processed: 1, rejected: 0 },
    notes: [{ path: 'clinic.json', code: 'id_in_use', message: 'x' }],
  },
  {
    status: 'completed_with_errors',
    paths: ['photo.jpg'],
    documents: { total: 1, processed: 0, rejected: 1 },
    rejected: [{ path: 'photo.jpg', code: 'unsupported_kind', message: 'x' }],
  },
  { status: 'completed', paths: ['holiday.zip'] },
  { status: 'failed', rejected: [{ path: '', code: 'damaged', message: 'x' }] },
  { status: 'completed', sourceId: 'source 2', resources: { created: 2345, updated: 0, unchanged: 0 } },
  { status: 'completed', sourceId: 'gone' },
  {
    status: 'needs_confirmation',
    paths: ['portal.zip'],
    question: {
      persons: [
        {
          name: 'Maria del Carmen Lopez Garcia',
          birthDate: '1956-03-02',
          sex: 'female',
          path: 'portal.zip/chart.xml',
          differs: ['name', 'birthDate'],
        },
        { name: null, birthDate: '1956-03', sex: null, path: 'b.json', differs: ['birthDate'] },
      ],
      total: 14,
      account: { name: 'Ana Lopez', birthDate: null, sex: null },
      record: [{ name: 'Ana Lopez', birthDate: '1980-05-05', sex: 'male' }],
    },
  },
].map(
  (more, index) =>
    ({
      ...NOTHING,
      batchId: `batch ${index}`,
      sourceId: null,
      paths: [],
      receivedAt: NOW,
      ...more,
    }) as UploadBatch,
);

const DOCUMENTS = [
  { path: 'portal.zip/letters/Letter to Dr. Ruiz.pdf', contentType: 'application/pdf', size: 2_340_000 },
  { path: `${'after-visit-summary-'.repeat(8)}.xml`, contentType: 'application/hl7-v3+xml', size: 98_400 },
  { path: 'IMG_2041.jpg', contentType: 'image/jpeg', size: 4_100_000, batchId: 'batch 5' },
  { path: 'notes', contentType: 'application/octet-stream', size: 12, batchId: 'older' },
].map(
  (more, index) =>
    ({
      documentId: `file ${index}`,
      batchId: 'batch 3',
      sha256: '0',
      receivedAt: NOW,
      ...more,
    }) as StoredDocument,
);

const UNREAD: UnreadDocument[] = [
  { title: 'Letter to Dr. Ruiz', description: 'PDF, 120 kB', path: 'portal.zip/bundle.json', statedAt: null },
  { title: null, description: 'DICOM image, 4.1 MB', path: `${'x-ray-'.repeat(30)}.json`, statedAt: NOW },
].map((more, index) => ({ ...more, digest: String(index).repeat(32) }));

/** In every state, for every reason that has words of its own. */
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
  { state: 'needs_organization_review', code: 'birth_date_differs', lastSynchronizedAt: null },
  ...['timeout', 'unauthorized', 'too_large', 'wrong_patient', 'not_stored', 'internal_error'].map(
    (code) => ({
      state: 'failed',
      code,
    }),
  ),
  { state: 'paused', code: 'source_paused' },
  { state: 'paused', code: 'no_consent', name: `${'Our Lady of the Lakes '.repeat(4)}Medical Center` },
].map(
  (more, index) =>
    ({
      sourceId: `source ${index}`,
      name: `Hospital ${index}`,
      organization: { id: 'lakeside', name: 'Lakeside Clinic' },
      code: null,
      message: null,
      lastSynchronizedAt: '2026-11-20T08:12:00.000Z',
      nextAttemptAt: null,
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

const SESSIONS = {
  sessions: [
    { id: 'one', device: 'Firefox, Android', signedInAt: NOW, lastUsedAt: NOW, isThis: true },
    { id: 'two', device: '', signedInAt: NOW, lastUsedAt: NOW, isThis: false },
  ],
};

const chooseFiles: Step = async ({ tab }) => {
  const file = (name: string, size: number) => ({ name, mimeType: '', buffer: Buffer.alloc(size, 'x') });
  await tab
    .locator('input[type=file]')
    .setInputFiles([file('lab results.pdf', 2_340_000), file(`${'letter'.repeat(20)}.txt`, 900)]);
};

const waitForText =
  (text: string): Step =>
  ({ tab }) =>
    tab.getByText(text).first().waitFor();
const openDetails: Step = ({ tab }) => tab.locator('summary').first().click();
const typePassword: Step = ({ fixtures: cast, tab }) =>
  fill(tab, { [en.form.password]: cast.person.password });

interface StepBuilders {
  goTo: (fragment: string) => Step;
  pressAll: (...names: string[]) => Step;
  signIn: Step;
  shareOnce: Step;
}

/** A person's own page in every state that looks different. */
export function myDataScreens({ goTo, pressAll, signIn, shareOnce }: StepBuilders): ScreenCase[] {
  const home = [shareOnce, goTo('#/my-data')];
  const openPart = (name: string, ...before: Step[]): Step[] => [
    signIn,
    ...before,
    goTo(`#/my-data/${name}`),
  ];
  const clickButton =
    (name: string): Step =>
    ({ tab }) =>
      tab.getByRole('button', { name }).first().click();
  const waitUntilStopped: Step = async ({ fixtures: cast, tab }) => {
    await tab.getByText(/^You stopped it on/).waitFor();
    cast.isSharing = false;
  };
  const sources = fulfill('**/account/sources', { results: SOURCES });
  const uploads = fulfill('**/account/uploads', { results: BATCHES });
  const unread = fulfill('**/account/unread-documents', { total: UNREAD.length, results: UNREAD });
  const documents = fulfill('**/account/documents?*', { results: DOCUMENTS, next: 'more' });
  const refreshSteps = [
    fulfill('**/account/sources', { results: [RUNNING, UP_TO_DATE] }),
    fulfill('**/account/sources/refresh', { sources: 2 }, 202),
  ];
  const openRecord = openPart(
    'record',
    fulfill('**/account/record', COUNTS),
    fulfill('**/account/record/facts?*', { person: [], results: FACTS, next: '40' }),
    fulfill('**/account/record/search', {
      results: FACTS.slice(0, 2).map((each) => ({ ...each, around: 'Diabetes check: 8.1 %' })),
      hasMore: true,
      isRelated: true,
      readAs: [
        {
          phrase: 'blood sugar',
          names: ['hemoglobin A1c', 'glucose measurement'],
          spanishNames: ['hemoglobina glicosilada', null],
        },
      ],
    }),
  );
  const openLabs: Step = async ({ tab }) => {
    await tab.getByRole('button', { name: en.data.categories.LABS.name }).click();
    await tab.getByText(myData.record.more).first().click();
  };
  const search: Step = async ({ tab }) => {
    await tab.getByRole('searchbox').fill('blood sugar');
    await press(tab, myData.record.search.submit);
  };
  const passkeys = openPart('signing-in', fulfill('**/account/passkeys', PASSKEYS));
  const deleting = openPart('delete-account');
  const confirmSteps = [...deleting, typePassword, pressAll(myData.deletion.next)];
  return [
    { screen: 'my-data', steps: home },
    {
      screen: 'my-data',
      variant: 'my-data-branded',
      steps: [useBrand, ...home, reload, ({ tab }) => tab.locator('.frame-name .mark-picture').waitFor()],
    },
    { screen: 'my-data', variant: 'my-data-stop', steps: [...home, reload, clickButton(myData.stop)] },
    {
      screen: 'my-data',
      variant: 'my-data-disconnect',
      steps: [limitFirstApp, ...home, clickButton(myData.disconnect)],
    },
    { screen: 'my-data', variant: 'my-data-change', steps: [...home, clickButton(myData.change)] },
    {
      screen: 'my-data',
      variant: 'my-data-change-faults',
      steps: [...home, clickButton(myData.change), pressAll(myData.save)],
    },
    {
      screen: 'my-data',
      variant: 'my-data-stopped',
      steps: [...home, clickButton(myData.stop), pressAll(myData.yesStop), waitUntilStopped],
    },
    {
      screen: 'my-data',
      variant: 'my-data-sources',
      steps: [signIn, sources, unread, goTo('#/my-data'), waitForText('Hill Clinic')],
    },
    {
      screen: 'my-data',
      variant: 'my-data-sources-asked',
      steps: [
        signIn,
        ...refreshSteps,
        goTo('#/my-data'),
        pressAll(myData.sources.get),
        waitForText('2 places'),
      ],
    },
    { screen: 'my-data-record', variant: 'my-data-record-empty', steps: openPart('record') },
    { screen: 'my-data-record', steps: [...openRecord, waitForText('1,204')] },
    {
      screen: 'my-data-record',
      variant: 'my-data-record-opened',
      steps: [...openRecord, openLabs, waitForText('Hill Clinic')],
    },
    {
      screen: 'my-data-record',
      variant: 'my-data-record-found',
      steps: [...openRecord, search, waitForText('2 results')],
    },
    { screen: 'my-data-activity', steps: [shareOnce, goTo('#/my-data/activity')] },
    {
      screen: 'my-data-activity',
      variant: 'my-data-activity-long',
      steps: openPart('activity', fulfill('**/account/access-log?*', { results: ENTRIES, next: 'more' })),
    },
    { screen: 'my-data-receipts', steps: [shareOnce, goTo('#/my-data/receipts')] },
    {
      screen: 'my-data-receipt',
      steps: [
        shareOnce,
        goTo('#/my-data/receipts'),
        ({ tab }) => tab.getByRole('link', { name: myData.receipts.read }).first().click(),
        ({ tab }) => tab.locator('.receipt-parts').last().waitFor(),
      ],
    },
    { screen: 'my-data-documents', steps: openPart('documents') },
    {
      screen: 'my-data-documents',
      variant: 'my-data-documents-chosen',
      steps: [...openPart('documents'), chooseFiles],
    },
    {
      screen: 'my-data-documents',
      variant: 'my-data-documents-read',
      steps: [
        ...openPart('documents', uploads, sources, unread, documents),
        openDetails,
        waitForText('IMG_2041.jpg'),
      ],
    },
    { screen: 'my-data-download', steps: openPart('download') },
    { screen: 'my-data-notices', steps: openPart('notices') },
    {
      screen: 'my-data-notices',
      variant: 'my-data-notices-saved',
      steps: [...openPart('notices'), pressAll(myData.notices.save), waitForText(myData.notices.saved)],
    },
    { screen: 'my-data-signing-in', steps: openPart('signing-in') },
    { screen: 'my-data-signing-in', variant: 'my-data-passkeys', steps: passkeys },
    {
      screen: 'my-data-signing-in',
      variant: 'my-data-password-faults',
      steps: [
        ...openPart('signing-in'),
        pressAll(myData.passwords.change),
        pressAll(myData.passwords.submit),
      ],
    },
    {
      screen: 'my-data-signing-in',
      variant: 'my-data-email-faults',
      steps: [...openPart('signing-in'), pressAll(myData.emails.change), pressAll(myData.emails.submit)],
    },
    {
      screen: 'my-data-signing-in',
      variant: 'my-data-password-passkeys',
      steps: [...passkeys, pressAll(myData.passwords.change), waitForText(en.oldPasskeys.lead)],
    },
    {
      screen: 'my-data-signing-in',
      variant: 'my-data-other-sessions',
      steps: [
        ...openPart('signing-in', fulfill('**/account/sessions', SESSIONS)),
        pressAll(myData.sessions.endOthers),
      ],
    },
    {
      screen: 'my-data-signing-in',
      variant: 'my-data-passkeys-change',
      steps: [
        ...passkeys,
        pressAll(myData.passkeys.add),
        ({ tab }) => tab.getByLabel(myData.passkeys.name).fill(''),
        ({ tab }) => press(tab, myData.passkeys.create),
        clickButton(myData.passkeys.remove),
      ],
    },
    { screen: 'my-data-delete', steps: deleting },
    {
      screen: 'my-data-delete',
      variant: 'my-data-delete-faults',
      steps: [...deleting, pressAll(myData.deletion.next)],
    },
    { screen: 'my-data-delete', variant: 'my-data-delete-sure', steps: confirmSteps },
    {
      screen: 'farewell',
      steps: [...confirmSteps, fulfill('**/account/delete', {}, 204), pressAll(myData.deletion.yes)],
    },
  ];
}
