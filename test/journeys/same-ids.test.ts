import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { PatientId, SourceId } from '../../contract/brands.ts';
import { enqueueBatch } from '../../server/clinical/ingest/batches/enqueue-batch.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { withoutObjectStore } from '../harness/no-objects.ts';
import {
  call,
  callTool,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let patient: TestPatient;
before(async () => void (service = await startTestService()));
beforeEach(async () => void (patient = await newTestPatient(service)));
after(() => service.stop());

const meta = { tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' }] };
const person = (more: object = {}): object => ({ resourceType: 'Patient', id: '1', meta, ...more });
const result = (text: string, value: number, more: object = {}): object => ({
  resourceType: 'Observation',
  id: '1',
  meta,
  status: 'final',
  category: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }],
    },
  ],
  code: { text },
  subject: { reference: 'Patient/1' },
  effectiveDateTime: '2026-01-02',
  valueQuantity: { value, unit: 'mmol/L' },
  ...more,
});
const at = (server: string, resource: object): [string, object] => {
  const { resourceType, id } = resource as { resourceType: string; id: string };
  return [`${server}/${resourceType}/${id}`, resource];
};

// oxlint-disable-next-line typescript/no-explicit-any
const send = async (contents: Record<string, unknown>): Promise<any> =>
  upload(service, patient, await createArchive(contents));

/** As a sync of a connected server does. */
// oxlint-disable-next-line typescript/no-explicit-any
async function fetchFrom(origin: string, ...resources: (object | [string, object])[]): Promise<any> {
  const { store, clock, worker: jobs } = service;
  const file = path.join(store.dataDirectory, `pages-${generateId()}.zip`);
  fs.writeFileSync(file, await createArchive({ 'page-1.json': createBundle(...resources) }));
  const batchId = await enqueueBatch(
    { db: store.db, clock, objects: withoutObjectStore(store.db), jobs },
    { patientId: patient.id as PatientId, file, source: { sourceId: generateId<SourceId>(), origin } },
  );
  return waitForBatch(service, patient, batchId);
}

async function remove(batchId: string): Promise<void> {
  const url = `/v1/patients/${patient.id}/upload-documents/${batchId}`;
  assert.equal((await call(service, url, { method: 'DELETE', token: patient.token })).status, 204);
  await service.worker.drain();
}

/** "Potassium 6.9", in the order in which they came. */
async function listResults(): Promise<string[]> {
  const rows = await service.store.db.query(sql<{ body: string }>`
    select body from resource where patient_id = ${patient.id} and resource_type = 'Observation' order by seq`);
  return rows.map(({ body }) => {
    const { code, valueQuantity } = JSON.parse(body) as {
      code: { text: string };
      valueQuantity: { value: number };
    };
    return `${code.text} ${valueQuantity.value}`;
  });
}

async function readBodies(type: string): Promise<{ id: string; [element: string]: unknown }[]> {
  const rows = await service.store.db.query(sql<{ body: string }>`
    select body from resource where patient_id = ${patient.id} and resource_type = ${type} order by seq`);
  return rows.map(({ body }) => JSON.parse(body) as { id: string });
}

const listNotes = ({ notes }: { notes: { path: string; code: string }[] }): [string, string][] =>
  notes.map(({ path: place, code }) => [place, code]);

const HOSPITAL = 'https://hospital.example/fhir';
const OTHER = 'https://other.example/fhir';

describe('a connected server and another', () => {
  it('do not replace each other’s facts, whatever a page’s fullUrl names', async () => {
    await fetchFrom(OTHER, at(OTHER, result('Troponin', 99)));
    await fetchFrom(
      HOSPITAL,
      at(HOSPITAL, result('Potassium', 4, { id: '2' })),
      at(OTHER, result('Troponin', 1)),
    );
    assert.deepEqual(await listResults(), ['Troponin 99', 'Potassium 4', 'Troponin 1']);
    const again = await fetchFrom(HOSPITAL, at(OTHER, result('Troponin', 1)));
    assert.deepEqual(again.resources, { created: 0, updated: 0, unchanged: 1 });
  });

  it('keep what was stored of one of them under another address before', async () => {
    await fetchFrom(HOSPITAL, at(HOSPITAL, result('Potassium', 4)));
    const inner = 'http://internal:8080/fhir';
    await service.store.db.query(sql`update resource set origin = ${inner} where patient_id = ${patient.id}`);
    const again = await fetchFrom(HOSPITAL, at(inner, result('Potassium', 5)));
    assert.deepEqual(again.resources, { created: 0, updated: 1, unchanged: 0 });
  });
});

describe('an upload that names no server', () => {
  it('does not replace what a connected server sent under the same id, nor does that replace it', async () => {
    const hospital = (value: number): Promise<unknown> =>
      fetchFrom(HOSPITAL, person(), result('Potassium', value));
    await hospital(6.9);
    const batch = await send({ 'clinic.json': result('Sodium', 140) });
    assert.deepEqual([batch.status, batch.resources.created], ['completed', 1]);
    assert.deepEqual(listNotes(batch), [['clinic.json', 'id_in_use']]);
    // The same name says nothing there: its value is the server's to change.
    await send({ 'other.json': result('Potassium', 4) });
    await hospital(7.1);
    assert.deepEqual(await listResults(), ['Potassium 7.1', 'Sodium 140', 'Potassium 4']);
    const text = getToolText(await callTool(service, patient, 'get_labs', { years: 5 }));
    for (const value of ['7.1', '140']) assert.match(text, new RegExp(`\\b${value}\\b`));
    await remove(batch.batchId);
    assert.deepEqual(await listResults(), ['Potassium 7.1', 'Potassium 4']);
  });

  it('does not replace what was uploaded before the server was connected', async () => {
    await send({ 'clinic.json': result('Sodium', 140) });
    await fetchFrom(HOSPITAL, result('Potassium', 6.9));
    assert.deepEqual(await listResults(), ['Sodium 140', 'Potassium 6.9']);
  });

  it('is the same as what the server sends where its text is, or its id is nobody else’s', async () => {
    const uuid = '4b86befa-fa7e-9285-615f-e081dab3f93c';
    const long = result('Glucose', 5, { id: uuid });
    await send({ 'clinic.json': createBundle(result('Sodium', 140), long) });
    const batch = await fetchFrom(HOSPITAL, result('Sodium', 140), { ...long, status: 'amended' });
    assert.deepEqual(batch.resources, { created: 0, updated: 1, unchanged: 1 });
    const later = await send({ 'clinic.json': { ...long, status: 'corrected' } });
    assert.deepEqual(later.resources, { created: 1, updated: 0, unchanged: 0 });
    assert.deepEqual(await listResults(), ['Sodium 140', 'Glucose 5', 'Glucose 5']);
  });
});

describe('two uploads that name no server', () => {
  const buildExport = (text: string, value: number, more: object = {}): Record<string, unknown> => ({
    'export.json': createBundle(person(more), result(text, value)),
  });

  it('are of two systems where one id is of two things: both stay, and references stay with their own', async () => {
    await send(buildExport('Potassium', 6.9));
    const second = await send({
      'clinic-b.json': createBundle(
        person(),
        result('Sodium', 140),
        result('Weight', 70, { id: '2', derivedFrom: [{ reference: 'Observation/1' }] }),
      ),
    });
    assert.deepEqual(second.resources, { created: 2, updated: 0, unchanged: 1 });
    assert.deepEqual(listNotes(second), [['clinic-b.json', 'id_in_use']]);
    assert.deepEqual(await listResults(), ['Potassium 6.9', 'Sodium 140', 'Weight 70']);
    const [potassium, sodium, weight] = await readBodies('Observation');
    assert.equal(potassium?.id, '1');
    assert.match(sodium?.id ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(weight?.['derivedFrom'], [{ reference: `Observation/${sodium?.id}` }]);
    await remove(second.batchId);
    assert.deepEqual(await listResults(), ['Potassium 6.9']);
  });

  it('are distinguished again when a newer export of either comes', async () => {
    await send(buildExport('Potassium', 6.9));
    await send(buildExport('Sodium', 140));
    const newer = await send(buildExport('Sodium', 141));
    assert.deepEqual(
      [newer.status, newer.resources],
      ['completed', { created: 0, updated: 1, unchanged: 1 }],
    );
    assert.deepEqual(newer.notes, []);
    await send(buildExport('Potassium', 5.1));
    assert.deepEqual(await listResults(), ['Potassium 5.1', 'Sodium 141']);
    assert.deepEqual((await send(buildExport('Sodium', 141))).resources, {
      created: 0,
      updated: 0,
      unchanged: 2,
    });
  });

  it('are of one system where nothing contradicts: a later state replaces the earlier one', async () => {
    await send(buildExport('Potassium', 6.9));
    assert.deepEqual((await send(buildExport('Potassium', 4.4))).resources, {
      created: 0,
      updated: 1,
      unchanged: 1,
    });
    assert.deepEqual(await listResults(), ['Potassium 4.4']);
  });

  it('are of one system where most is the same: a code that was corrected is a later state', async () => {
    const conditions = (...texts: string[]): Record<string, unknown> => ({
      'export.json': createBundle(
        ...texts.map((text, index) => ({ resourceType: 'Condition', id: `c${index}`, code: { text } })),
      ),
    });
    await send(conditions('Asthma', 'Gout', 'Migraine'));
    const corrected = await send(conditions('Asthma', 'Gout', 'Cluster headache'));
    assert.deepEqual(corrected.resources, { created: 0, updated: 1, unchanged: 2 });
  });

  it('are of two systems where their Patients have other numbers, and all of their ids with them', async () => {
    const numbered = (value: string): object => ({ identifier: [{ system: 'urn:mrn', value }] });
    await send(buildExport('Potassium', 6.9, numbered('a')));
    const batch = await send({
      'b.json': createBundle(
        { ...person(numbered('b')), id: 'other' },
        result('Potassium', 4, { subject: { reference: 'Patient/other' } }),
      ),
    });
    assert.equal(batch.resources.created, 2);
    assert.deepEqual(await listResults(), ['Potassium 6.9', 'Potassium 4']);
    assert.deepEqual(
      (await readBodies('Observation')).map(({ subject }) => subject),
      [{ reference: 'Patient/1' }, { reference: 'Patient/other' }],
    );
  });

  it('of which one names its server are distinguished likewise', async () => {
    await send({ 'a.json': createBundle(at(OTHER, result('Potassium', 6.9))) });
    await send({ 'b.json': result('Sodium', 140) });
    assert.deepEqual(await listResults(), ['Potassium 6.9', 'Sodium 140']);
    assert.equal(
      (await send({ 'c.json': createBundle(at(OTHER, result('Potassium', 5))) })).resources.updated,
      1,
    );
    assert.equal((await send({ 'd.json': result('Sodium', 139) })).resources.updated, 1);
    assert.deepEqual(await listResults(), ['Potassium 5', 'Sodium 139']);
  });
});

describe('two documents of one upload', () => {
  it('are of two systems where one id is of two things', async () => {
    const clinic = (text: string, value: number): object =>
      createBundle(
        person(),
        result(text, value),
        result('Weight', value, { id: '2', derivedFrom: [{ reference: 'Observation/1' }] }),
      );
    const both = { 'a.json': clinic('Potassium', 6.9), 'b.json': clinic('Sodium', 140) };
    const batch = await send(both);
    assert.deepEqual(
      [batch.status, batch.resources],
      ['completed', { created: 5, updated: 0, unchanged: 0 }],
    );
    assert.deepEqual(listNotes(batch), [['b.json', 'id_in_use']]);
    assert.deepEqual(await listResults(), ['Potassium 6.9', 'Weight 6.9', 'Sodium 140', 'Weight 140']);
    const [potassium, first, sodium, second] = await readBodies('Observation');
    assert.deepEqual(
      [first, second].map((each) => each?.['derivedFrom']),
      [potassium, sodium].map((each) => [{ reference: `Observation/${each?.id}` }]),
    );
    assert.deepEqual((await send(both)).resources, { created: 0, updated: 0, unchanged: 5 });
    assert.deepEqual((await send({ 'b.json': clinic('Sodium', 141) })).resources, {
      created: 0,
      updated: 2,
      unchanged: 1,
    });
  });
});

describe('an older export', () => {
  const version = (value: number, lastUpdated?: string): Record<string, unknown> => ({
    'export.json': result('Potassium', value, { meta: lastUpdated === undefined ? {} : { lastUpdated } }),
  });

  it('that is uploaded later does not replace what was updated later, which is listed', async () => {
    const newer = await send(version(2, '2026-05-01T00:00:00Z'));
    const older = await send(version(1, '2026-01-01T05:00:00+05:00'));
    assert.deepEqual(
      [older.status, older.resources],
      ['completed', { created: 0, updated: 0, unchanged: 0 }],
    );
    assert.deepEqual(listNotes(older), [['export.json', 'older_version']]);
    assert.deepEqual(await listResults(), ['Potassium 2']);
    const newest = await send(version(3, '2026-06-01T00:00:00Z'));
    assert.deepEqual(await listResults(), ['Potassium 3']);
    // What was taken out leaves the newest of the others, not the one that was uploaded last.
    await remove(newest.batchId);
    assert.deepEqual(await listResults(), ['Potassium 2']);
    await remove(newer.batchId);
    assert.deepEqual(await listResults(), ['Potassium 1']);
  });

  it('replaces it where one of them does not say when it was updated, or says a time that has not come', async () => {
    await send(version(2, '2999-05-01T00:00:00Z'));
    assert.equal((await send(version(4, '2026-05-01T00:00:00Z'))).resources.updated, 1);
    assert.equal((await send(version(1))).resources.updated, 1);
    assert.equal((await send(version(3, '2026-01-01T00:00:00Z'))).resources.updated, 1);
    assert.deepEqual(await listResults(), ['Potassium 3']);
  });

  it('of a connected server is what it has now', async () => {
    const fetched = (value: number, lastUpdated: string): object =>
      result('Potassium', value, { meta: { ...meta, lastUpdated } });
    await fetchFrom(HOSPITAL, fetched(2, '2026-05-01T00:00:00Z'));
    await fetchFrom(HOSPITAL, fetched(1, '2026-01-01T00:00:00Z'));
    assert.deepEqual(await listResults(), ['Potassium 1']);
  });
});
