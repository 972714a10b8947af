import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import type { PatientId } from '../../contract/brands.ts';
import { RestrictedScope } from '../../contract/data-categories.ts';
import { toLabelMask } from '../../server/consent/access/sensitivity-labels.ts';
import { carryLabels } from '../../server/clinical/ingest/import/carry-labels.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { selectBodiesOfType } from '../../server/clinical/store/resource-bodies.sql.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestService,
} from '../harness/service.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Json = Record<string, unknown>;

const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
const CONFIDENTIALITY = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';
const TEST = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' };
const HIV = { security: [{ system: ACT_CODE, code: 'HIV' }] };
const RESTRICTED = { security: [{ system: CONFIDENTIALITY, code: 'R' }] };

const tagged = (resourceType: string, id: string, more: Json = {}): Json => ({
  resourceType,
  id,
  ...more,
  meta: { tag: [TEST], ...(more['meta'] as Json | undefined) },
});
const patient = tagged('Patient', 'p', { name: [{ family: 'Roe' }] });
const clinic = tagged('Organization', 'o', { name: 'Mercy' });
const result = (more: Json = {}): Json =>
  tagged('Observation', 'g', {
    status: 'final',
    code: { text: 'Glucose' },
    subject: { reference: 'Patient/p' },
    performer: [{ reference: 'Organization/o' }],
    effectiveDateTime: '2026-01-02',
    valueQuantity: { value: 5.5, unit: 'mmol/L' },
    ...more,
  });
const composition = (more: Json): Json =>
  tagged('Composition', 'c', {
    status: 'final',
    type: { text: 'Summary' },
    date: '2026-01-02',
    title: 'Summary',
    ...more,
  });
const bundle = (resources: readonly Json[], more: Json = {}): Json => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
  ...more,
});
const all = [patient, clinic, result()];

const toXml = (name: string, value: unknown): string => {
  if (Array.isArray(value)) return value.map((each) => toXml(name, each)).join('');
  if (typeof value !== 'object' || value === null) return `<${name} value="${String(value)}"/>`;
  const { resourceType, ...members } = value as Json;
  const inside = Object.entries(members)
    .map(([key, member]) => toXml(key, member))
    .join('');
  return typeof resourceType === 'string'
    ? `<${name}><${resourceType} xmlns="http://hl7.org/fhir">${inside}</${resourceType}></${name}>`
    : `<${name}>${inside}</${name}>`;
};

describe('the security label of a Bundle (case 555)', () => {
  let service: TestService;
  before(async () => void (service = await startTestService()));
  after(() => service.stop());

  /** Uploads archives one after another, and says which protected classes each resource requires; "all" for each of them. */
  async function read(...uploads: Json[]): Promise<Record<string, string>> {
    const person = await newTestPatient(service);
    for (const files of uploads) {
      const batch = await upload(service, person, await createArchive(files));
      assert.match(batch.status, /^completed/, JSON.stringify(batch));
    }
    const readLabels = async (): Promise<Record<string, string>> => {
      const rows = await service.store.db.query(sql<{ reference: string; required_labels: number }>`
        select resource_type || '/' || source_id as reference, required_labels
        from resource join resource_label using (patient_id, seq)
        where patient_id = ${person.id} and resource_type <> 'Person' order by 1`);
      return Object.fromEntries(
        rows.map(({ reference, required_labels: mask }) => {
          const classes = RestrictedScope.options.filter((name) => (mask & toLabelMask([name])) !== 0);
          return [reference, classes.length === RestrictedScope.options.length ? 'all' : classes.join(' ')];
        }),
      );
    };
    const labels = await readLabels();
    const { clock, store } = service;
    const deps = { db: store.db, clock, extractText: async () => null, getVocabulary };
    await rebuildEntries(deps, { patientId: person.id as PatientId, batchId: null });
    assert.deepEqual(await readLabels(), labels);
    return labels;
  }
  const hiv = { 'Observation/g': 'HIV_OR_STI', 'Organization/o': 'HIV_OR_STI', 'Patient/p': 'HIV_OR_STI' };
  const none = { 'Observation/g': '', 'Organization/o': '', 'Patient/p': '' };

  it('covers what is in it: of any type and form, before or behind the entries, in Bundles and Parameters', async () => {
    const { entry, ...rest } = bundle(all, { meta: HIV });
    const files: Json = {
      collection: bundle(all, { meta: HIV }),
      searchset: bundle(all, { meta: HIV, type: 'searchset' }),
      'before the entries': { ...rest, entry },
      nested: bundle([bundle(all, { meta: HIV })]),
      around: bundle([bundle(all)], { meta: HIV }),
      parameters: {
        resourceType: 'Parameters',
        meta: HIV,
        parameter: all.map((resource) => ({ name: 'a', resource })),
      },
      list: [bundle(all, { meta: HIV })],
    };
    const person = await newTestPatient(service);
    const { notes } = await upload(service, person, await createArchive({ 'a.json': files['collection'] }));
    assert.deepEqual(
      notes.map(({ path, code }: Json) => [path, code]),
      [['a.json', 'labels_of_bundle']],
    );
    for (const [name, content] of Object.entries(files))
      assert.deepEqual(await read({ 'a.json': JSON.stringify(content) }), hiv, name);
    const line = `${JSON.stringify(bundle(all, { meta: HIV }))}\n`;
    assert.deepEqual(await read({ 'a.ndjson': line }), hiv);
    assert.deepEqual(await read({ 'a.json.gz': gzipSync(line) }), hiv);
    const xml = `<Bundle xmlns="http://hl7.org/fhir">${toXml('meta', HIV)}<type value="collection"/>${toXml(
      'entry',
      all.map((resource) => ({ resource: { ...resource, valueQuantity: undefined } })),
    ).replaceAll('<valueQuantity value="undefined"/>', '')}</Bundle>`;
    assert.deepEqual(await read({ 'a.xml': xml }), hiv);
  });

  it('is also the one of its Composition where it is a document', async () => {
    const open = { 'Composition/c': '', ...none };
    const read2 = (more: Json, type = 'document') =>
      read({ 'a.json': bundle([composition(more), ...all], { type }) });
    assert.deepEqual(await read2({}), open);
    assert.deepEqual(await read2({ meta: HIV }), { 'Composition/c': 'HIV_OR_STI', ...hiv });
    assert.deepEqual(new Set(Object.values(await read2({ confidentiality: 'R' }))), new Set(['all']));
    assert.deepEqual(await read2({ confidentiality: 'N' }), open);
    assert.deepEqual(await read2({ meta: HIV }, 'collection'), { ...open, 'Composition/c': 'HIV_OR_STI' });
  });

  it('covers nothing else of the file, and nothing that says itself that it is not restricted', async () => {
    const next = tagged('Observation', 'h', { status: 'final', code: { text: 'Sodium' } });
    const labeled = JSON.stringify(bundle(all, { meta: HIV }));
    const lines = `${labeled}\n${JSON.stringify(bundle([next]))}\n`;
    assert.deepEqual(await read({ 'a.ndjson': lines }), { ...hiv, 'Observation/h': '' });
    const normal = result({ meta: { security: [{ system: CONFIDENTIALITY, code: 'N' }] } });
    const of = (type: string) => read({ 'a.json': bundle([patient, normal], { meta: RESTRICTED, type }) });
    assert.deepEqual(await of('searchset'), { 'Observation/g': '', 'Patient/p': 'all' });
    assert.deepEqual(await of('document'), { 'Observation/g': 'all', 'Patient/p': 'all' });
    const own = result({ meta: RESTRICTED });
    assert.equal((await read({ 'a.json': bundle([own], { meta: HIV }) }))['Observation/g'], 'all');
    const summary = { security: [{ system: CONFIDENTIALITY, code: 'N' }, { code: 'SUBSETTED' }] };
    assert.deepEqual(await read({ 'a.json': bundle(all, { meta: summary }) }), none);
  });

  it('counts for a fact whichever upload brought it last, and for what others name only where each has it', async () => {
    const labeled = bundle(all, { meta: HIV });
    const open = bundle(all);
    const expected = { ...none, 'Observation/g': 'HIV_OR_STI' };
    for (const uploads of [
      [{ 'a.json': labeled }, { 'b.json': open }],
      [{ 'a.json': open }, { 'b.json': labeled }],
      [{ 'a.json': open }, { 'b.json': labeled }, { 'c.json': open }],
      [{ 'a.json': labeled, 'b.json': open }],
      [{ 'a.json': open, 'b.json': labeled }],
    ])
      assert.deepEqual(await read(...uploads), expected, JSON.stringify(uploads.map(Object.keys)));
    const at = (lastUpdated: string) => [patient, clinic, result({ meta: { lastUpdated } })];
    const [older, newer] = [at('2026-01-02T10:00:00Z'), at('2026-01-03T10:00:00Z')];
    for (const uploads of [
      [{ 'a.json': bundle(newer) }, { 'b.json': bundle(older, { meta: HIV }) }],
      [{ 'b.json': bundle(older, { meta: HIV }) }, { 'a.json': bundle(newer) }],
    ])
      assert.deepEqual(await read(...uploads), expected);
  });

  it('is in what is handed on of a fact, and not in what is shown of others to who may not see its class', async () => {
    for (const order of [
      [HIV, {}],
      [{}, HIV],
    ]) {
      const person = await newTestPatient(service);
      for (const meta of order)
        await upload(service, person, await createArchive({ 'a.json': bundle(all, { meta }) }));
      const token = await getOrganizationToken(service);
      const url = `/FHIR/R4/Person/${person.id}/$everything`;
      const { body: whole } = await call(service, url, { token });
      const { resource } =
        (whole.entry as { resource: Json }[]).find(({ resource: { id } }) => id === 'g') ?? {};
      const inherited = JSON.stringify((resource?.['meta'] as Json | undefined)?.['security'] ?? []);
      assert.equal(inherited.includes('"code":"HIV"'), order[1] === HIV);
      await decide(service, person, 'OPTED_IN', { consentDataSensitivityScopes: ['NORMAL'] });
      const { status, body: narrow } = await call(service, url, { token });
      assert.equal(status, 200);
      const types = (narrow.entry as { resource: Json }[]).map((each) =>
        String(each.resource['resourceType']),
      );
      assert.deepEqual(types.toSorted(), ['Organization', 'Patient', 'Person']);
      assert.doesNotMatch(JSON.stringify(narrow), /HIV|label-of-bundle/);
    }
  });

  it('is in a download of a fact, and of others where it counts, whichever upload brought them last', async () => {
    for (const [uploads, expected] of [
      [[HIV, {}], ['Observation']],
      [[{}, HIV], ['Observation']],
      [[HIV], ['Observation', 'Organization', 'Patient']],
    ] as const) {
      const person = await newTestPatient(service);
      for (const meta of uploads)
        await upload(service, person, await createArchive({ 'a.json': bundle(all, { meta }) }));
      const labeled: string[] = [];
      for (const type of ['Observation', 'Organization', 'Patient']) {
        const patientId = person.id as PatientId;
        const page = { type, after: '', limit: 10, bytes: 1_000_000 };
        const rows = await service.store.db.query(selectBodiesOfType(patientId, page));
        const bodies = await carryLabels(service.store.db, patientId, { type, rows });
        if (bodies.join('').includes('HIV')) labeled.push(type);
      }
      assert.deepEqual(labeled, expected);
    }
  });

  it('is counted no more when the upload is removed that brought it', async () => {
    const person = await newTestPatient(service);
    const send = async (content: Json): Promise<string> =>
      (await upload(service, person, await createArchive({ 'a.json': content }))).batchId;
    const first = await send(bundle(all, { meta: HIV }));
    await send(bundle(all));
    const path = `/v1/patients/${person.id}/upload-documents/${first}`;
    const answer = await call(service, path, { method: 'DELETE', token: person.token });
    assert.equal(answer.status, 204);
    const pending = sql`select 1 from job where kind = 'relabel' and payload ->> 'patientId' = ${person.id} limit 1`;
    while ((await service.store.db.query(pending)).length > 0) await delay(20);
    const rows = await service.store.db.query(sql<{ required_labels: number }>`
      select required_labels from resource join resource_label using (patient_id, seq)
      where patient_id = ${person.id} and resource_type = 'Observation'`);
    assert.deepEqual(
      rows.map(({ required_labels: mask }) => mask & toLabelMask(['HIV_OR_STI'])),
      [0],
    );
  });
});
