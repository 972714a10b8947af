import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { objectsAt, parseResource, textAt, type JsonObject } from '../data/facts/json.ts';
import { DATA_FOLDER, readZipFiles, skip } from '../data/sample-data.ts';
import { isLong } from '../harness/long.ts';
import { readGradedQueries } from './graded-queries.ts';
import { hasString, matchesGroup, readTraits, type Traits } from './relevance.ts';

/** A record whose resources are read in a tenth of a second. */
const SMALL = /v2\.4-2019|us-core/;

describe('the labels of the graded queries', { skip }, () => {
  const queries = readGradedQueries().filter(({ record }) => isLong || SMALL.test(record));
  for (const [record, asked] of Map.groupBy(queries, (query) => query.record)) {
    if (record.includes('!')) continue;
    it(`are true of ${record}`, async () => {
      const traits = readAll(await readResources(record));
      for (const { id, query, relevant, absent } of asked) {
        for (const { match } of relevant)
          assert.ok(
            traits.some((each) => matchesGroup(each, match)),
            `${id} ${query}: nothing matches ${JSON.stringify(match)}`,
          );
        if (absent !== undefined)
          assert.ok(!traits.some((each) => hasString(each, absent)), `${id} ${query} is there`);
      }
    });
  }
});

/** Reads the FHIR resources of a record from its published files; C-CDA documents are left out. */
async function readResources(record: string): Promise<JsonObject[]> {
  const [path = '', patientId] = record.split('#');
  const file = join(DATA_FOLDER, path);
  if (patientId !== undefined)
    return globSync(join(file, '*.ndjson.gz')).flatMap((name) =>
      unpack(name)
        .split('\n')
        .filter((line) => line.includes(patientId) || line.includes('"resourceType":"Medication"'))
        .map(parseResource),
    );
  if (!path.endsWith('.zip')) return openBundle(unpack(file));
  const members = await readZipFiles(file);
  return members
    .filter((each) => each.path.endsWith('.json'))
    .flatMap(({ bytes }) => openBundle(bytes.toString()));
}

const unpack = (file: string): string => gunzipSync(readFileSync(file)).toString();

function openBundle(text: string): JsonObject[] {
  const resource = parseResource(text);
  return resource.resourceType === 'Bundle' ? objectsAt(resource, 'entry.resource') : [resource];
}

function readAll(resources: readonly JsonObject[]): Traits[] {
  const medications = new Map(
    resources
      .filter((each) => textAt(each, 'resourceType') === 'Medication')
      .flatMap((each) =>
        [`urn:uuid:${textAt(each, 'id')}`, `Medication/${textAt(each, 'id')}`].map((key) => [key, each]),
      ),
  );
  return resources.map((each) =>
    readTraits(each, medications.get(textAt(each, 'medicationReference.reference') ?? '') ?? null),
  );
}
