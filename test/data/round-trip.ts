import assert from 'node:assert/strict';
import {
  fetchAllPages,
  buildEverythingPath,
  findLink,
  listReferences,
  getRaw,
  type Bundle,
} from '../harness/fhir.ts';
import { getOrganizationToken, type TestPatient, type TestService } from '../harness/service.ts';
import { readPatientFiles, type File, type SamplePatient } from './sample-data.ts';

/** The text of each resource of a Bundle as it stands there. */
function* extractResources(bundle: string): Generator<string> {
  let depth = 0;
  let begin = -1;
  // In an entry of the list of entries of the Bundle.
  const LEVEL = 3;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  for (let match = token.exec(bundle); match; match = token.exec(bundle)) {
    const [text] = match;
    if (text === '{' || text === '[') depth++;
    else if (text === '}' || text === ']') {
      depth--;
      if (depth === LEVEL && begin !== -1) {
        yield bundle.slice(begin, token.lastIndex);
        begin = -1;
      }
    } else if (
      depth === LEVEL &&
      text === '"resource"' &&
      /^\s*:/.test(bundle.slice(token.lastIndex, token.lastIndex + 20))
    )
      begin = bundle.indexOf('{', token.lastIndex);
  }
}

const extractUploaded = ({ path, bytes }: File): string[] => {
  const text = bytes.toString();
  if (path.endsWith('.json')) return [...extractResources(text)];
  return text.split('\n').filter((line) => line.includes('"resourceType"'));
};

const getReference = (text: string): string => {
  const { resourceType, id } = JSON.parse(text) as { resourceType: string; id: string };
  return `${resourceType}/${id}`;
};

/** References are rewritten so that they resolve; all else must be the same to the letter. */
const maskReferences = (text: string): string =>
  text.trim().replace(/("reference"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1"…"');

/** Every number as it is written, in its order. */
const extractNumbers = (text: string): string[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)]
    .map(([token]) => token)
    .filter((token) => !token.startsWith('"'));

const countTypes = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const type = name.split('/')[0] ?? '';
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
};

/** Small pages of large records take long and show nothing that those of the small ones do not. */
const PAGE_SIZES: readonly [count: number, most: number][] = [
  [1, 150],
  [7, 400],
  [100, Infinity],
  [5000, Infinity],
];

/** Of the organization, which reads the whole record. */
interface Reader {
  id: string;
  token: string;
}

async function fetchRawPages(service: TestService, { id, token }: Reader): Promise<string[]> {
  const pages: string[] = [];
  for (let url: string | undefined = buildEverythingPath(id, '_count=5000'); url !== undefined;) {
    const { status, text } = await getRaw(service, url, { token });
    assert.equal(status, 200);
    pages.push(text);
    url = findLink(JSON.parse(text) as Bundle, 'next')?.slice(service.baseUrl.length);
  }
  return pages;
}

/** What a patient's files hold comes out of `$everything` to the letter, each resource once, on pages of any size. */
export async function assertRoundTrip(
  service: TestService,
  { id }: TestPatient,
  sample: SamplePatient,
): Promise<void> {
  const reader = { id, token: await getOrganizationToken(service) };
  const uploaded = Map.groupBy(readPatientFiles(sample).flatMap(extractUploaded), getReference);
  const names = [`Person/${id}`, ...uploaded.keys()];
  assert.ok(names.length > sample.count('resources'));

  let returnedCount = 0;
  let digits = 0;
  for (const text of (await fetchRawPages(service, reader)).flatMap((page) => [...extractResources(page)])) {
    const name = getReference(text);
    if (name === names[0]) continue;
    returnedCount++;
    const candidates = uploaded.get(name) ?? [];
    const same = candidates.find((each) => maskReferences(each) === maskReferences(text));
    assert.ok(same !== undefined, `${name} is not as it came`);
    assert.deepEqual(extractNumbers(text), extractNumbers(same));
    digits += extractNumbers(text).length;
  }
  assert.equal(returnedCount, uploaded.size);
  assert.ok(digits > 0);

  for (const [count, max] of PAGE_SIZES) {
    if (uploaded.size > max) continue;
    const pages = await fetchAllPages(service, reader, `_count=${count}`);
    const paged = listReferences(pages);
    assert.equal(new Set(paged).size, paged.length, `none twice at ${count}`);
    assert.deepEqual([...paged].sort(), [...names].sort(), `all at ${count}`);
    assert.deepEqual(countTypes(paged), countTypes(names));
    assert.ok(pages.every(({ total }) => total === names.length));
    assert.equal(pages.length, Math.ceil(names.length / count));
  }
}
