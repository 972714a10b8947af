import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { redactBody, type RedactedRow } from '../../server/clinical/labels/redact.ts';
import { labelBit } from '../../server/consent/access/sensitivity-labels.ts';
import { sql } from '../../server/platform/db/sql.ts';
import type { Chart } from '../harness/chart.ts';
import { importUploads } from '../harness/import-record.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Json = Record<string, unknown>;

const SUBSTANCE_USE = labelBit('SUBSTANCE_USE_OR_DRUG_ABUSE');
const REPRODUCTIVE = labelBit('REPRODUCTIVE_HEALTH_DATA');

const of = (resourceType: string, id: string, more: Json): Json => ({ resourceType, id, ...more });
const order = (id: string, more: Json): Json =>
  of('MedicationRequest', id, { status: 'active', intent: 'order', authoredOn: '2026-01-05', ...more });
const to = (reference: string): Json => ({ reference });

describe('what something is made of, and which thing it is', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  /** What a consent without the labels shows of a record: its resources without the parts that are left out. */
  async function readShown({ patientId }: Chart, withheld: number): Promise<Json> {
    const rows = await store.db.query(sql<RedactedRow & { body: string; fhir_id: string }>`
      select fhir_id, body, required_labels, redactions from resource join resource_label using (patient_id, seq)
      where patient_id = ${patientId} order by fhir_id`);
    const shown = rows.filter((row) => ((row.required_labels ?? -1) & withheld) === 0);
    return Object.fromEntries(
      shown.map((row) => {
        const body = redactBody(Buffer.from(row.body), row, [withheld]).toString();
        return [row.fhir_id, JSON.parse(body) as Json];
      }),
    );
  }

  /** Whatever comes first, and when all is read anew, just these are shown. */
  async function assertShown(
    { things, facts }: { things: Json[]; facts: Json[] },
    withheld: number,
    shown: Json[],
  ): Promise<void> {
    const wanted = Object.fromEntries(shown.map((each) => [String(each['id']), each]));
    for (const uploads of [
      [[...facts, ...things]],
      [[...things, ...facts]],
      [things, facts],
      [facts, things],
      [facts, things.slice(0, 1), things.slice(1)],
      [facts, things.slice(1), things.slice(0, 1)],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      assert.deepEqual(await readShown(record, withheld), wanted);
      await rebuildEntries(
        { db: store.db, clock: record.deps.clock, extractText: async () => null, getVocabulary },
        { patientId: record.patientId, batchId: null },
      );
      assert.deepEqual(await readShown(record, withheld), wanted);
    }
  }

  it('case 559: an order is as sensitive as the ingredients of its medicine, whatever these consist of', async () => {
    const made = (id: string, item: string): Json =>
      of('Medication', id, { code: { text: `Kit ${id}` }, ingredient: [{ itemReference: to(item) }] });
    const harmless = [
      of('Medication', 'water', { code: { text: 'Water' } }),
      made('other', 'Medication/water'),
      order('shown', { medicationReference: to('Medication/other') }),
    ];
    for (const bitter of [
      of('Medication', 'bitter', { code: { text: 'Buprenorphine' } }),
      of('Substance', 'bitter', { code: { text: 'Buprenorphine' } }),
      of('Substance', 'bitter', {
        code: { text: 'Mixture' },
        ingredient: [{ substanceReference: to('Substance/s') }],
      }),
    ]) {
      const things = [
        made('kit', `${String(bitter['resourceType'])}/bitter`),
        bitter,
        made('case', 'Medication/kit'),
        of('Substance', 's', { code: { text: 'Buprenorphine' } }),
      ];
      const contained = [{ ...made('m', `${String(bitter['resourceType'])}/bitter`) }];
      const facts = [
        order('a', { medicationReference: to('Medication/kit') }),
        order('b', { medicationReference: to('Medication/case') }),
        order('c', { medicationReference: to('#m'), contained }),
        ...harmless,
      ];
      await assertShown({ things, facts }, SUBSTANCE_USE, harmless);
    }
  });

  it('case 559: an ingredient that is of no class any more takes it from medicine and order', async () => {
    const kit = of('Medication', 'kit', { ingredient: [{ itemReference: to('Medication/m') }] });
    const facts = [kit, order('a', { medicationReference: to('Medication/kit') })];
    const drug = (text: string): Json => of('Medication', 'm', { code: { text } });
    const record = await importUploads(store.db, [...facts, drug('Buprenorphine')], [drug('Water')]);
    assert.deepEqual(Object.keys(await readShown(record, SUBSTANCE_USE)), ['a', 'kit', 'm']);
  });

  it('case 559: nothing is left of the use, the order or the planned activity of a thing that is withheld', async () => {
    const subject = to('Patient/p');
    const device = (id: string, text: string): Json => of('Device', id, { type: { text } });
    const uses = (id: string): Json[] => [
      of('DeviceUseStatement', `use-${id}`, { status: 'active', subject, device: to(`Device/${id}`) }),
      of('DeviceRequest', `order-${id}`, {
        status: 'active',
        intent: 'order',
        subject,
        codeReference: to(`Device/${id}`),
      }),
    ];
    const inR5 = (id: string): Json =>
      of('DeviceRequest', `r5-${id}`, {
        status: 'active',
        intent: 'order',
        subject,
        code: { reference: to(`Device/${id}`) },
      });
    const activity = (id: string): Json => ({
      detail: { status: 'scheduled', description: 'Once a day', productReference: to(`Medication/${id}`) },
    });
    const plan = (...activities: Json[]): Json =>
      of('CarePlan', 'plan', { status: 'active', intent: 'plan', subject, activity: activities });
    const spiral = device('spiral', 'Levonorgestrel intrauterine system');
    const ring = of('Medication', 'ring', { code: { text: 'Levonorgestrel' } });
    const harmless = [
      device('cane', 'Walking cane'),
      of('Medication', 'water', { code: { text: 'Water' } }),
      ...uses('cane'),
      inR5('cane'),
    ];
    const facts = [...harmless, ...uses('spiral'), inR5('spiral'), plan(activity('ring'), activity('water'))];
    await assertShown({ things: [spiral, ring], facts }, REPRODUCTIVE, [
      ...harmless,
      plan(activity('water')),
    ]);
  });
});
