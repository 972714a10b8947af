import type { PatientId } from '../../../contract/brands.ts';
import type { EverythingParameters } from './everything-parameters.ts';
import type { FhirDeps } from './authorize-record.ts';
import {
  readChunks,
  skipBytes,
  type Cursor,
  type EntryChunk,
  type ResourceChunk,
  type ResourceSerializer,
} from './read-chunks.ts';
import { getRecordBase } from './person.ts';
import type { NumberSeal } from '../../platform/kernel/sealed-numbers.ts';
import { sealCount, sealPosition, sealState } from './paging-cursor.ts';
import type { RecordSnapshot } from './record-snapshot.ts';

/** Each entry begins with the end of the one before it. */
const formatEntryPrefix = (base: string): string => `},{"fullUrl":"${base}`;
/** Of the end of an entry and the comma behind it. */
const SEPARATOR_BYTES = 2;
const ENTRY_INFIX = '","search":{"mode":"match"},"resource":';

const getFhirBase = (baseUrl: string): string => `${baseUrl}/FHIR/R4`;

/**
 * Serializes the entries of a Bundle. Two patients may have different resources of one type and id, such as their hospital as
 * each was given it, so that a `fullUrl` without the person might name either: all are below the address of the person, which is then
 * also the base that relative references resolve against (https://hl7.org/fhir/R4/bundle.html#references).
 * `baseUrl` has no characters that JSON would escape.
 */
export function createBundleSerializer(baseUrl: string, patientId: PatientId): ResourceSerializer {
  const recordBase = getRecordBase(baseUrl, patientId);
  const before = formatEntryPrefix(recordBase);
  return {
    prefix: { before, after: ENTRY_INFIX },
    encodeChunk: (bytes) => bytes,
    encode: (reference, body) => Buffer.from(`${before}${reference}${ENTRY_INFIX}${body}`),
    recordBase,
  };
}

/**
 * 42 CFR 2.32 (a) (2): records of substance use treatment programs are disclosed with this notice; the label is that of
 * HL7's data segmentation guide.
 */
const PART_2 = {
  security: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
      code: '42CFRPart2',
      display: '42 CFR part 2 prohibits unauthorized use or disclosure of these records.',
    },
  ],
};

interface BundlePage {
  snapshot: RecordSnapshot;
  parameters: EverythingParameters;
  after: number;
  serializer: ResourceSerializer;
}

/**
 * Serializes one page as a searchset Bundle (https://hl7.org/fhir/R4/bundle.html), chunk by chunk. A page without entries has no
 * `entry`: an array is never empty (https://hl7.org/fhir/R4/json.html#repeat).
 */
export async function* serializeBundle(deps: FhirDeps, page: BundlePage): AsyncGenerator<EntryChunk> {
  const { snapshot, parameters } = page;
  const { record, total } = snapshot;
  const meta = { lastUpdated: snapshot.lastUpdated.toISOString(), ...(record.part_2 && PART_2) };
  const start = `{"resourceType":"Bundle","meta":${JSON.stringify(meta)},"type":"searchset","total":${total}`;
  const cursor: Cursor = { last: page.after, rows: 0 };
  let hasEntries = false;
  for await (const chunk of serializeEntries(deps, page, cursor)) {
    const first = hasEntries ? null : skipBytes(chunk, SEPARATOR_BYTES);
    yield first === null ? chunk : { ...first, parts: [`${start},"entry":[`, ...first.parts] };
    hasEntries = true;
  }
  const entryCount = cursor.rows + (hasPerson(page) ? 1 : 0);
  const seal = await deps.cursorSeal();
  const links = buildPagingLinks(deps.baseUrl, { snapshot, parameters, entryCount, last: cursor.last, seal });
  yield { parts: [hasEntries ? '}]' : start, `,"link":${JSON.stringify(links)}}`], rows: 0 };
}

const hasPerson = ({ snapshot, parameters: { offset, count } }: BundlePage): boolean =>
  snapshot.person !== null && offset === 0 && count > 0;

/** Yields the entries of the page; the person is the first entry of the first page. */
async function* serializeEntries(
  deps: FhirDeps,
  page: BundlePage,
  cursor: Cursor,
): AsyncGenerator<ResourceChunk> {
  const { snapshot, parameters, after, serializer } = page;
  const { access } = snapshot.record;
  const includesPerson = hasPerson(page);
  if (includesPerson) {
    const before = formatEntryPrefix(`${getFhirBase(deps.baseUrl)}/Person/${access.patientId}`);
    yield { parts: [Buffer.from(`${before}${ENTRY_INFIX}${snapshot.person ?? ''}`)], last: 0, rows: 1 };
  }
  const limit = parameters.count - (includesPerson ? 1 : 0);
  const { selection, overrides, assumptions } = snapshot;
  const { contact } = snapshot.record;
  yield* readChunks(deps, access, {
    selection,
    serializer,
    contact,
    assumptions,
    after,
    limit,
    overrides,
    cursor,
  });
}

interface PageInfo {
  snapshot: Pick<RecordSnapshot, 'selection' | 'total' | 'count' | 'record' | 'lastUpdated'>;
  parameters: EverythingParameters;
  /** Entries on the page. */
  entryCount: number;
  /** The `seq` of the last one. */
  last: number;
  seal: NumberSeal;
}

interface Link {
  relation: 'self' | 'first' | 'next' | 'last';
  url: string;
}

/**
 * Builds the links of a page. `_offset` says where it is; `_after` lets the database start there without counting; `_state`
 * makes all pages show the record as the first one did, and `_counted` saves counting it again. The last three are sealed.
 * Whatever way the operation was invoked, the links are to be read by GET, and name the person. `next` is absent on the last
 * page, and a page that is not full is the last. Where the consents were changed on the way, the total says nothing of how much
 * is left: every full page has a `next` then.
 */
function buildPagingLinks(
  baseUrl: string,
  { snapshot, parameters, entryCount, last, seal }: PageInfo,
): Link[] {
  const { offset, count, types, since, dates, presentation } = parameters;
  const { total, selection, record, lastUpdated } = snapshot;
  const path = `${getFhirBase(baseUrl)}/Person/${record.access.patientId}/$everything`;
  const sealedState = sealState(seal, record.access, { at: selection.state, lastUpdated });
  const buildUrl = (at: number, after: string | null): string => {
    const query = new URLSearchParams({
      _count: String(count),
      ...(types !== null && { _type: types.join(',') }),
      ...(since !== null && { _since: since.raw }),
      ...dates?.raw,
      ...presentation,
      _offset: String(at),
      ...(after !== null && { _after: after }),
      _state: sealedState,
      _counted: sealCount(seal, record.access, { total, offset: at, ...snapshot.count }),
    });
    return `${path}?${query.toString()}`;
  };
  const links: Link[] = [
    { relation: 'self', url: buildUrl(offset, parameters.after) },
    { relation: 'first', url: buildUrl(0, null) },
  ];
  const next = offset + entryCount;
  if (entryCount > 0 && entryCount === count && (next < total || !snapshot.count.isExact))
    links.push({ relation: 'next', url: buildUrl(next, sealPosition(seal, record.access, last)) });
  const lastPage = count === 0 ? 0 : Math.floor(Math.max(0, total - 1) / count) * count;
  links.push({ relation: 'last', url: buildUrl(lastPage, null) });
  return links;
}
