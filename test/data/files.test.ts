import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { MAX_RESULT_LENGTH } from '../../server/surfaces/mcp/render/fit-length.ts';
import { TOOLS } from '../../server/surfaces/mcp/tools/tools.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  callTool,
  newTestPatient,
  startTestService,
  getToolText,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { isLong } from '../harness/long.ts';
import { listDevelopmentRecords, type DevelopmentRecord } from './development-records.ts';
import { getSharedService, importRecord } from './imported-records.ts';
import {
  DATA_FOLDER,
  readZipFiles,
  readPatientFiles,
  samplePatients,
  skip,
  createZip,
  type File,
} from './sample-data.ts';
import { parseRows, LEAKED_VALUES, removeQuoted } from './parse-tables.ts';

interface Stored {
  type: string;
  id: string;
  source: string;
  body: string;
  /** Of the document that it was found in. */
  path: string;
}

/** What takes longest to read: in `npm test` the other archives come again, among them all forms of documents. */
const AGAIN_IN_LONG = new Set([
  'archives/02-ccda-pdf-fhir-same-patient.zip',
  'archives/03-va-bluebutton.zip',
  'archives/05-isabella-jones-many-sources.zip',
  'ccda/hl7-ccda-examples.zip',
  'ccda/allscripts.zip',
  'ccda/amida-nullflavor-c32.zip',
  'ccda/emerge.zip',
  'ccda/hl7-samples.zip',
  'edge/fhir-test-cases.zip',
]);

interface Batch {
  status: string;
  documents: { total: number; processed: number; rejected: number };
  resources: { created: number; updated: number; unchanged: number };
  rejected: { path: string; code: string; message: string }[];
}

/** Each archive, and each folder's loose files as one. */
const listArchives = (): string[] => [
  ...globSync('{archives,uscore,spec-examples,ccda,docs,edge}/*.zip', { cwd: DATA_FOLDER }).sort(),
  'uscore/g10-bulk',
];

async function readArchive(name: string): Promise<Buffer> {
  if (name.endsWith('.zip')) return readFileSync(join(DATA_FOLDER, name));
  return createZip(await readLooseFiles(name));
}

const readLooseFiles = async (folder: string): Promise<File[]> =>
  globSync(`${folder}/*.gz`, { cwd: DATA_FOLDER }).map((path) => ({
    path: basename(path),
    bytes: readFileSync(join(DATA_FOLDER, path)),
  }));

const findRecord = async (name: string): Promise<DevelopmentRecord> =>
  listDevelopmentRecords().find((record) => `${record.name}.zip` === name) ?? {
    name,
    readFiles: () => readLooseFiles(name),
  };

const decodePlain = ({ bytes }: File): string =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString().replace(/^\u{FEFF}/u, '');

/** The numbers of a JSON text as they are written, in order; digits in strings are no numbers. */
function extractNumbers(text: string): string[] {
  const numbers: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g))
    if (!token.startsWith('"')) numbers.push(token);
  return numbers;
}

function listResources(text: string): { resourceType: string; id?: string; fullUrl?: string }[] {
  const parseJson = (json: string): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      return null;
    }
  };
  const whole = parseJson(text);
  return (whole === null ? text.split('\n').map(parseJson) : [whole]).flatMap((value) => unfold(value));
}

function unfold(value: unknown, fullUrl?: string): { resourceType: string; id?: string; fullUrl?: string }[] {
  if (typeof value !== 'object' || value === null || !('resourceType' in value)) return [];
  const resource = value as {
    resourceType: string;
    id?: string;
    entry?: { resource?: unknown; fullUrl?: string }[];
    parameter?: Parameter[];
  };
  const within = resource.resourceType === 'Parameters' ? unfoldParts(resource.parameter) : [];
  if (within.length > 0) return within;
  if (resource.resourceType !== 'Bundle' || !Array.isArray(resource.entry))
    return [{ ...resource, ...(fullUrl !== undefined && { fullUrl }) }];
  return resource.entry.flatMap((entry) => unfold(entry.resource, entry.fullUrl));
}

interface Parameter {
  resource?: unknown;
  part?: Parameter[];
}

const unfoldParts = (parts: readonly Parameter[] = []): ReturnType<typeof unfold> =>
  parts.flatMap(({ resource, part }) => [...unfold(resource), ...unfoldParts(part)]);

const REFERENCE = /"reference"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

describe('the published files', { skip }, () => {
  let service: TestService;
  before(async () => void (service = await getSharedService()));

  const listStored = (patient: TestPatient): Promise<Stored[]> =>
    service.store.db.query(sql<Stored>`
      select resource_type as type, fhir_id as id, source_id as source, body, document_path as path from resource
      where patient_id = ${patient.id} order by seq`);

  async function callToolText(patient: TestPatient, name: string, input: object): Promise<string> {
    const answer: HttpResponse = await callTool(service, patient, name, input);
    const what = `${name} ${JSON.stringify(input)}`;
    assert.equal(answer.status, 200, what);
    assert.equal(answer.body.error, undefined, `${what}: ${JSON.stringify(answer.body.error)}`);
    const text = getToolText(answer);
    assert.ok(text.length <= MAX_RESULT_LENGTH, what);
    const ours = removeQuoted(text);
    const leaked = LEAKED_VALUES.exec(ours);
    assert.equal(
      leaked,
      null,
      `${what}: ${ours.slice(Math.max(0, (leaked?.index ?? 0) - 100), (leaked?.index ?? 0) + 100)}`,
    );
    parseRows(ours);
    return text;
  }

  for (const name of skip ? [] : listArchives()) {
    describe(name, () => {
      let patient: TestPatient;
      let batch: Batch;
      before(async () => ({ patient, batch } = await importRecord(await findRecord(name))));

      it('is read to its end, and each file that is not read is named with a reason', () => {
        assert.match(batch.status, batch.rejected.length === 0 ? /^completed$/ : /^completed_with_errors$/);
        const { total, processed, rejected } = batch.documents;
        assert.equal(total, processed + rejected);
        assert.ok(batch.rejected.length >= rejected);
        for (const { path, code, message } of batch.rejected) {
          assert.notEqual(path, '');
          assert.match(code, /^[a-z][a-z0-9_]+$/);
          assert.match(message, /^[A-Z0-9].{15,}\.$/, `${path} ${code}`);
        }
      });

      if (isLong || !AGAIN_IN_LONG.has(name))
        it('changes nothing when it comes again', async () => {
          const before = await listStored(patient);
          const again = (await upload(service, patient, await readArchive(name))) as Batch;
          const { created, updated, unchanged } = again.resources;
          assert.deepEqual(
            { created, updated, unchanged },
            { created: 0, updated: 0, unchanged: before.length },
          );
          // That the class of a place is unknown is said by the batch that brought it.
          const rejected = batch.rejected.filter(({ code }) => code !== 'class_unknown');
          assert.deepEqual(again.rejected, rejected);
          assert.deepEqual(await listStored(patient), before);
        });

      it('keeps the digits of every number', async () => {
        const texts = name.endsWith('.zip')
          ? (await readZipFiles(join(DATA_FOLDER, name))).map(decodePlain)
          : globSync(`${DATA_FOLDER}/${name}/*.gz`).map((path) =>
              decodePlain({ path, bytes: readFileSync(path) }),
            );
        const written = new Set(
          texts.flatMap((text) => listWholeResources(text)).map(({ key, numbers }) => `${key} ${numbers}`),
        );
        for (const { type, source, body, path } of await listStored(patient)) {
          // What other documents say becomes FHIR in their converters, which are tested by themselves.
          if (!source.startsWith('sha256-') && /json(\.gz)?$/.test(path))
            assert.ok(
              written.has(`${type}/${source} ${extractNumbers(body).join(' ')}`),
              `${type}/${source} has other numbers than its file`,
            );
        }
      });

      it('leaves no reference open whose target it holds', async () => {
        const rows = await listStored(patient);
        const here = new Set(rows.map(({ type, id }) => `${type}/${id}`));
        const sources = new Set(rows.map(({ type, source }) => `${type}/${source}`));
        const texts = name.endsWith('.zip')
          ? (await readZipFiles(join(DATA_FOLDER, name))).map(decodePlain)
          : [];
        const urns = new Set(
          texts
            .flatMap(listResources)
            .flatMap(({ fullUrl }) => (fullUrl?.startsWith('urn:') ? [fullUrl.toLowerCase()] : [])),
        );
        for (const { type, id, body } of rows) {
          for (const [, reference = ''] of body.matchAll(REFERENCE)) {
            const [target = ''] = reference.split('/_history/');
            if (sources.has(target)) assert.ok(here.has(reference), `${type}/${id} → ${reference}`);
            assert.ok(!urns.has(reference.toLowerCase()), `${type}/${id} → ${reference}`);
          }
        }
      });

      it('is rendered in clean Markdown by every tool', async () => {
        const references = (await listStored(patient)).slice(0, 19).map(({ type, id }) => `${type}/${id}`);
        for (const tool of TOOLS) {
          const search = tool.name.startsWith('search');
          const isDetails = tool.name === 'get_details';
          const windowed = tool.name.startsWith('get_') && tool.name !== 'get_health_summary' && !isDetails;
          for (const input of windowed
            ? [{}, { years: 150 }, { years: 0.1, beforeDate: '2012-07-01' }]
            : search
              ? [{ query: 'pain' }, { query: 'the patient' }, { query: 'a*(<b>]' }]
              : isDetails
                ? [{ references: ['Patient', ...references] }]
                : [{}])
            await callToolText(patient, tool.name, input);
        }
        const visits = parseRows(await callToolText(patient, 'get_visits', { years: 150 })).flatMap(
          ({ references }) => references,
        );
        for (const encounterId of visits)
          await callToolText(patient, 'search_clinical_notes', { encounterId });
      });
    });
  }
});

/** Each resource of a document by `Type/id` with its numbers, read by a parser that keeps them as written. */
function listWholeResources(text: string): { key: string; numbers: string }[] {
  const keepDigits = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? { digits: context?.source } : value;
  const collectDigits = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    return 'digits' in value && Object.keys(value).length === 1
      ? [String(value.digits)]
      : Object.values(value).flatMap(collectDigits);
  };
  const parseJson = (json: string): unknown => {
    try {
      return JSON.parse(json, keepDigits);
    } catch {
      return null;
    }
  };
  const whole = parseJson(text);
  return (whole === null ? text.split('\n').map(parseJson) : [whole])
    .flatMap((value) => unfold(value))
    .map((resource) => {
      const { fullUrl, ...rest } = resource;
      return {
        key: `${resource.resourceType}/${resource.id ?? fullUrl?.replace('urn:uuid:', '') ?? ''}`,
        numbers: collectDigits(rest).join(' '),
      };
    });
}

describe('a patient whose staff comes later', { skip }, () => {
  let service: TestService;
  before(async () => void (service = await startTestService()));
  after(() => service.stop());

  it('has no reference left by identifier once the hospital’s files are there', async () => {
    const sample = samplePatients().find(({ name }) => name.startsWith('Zandra428'));
    assert.ok(sample);
    const [record, ...staff] = readPatientFiles(sample);
    const patient = await newTestPatient(service);
    await upload(service, patient, await createZip([record as File]));
    const countOpen = async (): Promise<number> =>
      (
        await service.store.db.query(sql<Stored>`select body from resource where patient_id = ${patient.id}`)
      ).reduce(
        (sum, { body }) =>
          sum +
          [...body.matchAll(REFERENCE)].filter(([, reference]) => reference?.includes('?identifier=')).length,
        0,
      );
    assert.ok((await countOpen()) > 50);
    const batch = (await upload(service, patient, await createZip(staff))) as Batch;
    assert.equal(await countOpen(), 0);
    assert.ok(batch.resources.updated > 0);
    const again = (await upload(service, patient, await createZip([record as File, ...staff]))) as Batch;
    assert.deepEqual([again.resources.created, again.resources.updated], [0, 0]);
  });
});
