import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { fromBuffer } from 'yauzl';
import { findRequiredReferences, buildEntries } from './build-entries.ts';
import { isRelative } from './reference-text.ts';
import { categorizeResource } from './category.ts';
import { buildDisplay } from './resource-display.ts';
import type { BuildContext } from './entry-builder.ts';
import type { Entry } from './entry.ts';
import type { ParsedResource } from '../store/found-resource.ts';

const DATA = resolve(import.meta.dirname, '../../../../shared/data');
const skip = existsSync(DATA) ? false : 'the sample data is not here';

/** JSON with every number as its text, as uploads/ parses it. */
function parsed(json: string): unknown {
  const reviver = (_: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? source : value;
  return JSON.parse(json, reviver as (key: string, value: unknown) => unknown);
}

function* resourcesIn(value: unknown): Generator<ParsedResource> {
  if (typeof value !== 'object' || value === null || !('resourceType' in value)) return;
  const entries = 'entry' in value && Array.isArray(value.entry) ? value.entry : null;
  if (value.resourceType !== 'Bundle' || entries === null) yield value as ParsedResource;
  else for (const entry of entries) yield* resourcesIn((entry as { resource?: unknown } | null)?.resource);
}

function resourcesOfFile(path: string): ParsedResource[] {
  const content = gunzipSync(readFileSync(path)).toString();
  const documents = path.includes('.ndjson') ? content.split('\n').filter((line) => line.trim()) : [content];
  return documents.flatMap((document) => [...resourcesIn(parsed(document))]);
}

function resourcesAt(path: string): ParsedResource[] {
  if (path.endsWith('.gz')) return resourcesOfFile(path);
  return globSync('*.ndjson.gz', { cwd: path }).flatMap((name) => resourcesOfFile(join(path, name)));
}

/** The JSON resources of a zip; members that are no JSON are the upload's business. */
async function resourcesOfZip(path: string): Promise<ParsedResource[]> {
  const { promise, resolve: done, reject } = Promise.withResolvers<ParsedResource[]>();
  const found: ParsedResource[] = [];
  fromBuffer(readFileSync(path), { lazyEntries: true }, (error, zip) => {
    if (error) return reject(error);
    zip.on('end', () => done(found)).on('error', reject);
    zip.on('entry', (entry) => {
      if (!entry.fileName.endsWith('.json')) return zip.readEntry();
      zip.openReadStream(entry, (failure, stream) => {
        if (failure) return reject(failure);
        void stream.toArray().then((chunks) => {
          try {
            found.push(
              ...resourcesIn(
                parsed(
                  Buffer.concat(chunks)
                    .toString()
                    .replace(/^\ufeff/, ''),
                ),
              ),
            );
          } catch {
            // eight members are not JSON at all
          }
          zip.readEntry();
        });
      });
    });
    zip.readEntry();
  });
  return promise;
}

/** A record that resolves what it holds, by `Type/id` and by urn. */
function createContext(resources: ParsedResource[]): BuildContext {
  const held = new Map(
    resources.flatMap((each) => [
      [`${each.resourceType}/${String(each.id)}`, each],
      [`urn:uuid:${String(each.id)}`, each],
    ]),
  );
  return {
    resolve(reference) {
      const target = held.get(reference);
      if (!target) return null;
      const own = buildDisplay(target);
      const organization =
        own.organizationReference === null ? undefined : held.get(own.organizationReference);
      return {
        ...own,
        organization: own.organizationDisplay ?? (organization ? buildDisplay(organization).display : null),
      };
    },
  };
}

function belongsTo(resource: ParsedResource, patient: string): boolean {
  if (resource.resourceType === 'Patient') return resource.id === patient;
  const { subject, patient: owner } = resource as { subject?: unknown; patient?: unknown };
  return JSON.stringify([subject, owner]).includes(patient);
}

interface Patient {
  name: string;
  resources: ParsedResource[];
  context: BuildContext;
  row: Map<string, string>;
}

const files = new Map<string, ParsedResource[]>();

function patients(): Patient[] {
  const [head = '', ...lines] = readFileSync(join(DATA, 'PATIENTS.tsv'), 'utf8').trim().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const row = new Map(line.split('\t').map((value, index) => [names[index] ?? '', value]));
    const path = join(DATA, row.get('file') ?? '');
    const all = files.get(path) ?? resourcesAt(path);
    files.set(path, all);
    const mine = path.endsWith('.gz')
      ? all
      : all.filter((each) => belongsTo(each, row.get('patientId') ?? ''));
    return { name: row.get('name') ?? '', resources: mine, context: createContext(all), row };
  });
}

function buildPatientEntries({ resources, context }: Patient): Entry[] {
  return resources.flatMap((resource) => buildEntries(resource, context));
}

function count(entries: Entry[], test: (entry: Entry) => boolean): string {
  return String(entries.filter(test).length);
}

function checkShape(resource: ParsedResource, entry: Entry): void {
  const where = `${resource.resourceType}/${String(resource.id)}`;
  assert.equal(entry.category, categorizeResource(resource), where);
  assert.match(entry.title, /\S/, where);
  assert.equal(entry.title, entry.title.trim(), where);
  assert.notEqual(entry.groupKey, '', where);
  assert.ok(entry.day === null || /^\d{4}-\d\d-\d\d$/.test(entry.day), where);
  assert.equal(entry.day?.startsWith(entry.dayText ?? '?') ?? null, entry.day === null ? null : true, where);
  assert.notEqual(entry.status, 'entered-in-error', where);
  assert.doesNotMatch(JSON.stringify(entry), /\[object Object\]|undefined|NaN/, where);
}

/** PATIENTS.tsv counts what has data; one report of US Core's bulk files has a link instead. */
function isNote(entry: Entry): boolean {
  return entry.kind === 'note' && !entry.detail.unreadable?.startsWith('link');
}

/** A note in a DocumentReference and in the report that it links is one note. */
function notesByLink(patient: Patient): number {
  const notes = (type: string) =>
    patient.resources
      .filter(({ resourceType }) => resourceType === type)
      .flatMap((resource) => buildEntries(resource, patient.context).map((entry) => ({ resource, entry })))
      .filter(({ entry }) => isNote(entry));
  const documents = notes('DocumentReference');
  const linked = new Set(documents.map(({ entry }) => entry.kind === 'note' && entry.detail.sameAs));
  const reports = notes('DiagnosticReport').filter(
    ({ resource }) => !linked.has(`urn:uuid:${String(resource.id)}`),
  );
  return documents.length + reports.length;
}

describe('the entries of the sample records', { skip }, () => {
  const all = skip ? [] : patients();

  for (const patient of all) {
    it(`are those that ${patient.name}'s record holds`, () => {
      const entries = buildPatientEntries(patient);
      const row = (column: string) => patient.row.get(column);
      const medication = (resource: string) =>
        count(entries, (each) => each.kind === 'medication' && each.detail.resource === resource);
      const vital = (name: string) =>
        count(entries, (each) => each.kind === 'vital' && each.detail.vital === name);
      const found = {
        Condition: count(entries, ({ kind }) => kind === 'condition'),
        MedicationRequest: medication('MedicationRequest'),
        MedicationStatement: medication('MedicationStatement'),
        'labObs(category laboratory)': count(
          entries,
          (each) => each.kind === 'lab' && each.detail.members === undefined,
        ),
        bp: vital('Blood Pressure'),
        hr: vital('Heart Rate'),
        temp: vital('Body Temperature'),
        rr: vital('Respiratory Rate'),
        spo2: vital('Oxygen Saturation'),
        wt: vital('Weight'),
        ht: vital('Height'),
        bmi: vital('Body Mass Index'),
        AllergyIntolerance: count(entries, ({ kind }) => kind === 'allergy'),
        Procedure: count(entries, ({ kind }) => kind === 'procedure'),
        Immunization: count(entries, ({ kind }) => kind === 'immunization'),
        Encounter: count(entries, ({ kind }) => kind === 'visit'),
      };
      assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((column) => [column, row(column)])));

      const documents = Number(row('notes:DocumentReference.data'));
      const notes = documents || Number(row('notes:DiagnosticReport.presentedForm.data'));
      const groups = new Set(entries.flatMap((each) => (isNote(each) ? each.groupKey : [])));
      assert.equal(groups.size, notes, 'a note stored twice is one group');
      const isLinked = !String(row('file')).includes('v2.5');
      if (isLinked) assert.equal(notesByLink(patient), notes, 'a note stored twice is linked');
    });
  }

  it('have a title, the category of their resource and days of the calendar', () => {
    for (const { resources, context } of all) {
      for (const resource of resources) {
        for (const entry of buildEntries(resource, context)) checkShape(resource, entry);
      }
    }
  });

  it('are built for every example of the specification, of US Core and of edge cases without an exception', async () => {
    const zips = ['spec-examples', 'uscore', 'edge'].flatMap((folder) =>
      globSync('*.zip', { cwd: join(DATA, folder) }).map((name) => join(DATA, folder, name)),
    );
    assert.equal(zips.length, 3);
    for (const zip of zips) {
      const resources = await resourcesOfZip(zip);
      assert.ok(resources.length > 100, basename(zip));
      const context = createContext(resources);
      for (const resource of resources) {
        const required = new Set(findRequiredReferences(resource));
        const resolve: typeof context.resolve = (reference) => {
          assert.ok(required.has(reference) || !isRelative(reference), reference);
          return context.resolve(reference);
        };
        for (const entry of buildEntries(resource, { ...context, resolve })) checkShape(resource, entry);
        buildDisplay(resource);
      }
    }
  });
});
