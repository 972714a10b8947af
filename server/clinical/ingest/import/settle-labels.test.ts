import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RestrictedScope } from '../../../../contract/data-categories.ts';
import type { Chart } from '../../../../test/harness/chart.ts';
import { importUploads } from '../../../../test/harness/import-record.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { getVocabulary } from '../../../../test/harness/vocabulary.ts';
import { toLabelMask } from '../../../consent/access/sensitivity-labels.ts';
import { sql } from '../../../platform/db/sql.ts';
import { redactBody, type RedactedRow } from '../../labels/redact.ts';
import { rebuildEntries } from './rebuild-entries.ts';

type Json = Record<string, unknown> & { resourceType: string; id: string };

const identify = (id: string): Json['identifier'] => [{ system: 'urn:i', value: id }];
const label = (code: string): object => ({
  meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code }] },
});
const condition = (id: string, more: object = {}): Json => ({
  resourceType: 'Condition',
  id,
  identifier: identify(id),
  code: { text: 'Gout' },
  ...more,
});
const provenance = (id: string, target: object, ...entities: string[]): Json => ({
  resourceType: 'Provenance',
  id,
  identifier: identify(id),
  target: [target],
  entity: entities.map((reference) => ({ role: 'source', what: { reference } })),
});
const binary = (id: string, text = 'The knee is well.'): Json => ({
  resourceType: 'Binary',
  id,
  contentType: 'text/plain',
  data: Buffer.from(text).toString('base64'),
});
const letter = (id: string, attachment: object, more: object = {}): Json => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  date: '2026-01-05T10:00:00Z',
  type: { text: `Letter ${id}` },
  content: [{ attachment }],
  ...more,
});
const report = (id: string, presented: object, more: object = {}): Json => ({
  resourceType: 'DiagnosticReport',
  id,
  status: 'final',
  effectiveDateTime: '2026-01-05',
  code: { text: `Report ${id}` },
  presentedForm: [presented],
  ...more,
});
const list = (id: string, ...items: string[]): Json => ({
  resourceType: 'List',
  id,
  status: 'current',
  mode: 'working',
  title: `List ${id}`,
  entry: items.map((reference) => ({ item: { reference } })),
});
const visit = (id: string, more: object = {}): Json => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'AMB' },
  period: { start: '2026-01-05' },
  ...more,
});
const reading = (id: string, encounter: string, more: object = {}): Json => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { text: `Reading ${id}` },
  valueString: 'done',
  effectiveDateTime: '2026-01-05',
  encounter: { reference: encounter },
  ...more,
});
const names = (reference: string): object => ({
  extension: [{ url: 'urn:x', valueReference: { reference } }],
});
const inline = (text: string): object => ({
  contentType: 'text/plain',
  data: Buffer.from(text).toString('base64'),
});

const CLASSES = ['HIV_OR_STI', 'MENTAL_HEALTH'] as const satisfies RestrictedScope[];
const MASKS = [0, ...CLASSES.map((each) => toLabelMask([each])), toLabelMask(['ADMINISTRATIVE_AND_BILLING'])];

describe('the labels that resources have because of others', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  /** What is stored of a record, and what is shown of it under a consent that leaves out nothing, or one thing. */
  async function read({ patientId }: Chart): Promise<Record<string, unknown>> {
    const rows = await store.db.query(sql<RedactedRow & { reference: string; body: string }>`
      select resource_type || '/' || fhir_id as reference, body, required_labels, redactions
      from resource join resource_label using (patient_id, seq) where patient_id = ${patientId} order by 1`);
    const entries = await store.db.query(sql<{
      reference: string;
      required_labels: number;
      unless_covered: number[] | null;
      text: string;
    }>`
      select reference, required_labels, unless_covered, title || ' ' || detail::text as text
      from clinical_entry where patient_id = ${patientId} order by reference, text`);
    const showBody = (row: (typeof rows)[number], mask: number): string | null =>
      ((row.required_labels ?? -1) & mask) === 0
        ? redactBody(Buffer.from(row.body), row, [mask]).toString()
        : null;
    const listTexts = (reference: string, mask: number): string[] =>
      entries.flatMap((entry) => {
        const isShown = (entry.required_labels & mask) === 0;
        const hasFuller = entry.unless_covered?.some((labels) => (labels & mask) === 0) ?? false;
        return entry.reference === reference && isShown && !hasFuller ? entry.text : [];
      });
    return Object.fromEntries(
      rows.map((row) => {
        const shown = MASKS.map((mask) => ({
          body: showBody(row, mask),
          texts: listTexts(row.reference, mask),
        }));
        return [row.reference, { labels: row.required_labels, shown }];
      }),
    );
  }

  const rebuild = ({ patientId, deps: { clock } }: Chart, checkpoint?: () => void): Promise<void> =>
    rebuildEntries(
      { db: store.db, clock, extractText: async () => null, getVocabulary },
      { patientId, batchId: null },
      checkpoint,
    );

  /** Asserts that a record is the same in whichever uploads it comes, and when all of it is read anew; returns what it is. */
  async function readInAnyOrder(resources: readonly Json[]): Promise<Record<string, unknown>> {
    const half = Math.ceil(resources.length / 2);
    const [first, second] = [resources.slice(0, half), resources.slice(half)];
    const whole = await importUploads(store.db, resources);
    const expected = await read(whole);
    await rebuild(whole);
    assert.deepEqual(await read(whole), expected, 'read anew');
    for (const uploads of [
      [resources.toReversed()],
      resources.map((each) => [each]),
      resources.toReversed().map((each) => [each]),
      [second, first],
    ]) {
      const record = await importUploads(store.db, ...uploads);
      const order = JSON.stringify(uploads.map((upload) => upload.map(({ id }) => id)));
      assert.deepEqual(await read(record), expected, order);
      await rebuild(record);
      assert.deepEqual(await read(record), expected, `${order}, read anew`);
    }
    return expected;
  }

  /** Lists what has a class. */
  const listLabeled = (record: Record<string, unknown>, name: RestrictedScope): string[] =>
    Object.entries(record as Record<string, { labels: number }>).flatMap(([reference, { labels }]) =>
      (labels & toLabelMask([name])) === 0 ? [] : reference,
    );

  const hiv = condition('hiv', label('HIV'));

  it('case 550: reach the Binary that a Provenance names, and the letters that name it', async () => {
    const record = await readInAnyOrder([
      provenance('p', { reference: 'Condition/hiv' }, 'Binary/b'),
      letter('d', { url: 'Binary/b' }),
      binary('b'),
      hiv,
      condition('gout'),
    ]);
    assert.deepEqual(listLabeled(record, 'HIV_OR_STI'), [
      'Binary/b',
      'Condition/hiv',
      'DocumentReference/d',
      'Provenance/p',
    ]);
  });

  it('case 550: reach the text of a letter, which a manifest of the same category names', async () => {
    const manifest = {
      resourceType: 'DocumentManifest',
      id: 'm',
      status: 'current',
      content: [{ reference: 'List/l' }],
      related: [{ ref: { reference: 'Binary/b' } }],
    };
    const record = await readInAnyOrder([
      manifest,
      letter('d', { url: 'Binary/b' }),
      binary('b'),
      { ...list('l'), ...label('HIV') },
    ]);
    const { shown } = record['DocumentReference/d'] as { shown: { body: string | null; texts: string[] }[] };
    assert.match(shown[0]?.texts.join('') ?? '', /The knee is well/);
    assert.deepEqual(shown[1], { body: null, texts: [] });
  });

  it('case 550: go on through what names a Provenance or its letter, by a reference or an identifier', async () => {
    const record = await readInAnyOrder([
      provenance('p1', { identifier: { system: 'urn:i', value: 'hiv' } }, 'Binary/b1'),
      provenance('p2', { reference: 'DocumentReference/d1' }, 'Binary/b2'),
      provenance('p3', { identifier: { system: 'urn:i', value: 'p2' } }),
      letter('d1', { url: 'Binary/b1' }),
      letter('d2', { url: 'Binary/b2' }),
      binary('b1'),
      binary('b2'),
      hiv,
    ]);
    assert.deepEqual(listLabeled(record, 'HIV_OR_STI'), Object.keys(record));
  });

  it('case 550: go on through a chain of Provenances that is longer than any that systems write', async () => {
    const chain = Array.from({ length: 40 }, (_, index) =>
      provenance(`p${index}`, { reference: index === 0 ? 'Condition/hiv' : `Provenance/p${index - 1}` }),
    );
    const [whole, split] = [[[hiv, ...chain]], [[hiv], chain.toReversed().slice(0, 20), chain.slice(0, 20)]];
    for (const uploads of [whole, split]) {
      const record = await importUploads(store.db, ...uploads);
      const expected = await read(record);
      assert.deepEqual(listLabeled(expected, 'HIV_OR_STI'), Object.keys(expected));
      await rebuild(record);
      assert.deepEqual(await read(record), expected);
    }
  });

  it('case 551: are those by which an earlier list leaves a document out', async () => {
    const record = await readInAnyOrder([
      list('l', 'DocumentReference/d1', 'Condition/gout'),
      letter('d1', { url: 'Binary/b' }),
      binary('b'),
      condition('gout'),
      letter('d2', { url: 'Binary/b' }, label('PSY')),
    ]);
    const { shown } = record['List/l'] as { shown: { body: string | null }[] };
    const { entry } = JSON.parse(shown[2]?.body ?? '') as { entry: unknown };
    assert.deepEqual(entry, [{ item: { reference: 'Condition/gout' } }]);
  });

  it('case 551: are shared by documents and reports of one note, whichever of them came first', async () => {
    const record = await readInAnyOrder([
      letter('d1', inline('The knee.'), label('PSY')),
      report('r1', inline('The knee.')),
      letter('d2', { url: 'Binary/b' }, { context: { related: [{ reference: 'DiagnosticReport/r1' }] } }),
      letter('d3', { url: 'Binary/b' }),
      binary('b'),
      list('l', 'DiagnosticReport/r1', 'DocumentReference/d3'),
    ]);
    assert.deepEqual(listLabeled(record, 'MENTAL_HEALTH'), [
      'Binary/b',
      'DiagnosticReport/r1',
      'DocumentReference/d1',
      'DocumentReference/d2',
      'DocumentReference/d3',
    ]);
  });

  it('case 551: reach what belongs to a visit that names a Binary', async () => {
    const record = await readInAnyOrder([
      visit('e1', names('Binary/b1')),
      visit('e2', { partOf: { reference: 'Encounter/e1' } }),
      reading('o1', 'Encounter/e2', names('Binary/b2')),
      visit('e3', names('Binary/b2')),
      reading('o2', 'Encounter/e3'),
      reading('o3', 'Encounter/e4'),
      visit('e4'),
      binary('b1', 'Patient has depression.'),
      binary('b2'),
    ]);
    assert.deepEqual(listLabeled(record, 'MENTAL_HEALTH'), [
      'Binary/b1',
      'Binary/b2',
      'Encounter/e1',
      'Encounter/e2',
      'Encounter/e3',
      'Observation/o1',
      'Observation/o2',
    ]);
  });

  it('are settled in steps, before each of which the rebuild may be stopped', async () => {
    const chain = ['p1', 'p2', 'p3', 'p4'].map((id, index) =>
      provenance(id, { reference: index === 0 ? 'Condition/hiv' : `Provenance/p${index}` }),
    );
    const countSteps = async (resources: readonly Json[]): Promise<number> => {
      let steps = 0;
      await rebuild(await importUploads(store.db, resources), () => void steps++);
      return steps;
    };
    const steps = await countSteps([...chain, hiv]);
    assert.ok(steps >= (await countSteps([hiv])) + chain.length);
    const record = await importUploads(store.db, [...chain, hiv]);
    const expected = await read(record);
    let left = steps;
    const stopped = rebuild(record, () => {
      if (--left === 0) throw new Error('stopped');
    });
    await assert.rejects(stopped, /stopped/);
    await rebuild(record);
    assert.deepEqual(await read(record), expected);
  });
});
