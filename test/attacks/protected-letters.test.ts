import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RestrictedScope, type ResourceScope } from '../../contract/data-categories.ts';
import {
  labelBit,
  listCategories,
  listWithheldClasses,
} from '../../server/consent/access/sensitivity-labels.ts';
import type { DataMask } from '../../contract/brands.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  listUnreadDocuments,
  stateUnreadDocument,
} from '../../server/clinical/ingest/batches/unread-documents.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { findUnreadOfBatch } from '../../server/clinical/labels/contents.sql.ts';
import { converters } from '../../documents/converters.ts';
import { extractDocumentText } from '../../documents/document-text.ts';
import { createEmptyRecord, importBatch, importUploads, selectLabels } from '../harness/import-record.ts';
import type { Chart } from '../harness/chart.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Json = Record<string, unknown>;
type Needs = (ResourceScope | RestrictedScope)[];

const encode = (text: string): string => Buffer.from(text).toString('base64');
const HIV = encode('The HIV test was positive.');
const PLAIN = encode('The knee is well.');
const DOCX = Buffer.from('504b030414000600', 'hex').toString('base64');

const letter = (url: string, more: Json = {}): Json => ({
  resourceType: 'DocumentReference',
  id: 'letter',
  status: 'current',
  type: { text: 'Letter' },
  content: [{ attachment: { contentType: 'text/plain', url } }],
  ...more,
});
const binary = (data: string, contentType = 'text/plain'): Json => ({
  resourceType: 'Binary',
  id: 'b1',
  contentType,
  data,
});

describe('a protected letter', () => {
  let store: TestStore;
  before(async () => {
    store = await openTestStore('embedded');
  });
  after(() => store.remove());

  /** What each resource requires after the uploads, one after another. */
  const importAndLabel = async (...uploads: Json[][]): Promise<Record<string, Needs>> =>
    readNeeds(await importUploads(store.db, ...uploads));

  async function readNeeds(record: Chart): Promise<Record<string, Needs>> {
    const rows = await store.db.query(selectLabels(record));
    return Object.fromEntries(
      rows.map(({ reference, required_labels: mask }) => [
        reference,
        [...listCategories(mask as DataMask), ...listWithheldClasses(mask as DataMask)],
      ]),
    );
  }

  for (const [name, url] of [
    ['by its id', 'Binary/b1'],
    ['by an address', 'https://ehr.example/fhir/Binary/b1/_history/2'],
  ] as const)
    it(`whose words are a Binary that it names ${name} is protected, and so is the Binary, in any order`, async () => {
      const both = [letter(url), binary(HIV)];
      for (const uploads of [[both], [both.toReversed()], [[both[0]!], [both[1]!]], [[both[1]!], [both[0]!]]])
        assert.deepEqual(await importAndLabel(...uploads), {
          'DocumentReference/letter': ['CLINICAL_NOTES', 'HIV_OR_STI'],
          'Binary/b1': ['CLINICAL_NOTES', 'HIV_OR_STI'],
        });
    });

  it('protects its Binary by its own label', async () => {
    const meta = { security: [{ code: 'PSY', system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode' }] };
    const found = await importAndLabel([binary(PLAIN)], [letter('Binary/b1', { meta })]);
    assert.deepEqual(found['Binary/b1'], ['CLINICAL_NOTES', 'MENTAL_HEALTH']);
  });

  it('that a laboratory report holds requires what the report does, and all that name it', async () => {
    const report = {
      resourceType: 'DiagnosticReport',
      id: 'r',
      category: [{ coding: [{ code: 'LAB' }] }],
      code: { text: 'Culture' },
      presentedForm: [{ url: 'Binary/b1' }],
    };
    assert.deepEqual((await importAndLabel([report, binary(PLAIN)]))['Binary/b1'], ['LABS']);
    assert.deepEqual(await importAndLabel([report, binary(HIV)], [letter('Binary/b1')]), {
      'DiagnosticReport/r': ['LABS', 'HIV_OR_STI'],
      'DocumentReference/letter': ['CLINICAL_NOTES', 'HIV_OR_STI'],
      'Binary/b1': ['LABS', 'CLINICAL_NOTES', 'HIV_OR_STI'],
    });
  });

  it('is no longer protected when a later version of its Binary is harmless', async () => {
    const found = await importAndLabel([letter('Binary/b1'), binary(HIV)], [binary(PLAIN)]);
    assert.deepEqual(found, {
      'DocumentReference/letter': ['CLINICAL_NOTES'],
      'Binary/b1': ['CLINICAL_NOTES'],
    });
  });

  it('that nothing names is a note', async () => {
    assert.deepEqual(await importAndLabel([binary(HIV)]), { 'Binary/b1': ['CLINICAL_NOTES', 'HIV_OR_STI'] });
  });

  it('that cannot be read requires every class, wherever it stands, and the batch lists it', async () => {
    const attachment = { contentType: 'application/msword', data: DOCX };
    const doctype = encode('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><ClinicalDocument/>');
    for (const resource of [
      { resourceType: 'Binary', id: 'x', contentType: 'application/xml', data: doctype },
      { resourceType: 'Binary', id: 'x', contentType: 'application/pdf', data: encode('%PDF-1.7 locked') },
      { resourceType: 'DocumentReference', id: 'x', content: [{ attachment }] },
      { resourceType: 'Communication', id: 'x', payload: [{ contentAttachment: attachment }] },
      { resourceType: 'Media', id: 'x', content: { contentType: 'image/png', data: 'iVBORw0KGgo=' } },
      {
        resourceType: 'QuestionnaireResponse',
        id: 'x',
        item: [{ answer: [{ valueAttachment: attachment }] }],
      },
      { resourceType: 'Encounter', id: 'x', contained: [{ resourceType: 'Binary', id: 'b', ...attachment }] },
      { resourceType: 'Condition', id: 'x', extension: [{ url: 'urn:x', valueAttachment: attachment }] },
      { resourceType: 'Observation', id: 'x', extension: [{ url: 'urn:x', valueBase64Binary: DOCX }] },
      { ...letter(`data:application/zip;base64,${DOCX}`), id: 'x' },
      { resourceType: 'Binary', id: 'x', contentType: 'text/plain', data: 'damaged §' },
      {
        ...letter(`data:text/html,<p>See: <img src="data:image/png;base64,iVBORw0KGgo="></p>`),
        id: 'x',
      },
    ]) {
      const record = await createEmptyRecord(store.db);
      const batchId = await importBatch(store.db, record, [JSON.stringify(resource)]);
      const [row] = await store.db.query(selectLabels(record));
      const classes = listWithheldClasses(row!.required_labels as DataMask);
      assert.deepEqual(classes, RestrictedScope.options, JSON.stringify(resource));
      const unread = await store.db.query(findUnreadOfBatch(record.patientId, batchId, 10));
      assert.deepEqual(
        unread.map(({ reference }) => reference),
        [`${resource.resourceType}/x`],
      );
    }
  });

  it('whose words stand in its document beside the text requires their classes (case 356)', async () => {
    const xml = (inside: string): string =>
      `<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><component><structuredBody><component><section><text>The knee.</text>${inside}</section></component></structuredBody></component></ClinicalDocument>`;
    const value = (attributes: string): string =>
      `<entry><observation><value ${attributes}/></observation></entry>`;
    const note = { contentType: 'text/plain', data: PLAIN };
    const bundle = `<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/><entry><resource><DocumentReference><id value="d"/><status value="current"/><content><attachment><contentType value="${note.contentType}"/><data value="${note.data}"/></attachment></content></DocumentReference></resource></entry><entry><resource><Condition><id value="c"/><code><coding><system value="http://snomed.info/sct"/><code value="86406008"/></coding></code><subject><reference value="Patient/p"/></subject></Condition></resource></entry></Bundle>`;
    const read = async (document: string, contentType: string): Promise<Needs | undefined> => {
      const record = await createEmptyRecord(store.db);
      await importBatch(store.db, record, [JSON.stringify(binary(encode(document), contentType))], {
        extractText: (bytes) => extractDocumentText(converters, bytes),
      });
      return (await readNeeds(record))['Binary/b1'];
    };
    for (const [contentType, document] of [
      ['application/rtf', '{\\rtf1{\\info{\\subject HIV positive}}The knee.}'],
      ['application/rtf', '{\\rtf1 The knee.{\\deleted HIV positive}}'],
      ['application/rtf', '{\\rtf1 The knee.{\\*\\comment H\\b IV\\b0  positive}}'],
      ['application/rtf', '{\\rtf1 The knee.} HIV positive'],
      ['application/xml', xml('<!-- HIV positive -->')],
      ['application/xml', xml(value('displayName="&#72;IV positive"'))],
      ['application/xml', xml(value('code="86406008" codeSystem="2.16.840.1.113883.6.96"'))],
    ] as const) {
      assert.deepEqual(await read(document, contentType), ['CLINICAL_NOTES', 'HIV_OR_STI'], document);
    }
    // A resource inside adds its category as well.
    assert.deepEqual(await read(bundle, 'application/xml'), ['DIAGNOSES', 'CLINICAL_NOTES', 'HIV_OR_STI']);
    const plain = ['{\\rtf1{\\info{\\subject A knee}}The knee.}', xml(value('displayName="Knee"'))];
    for (const document of plain)
      assert.deepEqual(await read(document, 'application/octet-stream'), ['CLINICAL_NOTES'], document);
  });

  it('that cannot be read and is a Binary of its own makes what names it require every class', async () => {
    const found = await importAndLabel([letter('Binary/b1')], [binary(DOCX, 'application/msword')]);
    assert.deepEqual(found['DocumentReference/letter'], ['CLINICAL_NOTES', ...RestrictedScope.options]);
    assert.deepEqual(found['Binary/b1'], ['CLINICAL_NOTES', ...RestrictedScope.options]);
  });

  it('of which the patient states that it holds nothing very private is shared, until they take that back', async () => {
    const record = await createEmptyRecord(store.db);
    const { db } = store;
    const { patientId, deps } = record;
    const texts = [letter('Binary/b1'), binary(DOCX, 'application/msword')].map((each) =>
      JSON.stringify(each),
    );
    await importBatch(db, record, texts);
    const { total, results } = await listUnreadDocuments(db, patientId);
    const [document] = results;
    assert.deepEqual([total, document?.path, document?.statedAt], [1, 'record.json', null]);
    const jobs: unknown[] = [];
    // One log, so that entries of one moment stand in their order.
    const audit = createAuditLog({ db, clock: deps.clock });
    const state = (digest: string, nothingPrivate: boolean): Promise<void> =>
      stateUnreadDocument(
        {
          db,
          clock: deps.clock,
          audit,
          jobs: { enqueue: async (_tx, job) => void jobs.push(job) },
          emitUpdate: async () => {},
        },
        { patientId, digest, nothingPrivate },
      );
    const findLabels = async (): Promise<number[]> =>
      (await db.query(selectLabels(record))).map((row) => row.required_labels);
    const rebuild = (): Promise<void> =>
      rebuildEntries(
        { db, clock: deps.clock, extractText: async () => null, getVocabulary },
        { patientId, batchId: null },
      );

    await state(document!.digest, true);
    await state(document!.digest, true);
    assert.equal(jobs.length, 1, 'a statement that changes nothing does nothing');
    await rebuild();
    const notes = labelBit('CLINICAL_NOTES');
    assert.deepEqual(await findLabels(), [notes, notes]);
    assert.notEqual((await listUnreadDocuments(db, patientId)).results[0]?.statedAt, null);

    await state(document!.digest, false);
    assert.deepEqual(await findLabels(), [], 'hidden at once, from the letter that names it too');
    await rebuild();
    assert.ok((await findLabels()).every((labels) => listWithheldClasses(labels as DataMask).length === 8));
    const actions = await db.query(sql<{ action: string }>`
      select action from audit_entry where patient_id = ${patientId} order by at, entry_id`);
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['document.stated_harmless', 'document.statement_withdrawn'],
    );
    await assert.rejects(state('0'.repeat(32), true), { code: 'not_found' });
  });

  it('of which nothing is held, or only a photograph of somebody, withholds nothing', async () => {
    const photo = [{ contentType: 'image/png', data: 'iVBORw0KGgo=' }];
    assert.deepEqual(
      await importAndLabel([
        letter('https://elsewhere.example/letter.pdf'),
        { resourceType: 'Patient', id: 'p', photo },
      ]),
      { 'DocumentReference/letter': ['CLINICAL_NOTES'], 'Patient/p': ['DEMOGRAPHICS'] },
    );
  });

  it('is read in every type of resource, in the URL itself, as JSON, and within the comments of HTML', async () => {
    const attachment = { contentType: 'text/plain', data: HIV };
    const json = encode('{"resourceType":"Condition","code":{"coding":[{"code":"B20"}]}}');
    for (const resource of [
      { resourceType: 'Communication', id: 'x', payload: [{ contentAttachment: attachment }] },
      { resourceType: 'Consent', id: 'x', sourceAttachment: attachment },
      { resourceType: 'Task', id: 'x', output: [{ valueAttachment: attachment }] },
      { resourceType: 'Task', id: 'x', output: [{ valueBase64Binary: HIV }] },
      { ...letter('data:,HIV%20positive'), id: 'x' },
      { ...letter(`data:;base64,${HIV}`), id: 'x' },
      { resourceType: 'Binary', id: 'x', contentType: 'application/fhir+json', data: json },
      { ...binary(encode('<html><body><!-- HIV --><p>well</p></body></html>'), 'text/html'), id: 'x' },
    ])
      assert.ok(
        (await importAndLabel([resource]))[`${resource.resourceType}/x`]?.includes('HIV_OR_STI'),
        JSON.stringify(resource),
      );
  });

  it('inside of a resource adds the category of what it is', async () => {
    const contain = (...contained: Json[]): Json => ({ resourceType: 'Encounter', id: 'e', contained });
    const needs = async (...contained: Json[]): Promise<Needs> =>
      (await importAndLabel([contain(...contained)]))['Encounter/e'] ?? [];
    assert.deepEqual(await needs({ resourceType: 'Condition', code: { text: 'Gout' } }), [
      'DIAGNOSES',
      'VISITS',
    ]);
    assert.deepEqual(await needs({ resourceType: 'Patient', telecom: [{ value: '555' }] }), [
      'CONTACT_INFO',
      'DEMOGRAPHICS',
      'VISITS',
    ]);
    assert.deepEqual(await needs({ resourceType: 'Practitioner', name: [{ text: 'Dr. Ito' }] }), ['VISITS']);
  });
});
