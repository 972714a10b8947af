import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readArchiveMembers, inspectArchive, verifyArchive } from '../archive/archive.ts';
import { readMember } from '../readers/read-member.ts';
import { scanMember } from '../../../../test/harness/scan-member.ts';
import type { Member } from '../archive/member.ts';
import type { MemberItem } from '../readers/reader.ts';

/** Published sample records beside the repository; without them these tests are skipped. */
const DATA = join(import.meta.dirname, '../../../../../shared/data');
const skip = existsSync(DATA) ? false : 'there is no ../shared/data beside the repository';

async function readBytes(member: Member): Promise<Buffer> {
  const bytes = Buffer.concat(await Array.fromAsync((await member.open()) as AsyncIterable<Buffer>));
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/** The resources in a document, counted by parsing it whole; null when it is not JSON. */
function resourcesByParsing(text: string): string[] | null {
  try {
    return resourceTypes(JSON.parse(text));
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (!lines[0]?.startsWith('{"')) return null;
    return lines.flatMap((line) => resourceTypes(JSON.parse(line)));
  }
}

interface Parsed {
  resourceType?: string;
  entry?: { resource?: Parsed }[];
  parameter?: Part[];
}

interface Part {
  resource?: Parsed;
  part?: Part[];
}

const typesWithin = ({ resource, part = [] }: Part): string[] => [
  ...(resource ? resourceTypes(resource) : []),
  ...part.flatMap(typesWithin),
];

function resourceTypes(parsed: Parsed): string[] {
  const within = parsed.resourceType === 'Parameters' ? (parsed.parameter ?? []).flatMap(typesWithin) : [];
  if (within.length > 0) return within;
  if (parsed.resourceType !== 'Bundle') return parsed.resourceType === undefined ? [] : [parsed.resourceType];
  return (parsed.entry ?? []).flatMap((entry) => (entry.resource ? resourceTypes(entry.resource) : []));
}

/** Every number is the text it was written with. */
function assertSameButForNumbers(lossless: unknown, plain: unknown, text: string): void {
  if (typeof plain === 'number') {
    assert.equal(typeof lossless, 'string');
    assert.equal(Number(lossless), plain);
    assert.ok(text.includes(String(lossless)));
  } else if (typeof plain === 'object' && plain !== null) {
    const other = lossless as Record<string, unknown>;
    assert.equal(Object.keys(other).join(), Object.keys(plain).join());
    for (const [key, value] of Object.entries(plain)) assertSameButForNumbers(other[key], value, text);
  } else assert.equal(lossless, plain);
}

/** Reads a member both ways; answers the codes of what was rejected. */
async function compare(member: Member): Promise<string[]> {
  const findings: MemberItem[] = await Array.fromAsync(readMember(member, await scanMember(member)));
  const text = (await readBytes(member)).toString().replace(/^\u{FEFF}/u, '');
  const rejected = findings.flatMap((finding) => ('rejection' in finding ? [finding.rejection.code] : []));
  const found = findings.flatMap((finding) => ('found' in finding ? [finding.found] : []));
  let at = 0;
  // The words of an unsafe narrative are written anew.
  for (const { text: slice, resource } of rejected.includes('unsafe_narrative') ? [] : found) {
    at = text.indexOf(slice, at);
    assert.notEqual(at, -1, `${member.path}: every text is a slice, in order`);
    assertSameButForNumbers(resource, JSON.parse(slice), slice);
  }
  if (rejected.length === 0 && text.trim() !== '') {
    const types = found.map(({ resource }) => resource.resourceType);
    assert.deepEqual(types, resourcesByParsing(text), member.path);
  }
  return rejected.map((code) => `${basename(member.path)} ${code}`);
}

async function compareArchive(file: string): Promise<{ members: number; rejected: string[] }> {
  await inspectArchive(file);
  await verifyArchive(file);
  let members = 0;
  const rejected: string[] = [];
  for await (const item of readArchiveMembers(file)) {
    assert('member' in item);
    members += 1;
    rejected.push(...(await compare(item.member)));
  }
  return { members, rejected };
}

const MEMBERS: Record<string, number> = {
  '01-synthea-bundle-plus-notes.zip': 7,
  '02-ccda-pdf-fhir-same-patient.zip': 3,
  '03-va-bluebutton.zip': 3,
  '04-bulk-export-one-patient.zip': 14,
  '05-isabella-jones-many-sources.zip': 9,
  '06-discharge-summary-ccda-fhir-txt.zip': 6,
  'us-core-examples.zip': 230,
  'hl7-fhir-r4-clinical-a.zip': 261,
};

describe('published records', { skip }, () => {
  for (const [name, count] of Object.entries(MEMBERS)) {
    it(`are read from ${name} as by parsing the whole file`, async () => {
      const [file] = await Array.fromAsync(glob(`${DATA}/{archives,uscore,spec-examples}/${name}`));
      const { members, rejected } = await compareArchive(file!);
      assert.equal(members, count);
      const surprising = rejected.filter((line) => !/\.(?:xml|txt|pdf|ccda) unsupported_kind$/.test(line));
      const bulk = name.startsWith('04') ? logLines(4) : [];
      assert.deepEqual(surprising, bulk);
    });
  }

  it('are read from gzip as by parsing the whole file', async () => {
    for await (const path of glob(`${DATA}/{synthea,uscore}/**/*.gz`)) {
      const rejected = await compare({ path, open: async () => createReadStream(path) });
      assert.deepEqual(rejected, basename(path).startsWith('log.') ? logLines(4, '.gz') : []);
    }
  });

  it('cost only themselves where they are made to break parsers', async () => {
    const { members, rejected } = await compareArchive(join(DATA, 'edge/fhir-test-cases.zip'));
    assert.equal(members, 319);
    assert.deepEqual(
      rejected.filter((line) => !line.endsWith('.xml unsupported_kind')).sort(),
      EDGE_REJECTIONS,
    );
  });
});

function logLines(count: number, ending = ''): string[] {
  return Array.from({ length: count }, () => `log.ndjson${ending} not_fhir`);
}

/** Eight files that are not JSON, one message: all others are read, three of them without the markup of their narrative. */
const EDGE_REJECTIONS = [
  'bad-json-close-1.json not_json',
  'bad-json-close-2.json not_json',
  'bad-json-close-3.json not_json',
  'bundle-with-contained.json unsupported_bundle_type',
  'group-choice-empty.json not_json',
  'json-comma-bad-1.json not_json',
  'json-comments-1.json not_json',
  'json-no-quotes-1.json not_json',
  'list-bad-syntax.json not_json',
  'list-xhtml-syntax.json unsafe_narrative',
  'list-xhtml-xxe.json unsafe_narrative',
  'pat-security-bad-xhtml.json unsafe_narrative',
  'patient-duplicate.json repeated_member',
];
