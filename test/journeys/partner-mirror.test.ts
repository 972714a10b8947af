import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PatientId, SourceId } from '../../contract/brands.ts';
import { enqueueBatch } from '../../server/clinical/ingest/batches/enqueue-batch.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { createRecordsUpdatedEmitter } from '../../server/consent/decisions/records-updated-event.ts';
import { labelBit } from '../../server/consent/access/sensitivity-labels.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { fetchAllPages, listEntries, type Bundle } from '../harness/fhir.ts';
import { withoutObjectStore } from '../harness/no-objects.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Resource = { resourceType: string; id: string; [element: string]: unknown };

const condition = (id: string, text: string): Resource => ({
  resourceType: 'Condition',
  id,
  code: { text },
  onsetDateTime: '2024-02-03',
});
const visit = (text: string, more: object = {}): Resource => ({
  resourceType: 'Encounter',
  id: 'visit',
  status: 'finished',
  class: { code: 'AMB' },
  type: [{ text }],
  period: { start: '2024-02-03' },
  ...more,
});
const result = (id: string, more: object = {}): Resource => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { text: 'Sodium' },
  effectiveDateTime: '2024-02-03',
  ...more,
});
const AT_VISIT = { encounter: { reference: 'Encounter/visit' } };
const place = (name: string): Resource => ({ resourceType: 'Location', id: 'place', name });
const person = (id: string, birthDate: string): Resource => ({ resourceType: 'Patient', id, birthDate });
const PSYCHIATRY = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'PSY' };
const withDiagnosis = { diagnosis: [{ condition: { reference: 'Condition/c' } }] };
const AT_PLACE = { location: [{ location: { reference: 'Location/place' } }] };
const SCAN: Resource = {
  resourceType: 'DocumentReference',
  id: 'scan',
  status: 'current',
  content: [{ attachment: { contentType: 'application/msword', data: 'AAAA' } }],
};

const DRUG: Resource = {
  resourceType: 'MedicationStatement',
  id: 'drug',
  status: 'active',
  medicationCodeableConcept: { text: 'Metformin' },
};

/** What reaches readers of a change: `full` leaves out nothing, `normal` some categories and all that is restricted. */
type Seen = 'changed' | 'removed' | null;
type Expected = readonly Seen[] | Seen;

interface Stage {
  service: TestService;
  admin: string;
  patient: TestPatient;
  batches: string[];
}
type Step = [
  name: string,
  act: (stage: Stage) => Promise<unknown>,
  expected: { normal: Expected; full: Expected },
];

const both = (seen: Expected): { normal: Expected; full: Expected } => ({ normal: seen, full: seen });

const send =
  (...resources: Resource[]) =>
  async ({ service, patient, batches }: Stage): Promise<void> => {
    const archive = await createArchive({ 'record.json': createBundle(...resources) });
    batches.push((await upload(service, patient, archive)).batchId as string);
  };

const HTEST = { tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' }] };

/** What a sync writes, as the server of an organization sent it. */
const fetchFrom =
  (...resources: Resource[]) =>
  async ({ service, patient, batches }: Stage): Promise<void> => {
    const { db, dataDirectory } = service.store;
    const file = path.join(dataDirectory, 'pages.zip');
    const tagged = resources.map((resource) => ({ ...resource, meta: HTEST }));
    fs.writeFileSync(file, await createArchive({ 'page-1.json': createBundle(...tagged) }));
    const deps = { db, clock: service.clock, objects: withoutObjectStore(db), jobs: service.worker };
    const source = { sourceId: SOURCE, origin: 'https://fhir.example/r4' };
    const batchId = await enqueueBatch(deps, { patientId: patient.id as PatientId, file, source });
    fs.rmSync(file);
    await waitForBatch(service, patient, batchId);
    batches.push(batchId);
  };
const SOURCE = generateId<SourceId>();

const remove =
  (index: number) =>
  async ({ service, patient, batches }: Stage): Promise<void> => {
    const url = `/v1/patients/${patient.id}/upload-documents/${batches[index]}`;
    const { status } = await call(service, url, { method: 'DELETE', token: patient.token });
    assert.equal(status, 204);
  };

const correct =
  (json: object) =>
  async ({ service, admin, patient }: Stage): Promise<void> => {
    const url = `/v1/projects/${patient.projectId}/patients/${patient.id}`;
    const { status, body } = await call(service, url, { method: 'PATCH', token: admin, json });
    assert.equal(status, 200, JSON.stringify(body));
  };

/** An upload has begun whose labels are not known yet. */
const beginLabeling = ({ service, patient }: Stage) =>
  service.store.db.query(
    sql`update record_head set labeled_until = last_synchronized_at where patient_id = ${patient.id}`,
  );

const state =
  (nothingPrivate: boolean) =>
  async ({ service, patient }: Stage): Promise<void> => {
    const browser = await createSignedInBrowser(service, patient);
    const { body } = await browser.get('/account/unread-documents');
    const { digest } = body.results[0] as { digest: string };
    const { status } = await browser.post('/account/unread-documents', { digest, nothingPrivate });
    assert.equal(status, 204);
  };

/** The record is read anew, of which earlier rules had given the visit these labels. */
const readAnew =
  (former: number) =>
  async ({ service, patient }: Stage): Promise<void> => {
    const { db } = service.store;
    await db.query(sql`
      update resource_label set required_labels = ${former}
      where patient_id = ${patient.id} and seq = (
        select seq from resource where patient_id = ${patient.id} and resource_type = 'Encounter')`);
    const emitUpdate = createRecordsUpdatedEmitter(createEmitter(() => {}));
    await rebuildEntries(
      { db, clock: service.clock, getVocabulary, emitUpdate, extractText: async () => null },
      { patientId: patient.id as PatientId, batchId: null },
    );
  };

const share =
  (consentStatus: string, scopes: object = {}) =>
  async ({ service, patient }: Stage): Promise<void> => {
    const { status } = await decide(service, patient, consentStatus, scopes);
    assert.equal(status, 201);
  };

const NORMAL = {
  consentDataResourceScopes: ['LABS', 'VISITS', 'DIAGNOSES', 'DEMOGRAPHICS', 'CLINICAL_NOTES'],
  consentDataSensitivityScopes: ['NORMAL'],
};
const CONSENTS = [
  ['normal', NORMAL],
  ['full', {}],
] as const;

const FIRST = [condition('c', 'Tiredness'), visit('Check-up'), result('r1', AT_VISIT), result('r2')];

const JOURNEYS: [name: string, steps: Step[]][] = [
  [
    'texts and categories that become private, and come back',
    [
      ['a first upload', send(...FIRST), both('changed')],
      [
        'a diagnosis becomes private',
        send(condition('c', 'Major depression')),
        { normal: 'removed', full: 'changed' },
      ],
      ['that is taken out again', remove(1), { normal: 'changed', full: 'removed' }],
      ['a visit becomes private', send(visit('Psychiatry visit')), { normal: 'removed', full: 'changed' }],
      [
        'something withheld changes',
        send(visit('Psychiatry visit, again')),
        { normal: null, full: 'changed' },
      ],
      ['both are taken out: the later', remove(3), { normal: null, full: 'removed' }],
      ['and the earlier', remove(2), { normal: 'changed', full: 'removed' }],
      [
        'a category that is not shared',
        send(result('r2', { category: [{ coding: [{ code: 'social-history' }] }] })),
        { normal: 'removed', full: 'changed' },
      ],
      ['the same again', send(...FIRST.slice(0, 3)), both(null)],
    ],
  ],
  [
    'what names something that becomes private',
    [
      [
        'a first upload',
        send(condition('c', 'Headache'), visit('Check-up', withDiagnosis), result('r1')),
        both('changed'),
      ],
      [
        'the diagnosis becomes private, and the visit is shown without it',
        send(condition('c', 'Alcohol dependence')),
        { normal: 'removed', full: 'changed' },
      ],
      ['its upload is taken out', remove(1), { normal: 'changed', full: 'removed' }],
    ],
  ],
  [
    'what is private from the start, and changes what others show',
    [
      [
        'a visit whose diagnosis is not there',
        send(visit('Check-up', withDiagnosis), result('r1')),
        both('changed'),
      ],
      ['the diagnosis comes and is private', send(condition('c', 'Alcohol dependence')), both('changed')],
      ['it goes', remove(1), { normal: 'changed', full: 'removed' }],
    ],
  ],
  [
    'a place that makes visits private',
    [
      [
        'a first upload',
        send(place('Psychiatric ward'), visit('Check-up', AT_PLACE), result('r1', AT_VISIT), result('r2')),
        both('changed'),
      ],
      ['the place is renamed', send(place('Ward 3')), both('changed')],
      ['and back', send(place('Psychiatric ward')), { normal: 'removed', full: 'changed' }],
      ['the first is taken out', remove(0), { normal: 'removed', full: 'removed' }],
    ],
  ],
  [
    'what a connected server sends',
    [
      ['a first sync', fetchFrom(...FIRST), both('changed')],
      [
        'the visit becomes private',
        fetchFrom(visit('Psychiatry visit')),
        // What is restricted of what a server sends for a test patient takes a consent that names the class.
        { normal: 'removed', full: 'removed' },
      ],
      ['it is a check-up again, with a result', fetchFrom(visit('Check-up'), result('r3')), both('changed')],
    ],
  ],
  [
    'the person above the record',
    [
      ['a first upload', send(result('r1')), both('changed')],
      ['a birth date', correct({ dateOfBirth: '1970-05-06' }), both('changed')],
      ['the same again', correct({ dateOfBirth: '1970-05-06' }), both(null)],
      ['an identifier that nobody reads', correct({ externalId: 'MRN 1' }), both(null)],
      ['another one', correct({ dateOfBirth: '1970-05-07' }), both('changed')],
      [
        'one while an upload that is withheld is labeled, and again when it has been',
        async (stage) => {
          await beginLabeling(stage);
          await correct({ dateOfBirth: '1970-05-08' })(stage);
          await send(DRUG)(stage);
        },
        both(['changed', 'changed']),
      ],
      ['two Patients', send(person('one', '1970-05-06'), person('other', '1970-05-06')), both('changed')],
      ['a Patient more', send(person('third', '1970-05-06'), result('r2')), both('changed')],
      ['they go', remove(2), both('removed')],
      ['one comes again', send(person('one', '1970-05-06')), both('changed')],
      [
        'it becomes private',
        send({ ...person('one', '1970-05-06'), meta: { security: [PSYCHIATRY] } }),
        { normal: 'removed', full: 'changed' },
      ],
    ],
  ],
  [
    'a statement of the patient, and a reading by new rules',
    [
      ['a document that cannot be read', send(SCAN, visit('Check-up'), result('r1')), both('changed')],
      ['it holds nothing private', state(true), { normal: 'changed', full: null }],
      ['that is taken back', state(false), { normal: 'removed', full: null }],
      ['the visit was private', readAnew(-1), { normal: 'changed', full: null }],
      ['nothing is otherwise', readAnew(labelBit('VISITS')), both(null)],
      ['another visit', send(visit('Psychiatry visit')), { normal: 'removed', full: 'changed' }],
      ['it was not private', readAnew(labelBit('VISITS')), { normal: 'removed', full: null }],
    ],
  ],
  [
    'the consent',
    [
      ['a first upload', send(...FIRST), both('changed')],
      ['it is narrowed', share('OPTED_IN', { ...NORMAL, consentDataResourceScopes: ['LABS'] }), both([])],
      ['a change that it leaves out', send(condition('c', 'Gout')), both(null)],
      ['it is broadened', share('OPTED_IN', NORMAL), both([])],
      ['it is withdrawn', share('OPTED_OUT'), both([])],
      ['a change that nobody reads', send(condition('c', 'Gout, mild')), both(null)],
      ['it is given again', share('OPTED_IN', NORMAL), both([])],
    ],
  ],
];

interface WebhookEvent {
  id: string;
  type: string;
  data: { patientId: string; removed?: true };
}

/** A program that keeps a copy as docs/fhir.md ("Keeping a copy") says: it reads because of events, and never otherwise. */
class Mirror {
  readonly resources = new Map<string, string>();
  #since: string | null = null;
  readonly #seen = new Set<string>();
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Acts on what is new among the events; returns what `records.updated` said. */
  async follow(): Promise<Seen[]> {
    const events = await this.#listNewEvents();
    for (const { type, data } of events)
      if (type === 'records.updated' && data.removed === undefined && this.#since !== null)
        await this.#readNew();
      else await this.#readAnew();
    return events
      .filter(({ type }) => type === 'records.updated')
      .map(({ data }) => (data.removed ? 'removed' : 'changed'));
  }

  async #listNewEvents(): Promise<WebhookEvent[]> {
    const { service, admin, patient } = this.#stage;
    const { organizationId } = service.organization;
    const all: WebhookEvent[] = [];
    for (let after = ''; ;) {
      const url = `/v1/organizations/${organizationId}/webhook-events?projectId=${patient.projectId}&limit=1000${after}`;
      const { body } = await call(service, url, { token: admin });
      all.push(...(body.results as WebhookEvent[]));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    const events = all.filter(({ id, data }) => data.patientId === patient.id && !this.#seen.has(id));
    for (const { id } of events) this.#seen.add(id);
    return events;
  }

  async #readAnew(): Promise<void> {
    this.resources.clear();
    const pages = await readRecord(this.#stage);
    this.#since = pages === null ? null : this.#keep(pages);
  }

  async #readNew(): Promise<void> {
    const pages = await readRecord(this.#stage, `_since=${this.#since}`);
    assert.ok(pages);
    this.#since = this.#keep(pages);
    const again = await readRecord(this.#stage, `_since=${this.#since}`);
    assert.deepEqual(again?.flatMap(listEntries), [], 'nothing comes twice');
  }

  #keep(pages: Bundle[]): string {
    for (const [reference, body] of listBodies(pages)) this.resources.set(reference, body);
    return (pages[0] as unknown as { meta: { lastUpdated: string } }).meta.lastUpdated;
  }
}

async function readRecord({ service, admin, patient }: Stage, query = ''): Promise<Bundle[] | null> {
  const { status } = await call(service, `/FHIR/R4/Person/${patient.id}/$everything?_count=0`, {
    token: admin,
  });
  if (status === 403) return null;
  return fetchAllPages(service, { id: patient.id, token: admin }, `_count=3${query && `&${query}`}`);
}

const listBodies = (pages: Bundle[]): [string, string][] =>
  pages
    .flatMap(listEntries)
    .map(({ resource }) => [`${resource.resourceType}/${resource.id}`, JSON.stringify(resource)]);

async function settle({ service, patient }: Stage): Promise<void> {
  for (;;) {
    const [job] = await service.store.db.query(sql`
      select 1 from job where kind = 'relabel' and payload ->> 'patientId' = ${patient.id} limit 1`);
    if (!job) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const engine of JOURNEY_ENGINES)
  describe(`a copy that is kept by events and _since on ${engine}`, () => {
    let service: TestService;
    let admin: string;
    before(async () => {
      service = await startTestService({ engine });
      admin = await getOrganizationToken(service);
    });
    after(() => service.stop());

    for (const [journey, steps] of JOURNEYS)
      for (const [name, scopes] of CONSENTS)
        it(`equals a full read after each step under a ${name} consent: ${journey} (case 580)`, async () => {
          const patient = await newTestPatient(service, { consent: false });
          const stage: Stage = { service, admin, patient, batches: [] };
          await share('OPTED_IN', scopes)(stage);
          const mirror = new Mirror(stage);
          await mirror.follow();
          for (const [step, act, expected] of steps) {
            await act(stage);
            await settle(stage);
            const seen = await mirror.follow();
            const wanted = expected[name];
            assert.deepEqual(
              seen,
              wanted === null ? [] : typeof wanted === 'string' ? [wanted] : wanted,
              step,
            );
            const whole = await readRecord(stage);
            assert.deepEqual(
              Object.fromEntries(mirror.resources),
              Object.fromEntries(listBodies(whole ?? [])),
              step,
            );
          }
        });

    it('gets no name of an upload that is withheld, where it changes what others show (case 581)', async () => {
      const seen: Record<string, unknown>[] = [];
      for (const scopes of [NORMAL, {}]) {
        const patient = await newTestPatient(service, { consent: false });
        const stage: Stage = { service, admin, patient, batches: [] };
        await share('OPTED_IN', scopes)(stage);
        await send(place('Ward 3'), visit('Check-up', AT_PLACE))(stage);
        await send(place('Psychiatric ward'))(stage);
        const events = await service.store.db.query(sql<{ data: string }>`
          select data from webhook_event
          where patient_id = ${patient.id} and type = 'records.updated' order by event_id`);
        const { batchId, source, removed } = JSON.parse(events.at(-1)?.data ?? '{}') as Record<
          string,
          unknown
        >;
        seen.push({ isNamed: batchId === stage.batches[1], batchId: typeof batchId, source, removed });
      }
      assert.deepEqual(seen, [
        { isNamed: false, batchId: 'undefined', source: 'CLASSIFICATION', removed: true },
        { isNamed: true, batchId: 'string', source: 'UPLOAD', removed: undefined },
      ]);
    });
  });
