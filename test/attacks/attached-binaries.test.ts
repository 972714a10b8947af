import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RestrictedScope, type ResourceScope } from '../../contract/data-categories.ts';
import { toLabelMask } from '../../server/consent/access/sensitivity-labels.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { removeBatch } from '../../server/clinical/ingest/batches/remove-batch.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { converters } from '../../documents/converters.ts';
import { extractDocumentText } from '../../documents/document-text.ts';
import { buildCcdaDocument } from '../harness/ccda-document.ts';
import type { Chart } from '../harness/chart.ts';
import { createEmptyRecord, importBatch, importUploads, selectLabels } from '../harness/import-record.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Json = Record<string, unknown>;
type Label = ResourceScope | RestrictedScope;

const encode = (text: string): string => Buffer.from(text).toString('base64');

const letter = (url: string, more: Json = {}): Json => ({
  resourceType: 'DocumentReference',
  id: 'letter',
  status: 'current',
  date: '2025-01-05T10:00:00Z',
  type: { text: 'Discharge letter' },
  content: [{ attachment: { contentType: 'text/plain', url } }],
  ...more,
});
const binary = (text: string, contentType = 'text/plain', more: Json = {}): Json => ({
  resourceType: 'Binary',
  id: 'b1',
  contentType,
  data: encode(text),
  ...more,
});
const report = (code: string): Json => ({
  resourceType: 'DiagnosticReport',
  id: 'report',
  status: 'final',
  effectiveDateTime: '2025-01-05',
  category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code }] }],
  code: { text: 'Culture' },
  presentedForm: [{ url: 'Binary/b1' }],
});
const PSYCHIATRIC = {
  security: [{ code: 'PSY', system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode' }],
};

describe('a note whose text is in a Binary of the record (case 545)', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  /** What the tools say of the record under a consent that leaves these out. */
  async function read(record: Chart, ...withheld: Label[]): Promise<string> {
    const mask = toLabelMask(withheld);
    await store.db.query(sql`update consent set withheld = ${mask} where patient_id = ${record.patientId}`);
    const answers = [
      await record.callTool('get_details', { references: ['DocumentReference/letter'] }),
      await record.callTool('search_clinical_notes', { query: 'knee' }),
      await record.callTool('search', { query: 'knee' }),
      await record.callTool('get_details', { references: ['DiagnosticReport/report'] }),
    ];
    return answers.map((each) => (/well/.test(each) ? 'text' : '-')).join(' ');
  }
  const HAS_TEXT = 'text text text -';
  const HAS_NONE = '- - - -';

  it('has it in every tool, in whichever order both came, by an address of any form', async () => {
    const knee = binary('The knee is well.');
    for (const url of ['Binary/b1', 'Binary/b1/_history/2'])
      for (const uploads of [[[letter(url), knee]], [[letter(url)], [knee]], [[knee], [letter(url)]]])
        assert.equal(await read(await importUploads(store.db, ...uploads)), HAS_TEXT, url);
    const fetched = await createEmptyRecord(store.db);
    const texts = [letter('https://ehr.example/fhir/Binary/b1'), knee].map((each) => JSON.stringify(each));
    await importBatch(store.db, fetched, texts, { origin: 'https://ehr.example/fhir' });
    assert.equal(await read(fetched), HAS_TEXT);
    const elsewhere = await createEmptyRecord(store.db);
    for (const [origin, text] of [
      ['https://ehr.example/fhir', JSON.stringify(knee)],
      ['https://other.example/fhir', JSON.stringify(letter('https://other.example/fhir/Binary/b1'))],
    ] as const)
      await importBatch(store.db, elsewhere, [text], { origin });
    assert.equal(await read(elsewhere), HAS_NONE);
    const html = binary('<html><body><p>The knee is well.</p></body></html>', 'text/html');
    assert.equal(await read(await importUploads(store.db, [letter('Binary/b1'), html])), HAS_TEXT);
  });

  it('has that of a document of another format', async () => {
    const record = await createEmptyRecord(store.db);
    const texts = [letter('Binary/b1'), binary('{\\rtf1 The knee is well.}', 'application/rtf')];
    await importBatch(
      store.db,
      record,
      texts.map((each) => JSON.stringify(each)),
      { extractText: (bytes) => extractDocumentText(converters, bytes) },
    );
    assert.equal(await read(record), HAS_TEXT);
  });

  it('requires the classes of the Binary: of its words and of its labels, whichever came first', async () => {
    const protectedOnes = [
      binary('The knee is well. Patient has depression.'),
      binary('The knee is well.', 'text/plain', { meta: PSYCHIATRIC }),
    ];
    for (const protectedOne of protectedOnes)
      for (const uploads of [
        [[letter('Binary/b1'), protectedOne]],
        [[letter('Binary/b1')], [protectedOne]],
        [[protectedOne], [letter('Binary/b1')]],
        [[letter('Binary/b1'), binary('The knee.')], [protectedOne]],
      ]) {
        const record = await importUploads(store.db, ...uploads);
        assert.equal(await read(record, 'MENTAL_HEALTH'), HAS_NONE);
        assert.equal(await read(record, 'LABS'), HAS_TEXT);
      }
    const freed = await importUploads(
      store.db,
      [letter('Binary/b1'), protectedOnes[0]!],
      [binary('The knee is well.')],
    );
    assert.equal(await read(freed, 'MENTAL_HEALTH'), HAS_TEXT);
  });

  it('has none where the Binary requires more than the note', async () => {
    const both = [letter('Binary/b1'), binary('The knee is well.')];
    const shared = await importUploads(store.db, both, [report('LAB')]);
    assert.equal(await read(shared), HAS_NONE);
    assert.match(
      await shared.callTool('get_details', { references: ['DocumentReference/letter'] }),
      /Its text is in Binary\/b1: get_details reads it/,
    );
    const alone = await importUploads(store.db, [report('LAB'), binary('The knee is well.')]);
    assert.equal(await read(alone, 'CLINICAL_NOTES'), '- text text text');
    assert.equal(await read(alone, 'LABS'), HAS_NONE);
  });

  it('waits for the labels of a new Binary, whatever its own were', async () => {
    const record = await importUploads(
      store.db,
      [letter('Binary/b1')],
      [binary('The knee is well.', 'text/plain', { meta: PSYCHIATRIC })],
    );
    const [row] = await store.db.query(sql<{ published_labels: number }>`
      select published_labels from clinical_entry
      where patient_id = ${record.patientId} and detail ->> 'text' = 'The knee is well.'`);
    assert.equal(row?.published_labels, -1);
  });

  it('is gone at once when the Binary is taken out with its upload', async () => {
    const { db } = store;
    const record = await importUploads(db, [letter('Binary/b1')]);
    const { patientId, deps } = record;
    const batchId = await importBatch(db, record, [JSON.stringify(binary('The knee is well.'))]);
    await db.query(sql`
      insert into upload_batch (patient_id, batch_id, status, received_at, position)
      values (${patientId}, ${batchId}, 'completed', now(), 1)`);
    assert.equal(await read(record), HAS_TEXT);
    const audit = createAuditLog({ db, clock: deps.clock });
    const jobs = { enqueue: async () => {} };
    await removeBatch(
      { db, clock: deps.clock, audit, jobs, emitUpdate: async () => {} },
      { patientId, batchId },
    );
    assert.equal(await read(record), HAS_NONE);
    await rebuildEntries(
      { db, clock: deps.clock, extractText: async () => null, getVocabulary },
      { patientId, batchId: null },
    );
    assert.equal(await read(record), HAS_NONE);
    const details = await record.callTool('get_details', { references: ['DocumentReference/letter'] });
    assert.match(details, /Its text is in Binary\/b1/);
  });

  it('has none where the Binary holds FHIR, which is no note', async () => {
    const condition = { resourceType: 'Condition', code: { text: 'The knee is well' } };
    const record = await importUploads(store.db, [
      letter('Binary/b1'),
      binary(JSON.stringify(condition), 'application/fhir+json'),
    ]);
    assert.equal(await read(record, 'LABS'), HAS_NONE);
    assert.equal(await read(record), HAS_NONE);
  });

  it('has it in the first ten documents that name the Binary, and in each once', async () => {
    const letters = Array.from({ length: 12 }, (_, index) =>
      letter('Binary/b1', {
        id: `letter${index}`,
        content: Array.from({ length: 3 }, () => ({ attachment: { url: 'Binary/b1' } })),
      }),
    );
    const record = await importUploads(store.db, [...letters, binary('The knee is well.')]);
    const [row] = await store.db.query(sql<{ texts: number }>`
      select count(*)::integer as texts from clinical_entry
      where patient_id = ${record.patientId} and detail ->> 'text' = 'The knee is well.'`);
    assert.equal(row?.texts, 10);
  });
});

describe('a C-CDA in a Binary or an attachment, of which a part is restricted (case 556)', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  it('makes whatever holds it restricted as a whole', async () => {
    for (const [code, expected] of [
      ['N', 0],
      ['R', 8],
    ] as const) {
      const label = `<confidentialityCode code="${code}" codeSystem="2.16.840.1.113883.5.25"/>`;
      const document = buildCcdaDocument({
        sections: `<section><code code="10164-2" codeSystem="2.16.840.1.113883.6.1"/><text>Fell.</text>${label}</section>`,
      });
      const record = await createEmptyRecord(store.db);
      const attachment = { contentType: 'application/xml', data: encode(document) };
      const texts = [letter('', { content: [{ attachment }] }), binary(document, 'application/xml')];
      await importBatch(
        store.db,
        record,
        texts.map((each) => JSON.stringify(each)),
        { extractText: (bytes) => extractDocumentText(converters, bytes) },
      );
      for (const { required_labels: mask, reference } of await store.db.query(selectLabels(record))) {
        const classes = RestrictedScope.options.filter((name) => (mask & toLabelMask([name])) !== 0);
        assert.equal(classes.length, expected, `${code} ${reference}`);
      }
    }
  });
});

describe('a Binary that names its security context (case 557)', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  const HIV = { security: [{ code: 'HIV', system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode' }] };
  const scan = (reference: string, text = 'The count was 20.'): Json =>
    binary(text, 'text/plain', { securityContext: { reference } });
  const note = (more: Json = {}): Json => letter('https://ehr.example/files/77', more);

  /** Which of these labels each of the two requires. */
  async function readLabels(record: Chart, references: readonly string[], labels: readonly Label[]) {
    const rows = await store.db.query(selectLabels(record));
    return references.map((reference) => {
      const mask = rows.find((row) => row.reference === reference)?.required_labels ?? 0;
      return labels.filter((label) => (mask & toLabelMask([label])) !== 0).join(' ');
    });
  }

  const orders = (one: Json, other: Json): Json[][][] => [
    [[one, other]],
    [[other, one]],
    [[one], [other]],
    [[other], [one]],
  ];

  it('has its classes and its category, and it those of the Binary, whichever came first', async () => {
    const cases: [Json, Json, string[]][] = [
      [
        note({ meta: HIV }),
        scan('DocumentReference/letter'),
        ['HIV_OR_STI CLINICAL_NOTES', 'HIV_OR_STI CLINICAL_NOTES'],
      ],
      [
        note(),
        scan('DocumentReference/letter/_history/3', 'Takes Biktarvy.'),
        ['HIV_OR_STI CLINICAL_NOTES', 'HIV_OR_STI CLINICAL_NOTES'],
      ],
      [{ ...report('LAB'), presentedForm: [] }, scan('DiagnosticReport/report'), ['LABS', 'LABS']],
      [{ resourceType: 'Patient', id: 'p1', meta: HIV }, scan('Patient/p1'), ['', 'CLINICAL_NOTES']],
    ];
    for (const [context, content, expected] of cases)
      for (const uploads of orders(context, content)) {
        const record = await importUploads(store.db, ...uploads);
        const names = [`${String(context['resourceType'])}/${String(context['id'])}`, 'Binary/b1'];
        const labels: Label[] = ['HIV_OR_STI', 'LABS', 'CLINICAL_NOTES'];
        const found = await readLabels(record, names, labels);
        assert.deepEqual(
          found.slice(expected[0] === '' ? 1 : 0),
          expected.filter((each) => each !== ''),
        );
        const deps = { db: store.db, clock: record.deps.clock, extractText: async () => null, getVocabulary };
        await rebuildEntries(deps, { patientId: record.patientId, batchId: null });
        assert.deepEqual(await readLabels(record, names, labels), found);
      }
  });

  it('is a note again when it names none any more', async () => {
    const record = await importUploads(
      store.db,
      [note({ meta: HIV }), scan('DocumentReference/letter')],
      [binary('The count was 20.')],
    );
    assert.deepEqual(await readLabels(record, ['Binary/b1'], ['HIV_OR_STI']), ['']);
  });
});
