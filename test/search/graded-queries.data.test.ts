import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { objectsAt, parseResource, textAt, type JsonObject } from '../data/facts/json.ts';
import { DATA_FOLDER, readZipFiles, skip } from '../data/sample-data.ts';
import { isLong } from '../harness/long.ts';
import { readGradedQueries, type Match } from './graded-queries.ts';
import { hasString, matchesGroup, readTraits, type Traits } from './relevance.ts';

/** A record whose resources are read in a tenth of a second. */
const SMALL = /v2\.4-2019|us-core|cerner/;

describe('the labels of the graded queries', { skip }, () => {
  const queries = readGradedQueries().filter(({ record }) => isLong || SMALL.test(record));
  for (const [record, asked] of Map.groupBy(queries, (query) => query.record))
    it(`are true of ${record}`, async () => {
      const { resources, documents } = await readRecord(record);
      const traits = readAll(resources);
      const words = documents.map((xml) => xml.replaceAll(/<[^>]*>/g, ' '));
      for (const { id, query, relevant, absent } of asked) {
        for (const { match } of relevant)
          assert.ok(
            traits.some((each) => matchesGroup(each, match)) || documents.some((xml) => isIn(xml, match)),
            `${id} ${query}: nothing matches ${JSON.stringify(match)}`,
          );
        if (absent === undefined) continue;
        assert.ok(!traits.some((each) => hasString(each, absent)), `${id} ${query} is there`);
        assert.ok(
          !words.some((text) => new RegExp(absent, 'i').test(text)),
          `${id} ${query} is written there`,
        );
      }
    });
});

/** Says whether a C-CDA document holds a code of the group, or its text: what type it becomes is not looked at. */
function isIn(xml: string, { codes, text }: Match): boolean {
  const symbols = (codes ?? []).map((code) => code.slice(code.indexOf('|') + 1));
  const sources = (text ?? []).map((source) => source.replace(/^\^(.*)\$$/, '$1'));
  return (
    symbols.some((symbol) => xml.includes(`code="${symbol}"`)) ||
    sources.some((source) => new RegExp(source, 'i').test(xml.replaceAll(/\s+/g, ' ')))
  );
}

interface PublishedRecord {
  resources: JsonObject[];
  documents: string[];
}

async function readRecord(record: string): Promise<PublishedRecord> {
  const [path = '', patientId] = record.split('#');
  const [file = '', only] = path
    .split('!')
    .map((part, index) => (index === 0 ? join(DATA_FOLDER, part) : part));
  if (patientId !== undefined)
    return {
      resources: globSync(join(file, '*.ndjson.gz')).flatMap((name) =>
        unpack(name)
          .split('\n')
          .filter((line) => line.includes(patientId) || line.includes('"resourceType":"Medication"'))
          .map(parseResource),
      ),
      documents: [],
    };
  if (!file.endsWith('.zip')) return { resources: openBundle(unpack(file)), documents: [] };
  const members = (await readZipFiles(file)).filter((each) => only === undefined || each.path === only);
  const readMembers = (name: RegExp): string[] =>
    members.filter((each) => name.test(each.path)).map(({ bytes }) => bytes.toString());
  return {
    resources: [...readMembers(/\.json$/).flatMap(openBundle), ...readMembers(/\.txt$/).map(toNote)],
    documents: readMembers(/\.(xml|ccda)$/i),
  };
}

const unpack = (file: string): string => gunzipSync(readFileSync(file)).toString();

const toNote = (text: string): JsonObject => ({ resourceType: 'DocumentReference', description: text });

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
