import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle, craftArchive } from '../harness/archive.ts';
import {
  call,
  callTool,
  newTestPatient,
  getOrganizationToken,
  generateRecordArchive,
  startTestService,
  getToolText,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let patient: TestPatient;
before(async () => void (service = await startTestService()));
beforeEach(async () => void (patient = await newTestPatient(service)));
after(() => service.stop());

interface StoredResource {
  name: string;
  // Tests look into resources of every type.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  text: string;
  updated: string;
}

/** The patient's resources by `Type/id`. */
async function readRecord(): Promise<Record<string, StoredResource>> {
  const rows = await service.store.db.query(sql<{ name: string; text: string; updated: string }>`
    select resource_type || '/' || fhir_id as name, body as text, last_updated::text as updated
    from resource where patient_id = ${patient.id} order by seq`);
  return Object.fromEntries(rows.map((row) => [row.name, { ...row, body: JSON.parse(row.text) }]));
}

// oxlint-disable-next-line typescript/no-explicit-any
const send = async (contents: Record<string, unknown>): Promise<any> =>
  upload(service, patient, await createArchive(contents));

const encounter = (id: string, more: object = {}): object => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'AMB' },
  ...more,
});
const condition = (more: object): object => ({
  resourceType: 'Condition',
  id: 'c',
  code: { text: 'Asthma' },
  ...more,
});
const uuid = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

describe('members of an archive', () => {
  it('of kinds that are not read are kept as documents and reported', async () => {
    const scan = Buffer.from('\x89PNG\r\n\x1a\n a scan', 'latin1');
    const batch = await send({ 'scan.png': scan, 'a.json': encounter('a') });
    assert.equal(batch.status, 'completed_with_errors');
    assert.deepEqual(batch.documents, { total: 2, processed: 1, rejected: 1 });
    assert.deepEqual(
      batch.rejected.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['scan.png', 'unsupported_kind']],
    );
    const kept = await service.store.db.query(sql<{ path: string; size: number; bytes: Buffer }>`
      select d.path, d.size, b.bytes from document d
      join blob_chunk b on b.patient_id = d.patient_id and b.blob_id = d.document_id where d.patient_id = ${patient.id}`);
    assert.deepEqual(
      kept.map(({ path, size, bytes }) => [path, size, String(bytes)]),
      [['scan.png', scan.length, String(scan)]],
    );
  });

  it('that ask for a deletion are noted, and delete nothing', async () => {
    await send({ 'a.json': createBundle(encounter('a'), condition({})) });
    const entry = [
      { request: { method: 'DELETE', url: 'Encounter/a' } },
      { resource: encounter('b'), request: { method: 'PUT', url: 'Encounter/b' } },
    ];
    const batch = await send({ 'b.json': { resourceType: 'Bundle', type: 'transaction', entry } });
    assert.equal(batch.status, 'completed');
    assert.deepEqual(
      batch.notes.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['b.json#entry[0]', 'deletion_not_applied']],
    );
    assert.deepEqual(Object.keys(await readRecord()), ['Encounter/a', 'Condition/c', 'Encounter/b']);
  });

  it('that are damaged, empty, no FHIR or unsafe never cost the others', async () => {
    const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
    const batch = await upload(
      service,
      patient,
      craftArchive(
        { name: 'first.json', content: json(encounter('first')) },
        {
          name: 'flipped.json',
          content: json(encounter('flipped', { text: { div: 'x'.repeat(500) } })),
          flip: 40,
        },
        { name: 'broken.json', content: Buffer.from('{"resourceType": "Encounter", ') },
        { name: 'empty.json', content: Buffer.alloc(0) },
        { name: 'other.json', content: json({ name: 'no resource' }) },
        { name: '../outside.json', content: json(encounter('outside')) },
        {
          name: 'mixed.json',
          content: json(createBundle(encounter('good'), { id: 'no-type' }, encounter('better'))),
        },
        { name: 'last.json', content: json(encounter('last')) },
      ),
    );
    assert.equal(batch.status, 'completed_with_errors');
    assert.deepEqual(Object.keys(await readRecord()), [
      'Encounter/first',
      'Encounter/good',
      'Encounter/better',
      'Encounter/last',
    ]);
    const paths = batch.rejected.map(({ path }: { path: string }) => path);
    for (const name of [
      'flipped.json',
      'broken.json',
      'empty.json',
      'other.json',
      'outside.json',
      'mixed.json',
    ]) {
      assert.ok(
        paths.some((path: string) => path.includes(name)),
        `${name} in ${paths}`,
      );
    }
    assert.equal(batch.documents.total, 8);
    for (const { message } of batch.rejected) assert.match(message, /^[A-Z].*\.$/);
  });
});

describe('what is uploaded again', () => {
  it('is unchanged, to the last: nothing is written and no lastUpdated moves', async () => {
    const archive = await generateRecordArchive({ years: 1 });
    const first = await upload(service, patient, archive);
    const before = await readRecord();
    const second = await upload(service, patient, archive);
    assert.deepEqual(second.resources, { created: 0, updated: 0, unchanged: first.resources.created });
    assert.deepEqual(await readRecord(), before);
  });

  it('and has changed is updated alone, and only its lastUpdated moves', async () => {
    await send({ 'a.json': encounter('a'), 'b.json': encounter('b') });
    const before = await readRecord();
    service.clock.advance(60_000);
    const batch = await send({
      'a.json': encounter('a'),
      'b.json': encounter('b', { status: 'in-progress' }),
    });
    assert.deepEqual(batch.resources, { created: 0, updated: 1, unchanged: 1 });
    const now = await readRecord();
    assert.equal(now['Encounter/a']?.updated, before['Encounter/a']?.updated);
    assert.notEqual(now['Encounter/b']?.updated, before['Encounter/b']?.updated);
    assert.equal(now['Encounter/b']?.body.status, 'in-progress');
  });

  it('with references is recognized in another spelling', async () => {
    const bundle = createBundle(
      [`urn:uuid:${uuid('a')}`, encounter('e')],
      condition({ encounter: { reference: `urn:uuid:${uuid('a')}` } }),
    );
    await send({ 'a.json': bundle });
    assert.deepEqual((await send({ 'a.json': JSON.stringify(bundle, null, 3) })).resources, {
      created: 0,
      updated: 0,
      unchanged: 2,
    });
  });

  it('without ids is recognized', async () => {
    const { id: _, ...nameless } = condition({}) as { id: string };
    await send({ 'a.json': nameless });
    assert.deepEqual((await send({ 'a.json': nameless })).resources, {
      created: 0,
      updated: 0,
      unchanged: 1,
    });
  });

  it('under another name in the archive is the same', async () => {
    await send({ 'a.json': encounter('a') });
    assert.deepEqual((await send({ 'folder/b.json': encounter('a') })).resources, {
      created: 0,
      updated: 0,
      unchanged: 1,
    });
  });
});

describe('ids', () => {
  it('that are free are kept', async () => {
    await send({ 'a.json': createBundle(encounter('visit.7-A'), encounter('1')) });
    assert.deepEqual(Object.keys(await readRecord()), ['Encounter/visit.7-A', 'Encounter/1']);
  });

  it('that two servers gave to different resources stay two, each with its own references', async () => {
    const from = (server: string): object =>
      createBundle(
        [`https://${server}.example/fhir/Encounter/1`, encounter('1', { serviceType: { text: server } })],
        [
          `https://${server}.example/fhir/Condition/9`,
          { ...condition({ encounter: { reference: 'Encounter/1' } }), id: '9' },
        ],
      );
    await send({ 'a.json': from('north') });
    await send({ 'b.json': from('south') });
    const stored = Object.values(await readRecord());
    assert.deepEqual(
      stored.map(({ name }) => name.split('/')[0]),
      ['Encounter', 'Condition', 'Encounter', 'Condition'],
    );
    const [north, northern, south, southern] = stored;
    assert.notEqual(north?.name, south?.name);
    assert.equal(northern?.body.encounter.reference, north?.name);
    assert.equal(southern?.body.encounter.reference, south?.name);
    assert.deepEqual((await send({ 'b.json': from('south') })).resources, {
      created: 0,
      updated: 0,
      unchanged: 2,
    });
  });

  it('that occur twice in one archive: the same content once, other content the one last updated, the other reported', async () => {
    const version = (status: string, lastUpdated: string): object =>
      encounter('a', { status, meta: { lastUpdated } });
    const batch = await send({
      'same.json': createBundle(encounter('s'), encounter('s')),
      'newer.json': version('finished', '2026-02-01T00:00:00Z'),
      'older.json': version('planned', '2026-01-01T00:00:00Z'),
    });
    assert.equal(batch.resources.created, 2);
    assert.equal((await readRecord())['Encounter/a']?.body.status, 'finished');
    assert.deepEqual(
      batch.rejected.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['older.json', 'duplicate_id']],
    );
  });

  it('that occur twice in other spellings are one resource, stored in the first', async () => {
    const spelled =
      '{ "status": "finished", "id": "a",\n "resourceType": "Encounter", "class": {"code": "\\u0041MB"} }';
    const plain = '{"resourceType":"Encounter","id":"a","status":"finished","class":{"code":"AMB"}}';
    const other = encounter('b', { status: 'planned' });
    const contents = { 'a.json': spelled, 'b.json': plain, 'c.json': other, 'd.json': encounter('b') };
    const batch = await send(contents);
    assert.equal(batch.resources.created, 2);
    assert.deepEqual(
      batch.rejected.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['c.json', 'duplicate_id']],
    );
    const before = (await readRecord())['Encounter/a'];
    for (const text of [plain, spelled])
      assert.deepEqual((await send({ 'a.json': text })).resources, { created: 0, updated: 0, unchanged: 1 });
    assert.deepEqual((await readRecord())['Encounter/a'], before);
    const digits = plain.replace('"AMB"', '"AMB","extension":[{"url":"u","valueDecimal":1.0}]');
    await send({ 'a.json': digits });
    assert.equal((await send({ 'a.json': digits.replace('1.0', '1.00') })).resources.updated, 1);
  });

  it('that are numbers are written as text, and references to them hold', async () => {
    await send({
      'a.json': createBundle(
        { ...encounter('x'), id: 5 },
        condition({ encounter: { reference: 'Encounter/5' } }),
      ),
    });
    const record = await readRecord();
    assert.equal(record['Encounter/5']?.body.id, '5');
    assert.equal(record['Condition/c']?.body.encounter.reference, 'Encounter/5');
  });

  it('that FHIR does not allow are replaced, and references to them follow', async () => {
    await send({
      'a.json': createBundle(
        [`urn:uuid:${uuid('a')}`, encounter('not/allowed!')],
        condition({ encounter: { reference: `urn:uuid:${uuid('a')}` } }),
      ),
    });
    const [visit] = Object.keys(await readRecord());
    assert.match(visit ?? '', /^Encounter\/[0-9a-f-]{36}$/);
    assert.equal((await readRecord())['Condition/c']?.body.encounter.reference, visit);
  });
});

describe('references', () => {
  const cases: [string, reference: string, target: [fullUrl: string, resource: object]][] = [
    ['by urn:uuid', `urn:uuid:${uuid('b')}`, [`urn:uuid:${uuid('b')}`, encounter('e')]],
    ['relative', 'Encounter/e', [`urn:uuid:${uuid('b')}`, encounter('e')]],
    [
      'absolute',
      'https://ehr.example/fhir/Encounter/e',
      ['https://ehr.example/fhir/Encounter/e', encounter('e')],
    ],
    ['to a version', 'Encounter/e/_history/3', [`urn:uuid:${uuid('b')}`, encounter('e')]],
    [
      'absolute to a version',
      'https://ehr.example/fhir/Encounter/e/_history/3',
      ['https://ehr.example/fhir/Encounter/e', encounter('e')],
    ],
  ];
  for (const [form, reference, target] of cases) {
    it(`${form} lead to their target's id in the record`, async () => {
      await send({
        'a.json': createBundle(condition({ encounter: { reference, display: 'the visit' } }), target),
      });
      assert.deepEqual((await readRecord())['Condition/c']?.body.encounter, {
        reference: 'Encounter/e',
        display: 'the visit',
      });
    });
  }

  it('by identifier lead to whom it names', async () => {
    const doctor = {
      resourceType: 'Practitioner',
      id: 'd',
      identifier: [{ system: 'http://npi.example', value: '99' }],
    };
    for (const reference of [
      'Practitioner?identifier=http://npi.example|99',
      'Practitioner?identifier=http%3A%2F%2Fnpi.example%7C99',
    ]) {
      await send({ 'a.json': createBundle(doctor, condition({ id: 'c', recorder: { reference } })) });
      assert.equal((await readRecord())['Condition/c']?.body.recorder.reference, 'Practitioner/d');
    }
  });

  it('by identifier lead to what they name of any type, in either order, in one upload or two', async () => {
    const identifier = [{ system: 'urn:v', value: 'V1' }];
    const visit = encounter('e', { identifier });
    const facts = [
      condition({ encounter: { reference: 'Encounter?identifier=urn:v|V1' } }),
      condition({ id: 'd', encounter: { reference: 'Encounter?identifier=urn%3Av%7CV1' } }),
    ];
    for (const contents of [
      [createBundle(...facts, visit)],
      [createBundle(visit, ...facts)],
      [visit, createBundle(...facts)],
      [createBundle(...facts), visit],
    ]) {
      patient = await newTestPatient(service);
      for (const content of contents) await send({ 'a.json': content });
      const record = await readRecord();
      for (const id of ['c', 'd'])
        assert.equal(record[`Condition/${id}`]?.body.encounter.reference, 'Encounter/e');
    }
  });

  it('by identifier stay as they are where several have it, or none of the type', async () => {
    const identifier = [{ system: 'urn:v', value: 'V1' }];
    const reference = 'Encounter?identifier=urn:v|V1';
    const fact = condition({ encounter: { reference } });
    const other = condition({ id: 'other', identifier });
    await send({
      'a.json': createBundle(fact, other, encounter('e', { identifier }), encounter('f', { identifier })),
    });
    assert.equal((await readRecord())['Condition/c']?.body.encounter.reference, reference);
  });

  it('to contained resources, to what is nowhere and inside texts stay as they were written', async () => {
    const stays = condition({
      contained: [{ resourceType: 'Practitioner', id: 'inner' }],
      recorder: { reference: '#inner' },
      asserter: { reference: 'Practitioner/nobody' },
      encounter: { reference: 'https://elsewhere.example/fhir/Encounter/nowhere?x=1' },
      note: [{ text: '"reference": "Encounter/e" and urn:uuid:x' }],
    });
    await send({ 'a.json': createBundle(stays, encounter('e')) });
    assert.deepEqual((await readRecord())['Condition/c']?.body, stays);
  });

  it('whose target comes in a later archive lead there from then on, and lastUpdated moves', async () => {
    const reference = `urn:uuid:${uuid('d')}`;
    await send({
      'a.json': condition({
        encounter: { reference },
        asserter: { reference: 'Practitioner?identifier=npi|7' },
      }),
    });
    const before = (await readRecord())['Condition/c'];
    assert.equal(before?.body.encounter.reference, reference);
    service.clock.advance(60_000);
    const doctor = {
      resourceType: 'Practitioner',
      id: 'd',
      identifier: [{ system: 'npi', value: '7' }],
      name: [{ text: 'Dr. Late' }],
    };
    const batch = await send({ 'b.json': createBundle([reference, encounter('e')], doctor) });
    assert.deepEqual(batch.resources, { created: 2, updated: 1, unchanged: 0 });
    const after = (await readRecord())['Condition/c'];
    assert.deepEqual(
      [after?.body.encounter.reference, after?.body.asserter.reference],
      ['Encounter/e', 'Practitioner/d'],
    );
    assert.notEqual(after?.updated, before.updated);
  });

  it('between files of one archive lead forwards and back', async () => {
    await send({
      'a.json': condition({ encounter: { reference: 'Encounter/e' } }),
      'e.json': createBundle([
        `urn:uuid:${uuid('e')}`,
        encounter('e', { diagnosis: [{ condition: { reference: 'Condition/c' } }] }),
      ]),
      'z.json': { ...condition({ encounter: { reference: `urn:uuid:${uuid('e')}` } }), id: 'z' },
    });
    const stored = await readRecord();
    assert.equal(stored['Condition/z']?.body.encounter.reference, 'Encounter/e');
    assert.equal(stored['Encounter/e']?.body.diagnosis[0].condition.reference, 'Condition/c');
  });
});

describe('a stored body', () => {
  it('keeps its numbers’ digits, its white space and the order of its elements', async () => {
    const text = `{ "resourceType":"Observation",  "id":"o","status":"final","valueQuantity":{"value":1.00,"unit":"mg"},
      "referenceRange":[{"low":{"value":0.10E+1},"high":{"value":12345678901234567890.10}}], "code":{"text":"ünï \\u00e9"} }`;
    await send({ 'a.json': text });
    assert.equal((await readRecord())['Observation/o']?.text, text);
  });

  it('differs from what came in nothing but ids and references that had to change', async () => {
    const text = `{"resourceType":"Condition","id":"c", "encounter" : { "reference" : "urn:uuid:${uuid('f')}" },"onsetAge":{"value":7.50}}`;
    await send({
      'a.json': `{"resourceType":"Bundle","type":"collection","entry":[{"resource":${text}},{"fullUrl":"urn:uuid:${uuid('f')}","resource":${JSON.stringify(encounter('e'))}}]}`,
    });
    assert.equal(
      (await readRecord())['Condition/c']?.text,
      text.replace(`urn:uuid:${uuid('f')}`, 'Encounter/e'),
    );
  });
});

describe('uploads at the same time', () => {
  it('of one patient are read one after another, and none is lost', async () => {
    const archives = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        createArchive({
          [`${name}.json`]: createBundle(
            encounter(name),
            encounter('shared'),
            condition({ encounter: { reference: 'Encounter/shared' } }),
          ),
        }),
      ),
    );
    const batches = await Promise.all(archives.map((archive) => upload(service, patient, archive)));
    assert.deepEqual(
      batches.map(({ status }) => status),
      ['completed', 'completed', 'completed'],
    );
    const sum = (name: string): number =>
      batches.reduce((so, batch) => so + (batch.resources[name] as number), 0);
    assert.deepEqual([sum('created'), sum('updated'), sum('unchanged')], [5, 0, 4]);
    assert.equal(Object.keys(await readRecord()).length, 5);
  });

  it('of different patients do not mix', async () => {
    const others = await Promise.all([newTestPatient(service), newTestPatient(service)]);
    const archives = await Promise.all(
      ['x', 'y'].map((name) =>
        createArchive({ 'a.json': { ...condition({ code: { text: `Illness ${name}` } }), id: 'same' } }),
      ),
    );
    await Promise.all(others.map((other, index) => upload(service, other, archives[index] as Buffer)));
    const texts = await Promise.all(
      others.map(async (other) => getToolText(await callTool(service, other, 'get_conditions'))),
    );
    assert.match(texts[0] ?? '', /Illness x/);
    assert.match(texts[1] ?? '', /Illness y/);
    assert.doesNotMatch(texts[0] ?? '', /Illness y/);
  });
});

describe('deleting the patient while their upload is read', () => {
  it('leaves nothing of theirs in any table, and the worker goes on', async () => {
    const archive = await createArchive({
      'a.json': createBundle(...Array.from({ length: 3000 }, (_, index) => encounter(`e${index}`))),
    });
    const form = new FormData();
    form.append('file', new Blob([archive]), 'a.zip');
    const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
      token: patient.token,
      body: form,
    });
    const rows = () =>
      service.store.db.query(
        sql<{ count: number }>`select count(*) as count from resource where patient_id = ${patient.id}`,
      );
    while (Number((await rows())[0]?.count) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const admin = await getOrganizationToken(service);
    const gone = await call(
      service,
      `/v1/organizations/${service.organization.organizationId}/test-patients/${patient.id}`,
      { method: 'DELETE', token: admin },
    );
    assert.equal(gone.status, 204);
    assert.equal(
      (
        await call(service, `/v1/patients/${patient.id}/upload-documents/${body.batchId}`, {
          token: patient.token,
        })
      ).status,
      401,
    );
    const next = await newTestPatient(service);
    assert.equal(
      (await upload(service, next, await createArchive({ 'a.json': encounter('a') }))).status,
      'completed',
    );
    while ((await service.store.db.query(sql`select 1 from job where kind = 'upload'`)).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (const table of [
      'resource',
      'clinical_entry',
      'passage',
      'passage_use',
      'resource_identifier',
      'open_reference',
      'upload_batch',
      'upload_rejection',
      'blob_chunk',
      'document',
      'record_head',
    ]) {
      const left = await service.store.db.query({
        text: `select 1 from ${table} where patient_id = $1 limit 1`,
        values: [patient.id],
      });
      assert.deepEqual(left, [], table);
    }
  });
});

describe('a date that is written otherwise than FHIR does', () => {
  const result = (id: string, effectiveDateTime: string): object => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    category: [{ coding: [{ code: 'laboratory' }] }],
    code: { text: 'Glucose' },
    effectiveDateTime,
    valueQuantity: { value: 5, unit: 'mmol/L' },
  });

  it('is read where it can mean one day alone, else shown as it is written, and the batch says so', async () => {
    const sure = createBundle(result('a', '20260308'), result('b', '2026-3-7'));
    const unsure = createBundle(
      result('c', '03/09/2026'),
      result('d', '2026-02-30'),
      result('e', '2026-03-01'),
    );
    const batch = await send({ 'sure.json': sure, 'unsure.json': unsure });
    assert.deepEqual([batch.status, batch.resources.created], ['completed_with_errors', 5]);
    assert.deepEqual(batch.documents, { total: 2, processed: 2, rejected: 0 });
    assert.deepEqual(
      batch.rejected.map(({ path, code, message }: Record<string, string>) => [
        path,
        code,
        message?.slice(0, 23),
      ]),
      [['unsure.json', 'dates_not_read', '2 entries have dates th']],
    );
    const labs = getToolText(await callTool(service, patient, 'get_labs', { years: 20 }));
    for (const shown of [
      /2026-03-08/,
      /2026-03-07/,
      /date as written: 03\/09\/2026/,
      /date as written: 2026-02-30/,
    ])
      assert.match(labs, shown);
    const before = getToolText(
      await callTool(service, patient, 'get_labs', { years: 1, beforeDate: '2026-03-08' }),
    );
    assert.match(before, /2026-03-07/);
    assert.doesNotMatch(before, /2026-03-08 \|/);
    const details = getToolText(
      await callTool(service, patient, 'get_details', { references: ['Observation/c'] }),
    );
    assert.match(details, /03\/09\/2026/);
  });

  it('is shown as a C-CDA document writes it, and the batch says so', async () => {
    const section = (
      time: string,
    ): string => `<section xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <code code="30954-2" codeSystem="2.16.840.1.113883.6.1"/><entry><observation classCode="OBS" moodCode="EVN">
      <id root="1.2.3" extension="${time}"/><code code="2823-3" codeSystem="2.16.840.1.113883.6.1" displayName="Potassium"/>
      <statusCode code="completed"/><effectiveTime value="${time}"/><value xsi:type="PQ" value="4.1" unit="mmol/L"/>
      </observation></entry></section>`;
    const batch = await send({ 'sure.xml': section('20260310'), 'unsure.xml': section('200130311') });
    assert.deepEqual(
      batch.rejected.map(({ path, code }: Record<string, string>) => [path, code]),
      [['unsure.xml', 'dates_not_read']],
    );
    const labs = getToolText(await callTool(service, patient, 'get_labs', { years: 20 }));
    assert.match(labs, /date as written: 200130311/);
  });
});
