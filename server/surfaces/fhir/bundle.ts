import type { EverythingParameters } from './everything-parameters.ts';
import { buildReferencePrefix } from './resource-prefix.sql.ts';
import type { FhirDeps } from './authorize-record.ts';
import { buildPagingLinks } from './paging-links.ts';
import { readChunks, type Cursor } from './read-chunks.ts';
import type { ResourceSerializer } from './resource-serializer.ts';
import type { RecordSnapshot } from './record-snapshot.ts';

/** Every entry begins by ending the one before it. */
const formatEntryPrefix = (fhirBase: string): string => `},{"fullUrl":"${fhirBase}/`;
const ENTRY_INFIX = '","search":{"mode":"match"},"resource":';

/** The entries of a Bundle; `fhirBase` is a URL without characters that JSON would escape. */
export const createBundleSerializer = (fhirBase: string): ResourceSerializer => ({
  prefix: buildReferencePrefix(formatEntryPrefix(fhirBase), ENTRY_INFIX),
  encodeChunk: (bytes) => bytes,
  encode: (reference, body) => Buffer.from(`${formatEntryPrefix(fhirBase)}${reference}${ENTRY_INFIX}${body}`),
});

/**
 * 42 CFR 2.32 (a) (2): records of substance use treatment programs go out with this notice; the label is that of HL7's
 * data segmentation guide.
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

/** One page as a searchset Bundle (https://hl7.org/fhir/R4/bundle.html), piece by piece. */
export async function* serializeBundle(deps: FhirDeps, page: BundlePage): AsyncGenerator<Buffer | string> {
  const { snapshot, parameters } = page;
  const { record, selection, total } = snapshot;
  const meta = { lastUpdated: selection.state.toISOString(), ...(record.part_2 && PART_2) };
  yield `{"resourceType":"Bundle","meta":${JSON.stringify(meta)},"type":"searchset","total":${total},"entry":[`;
  const cursor: Cursor = { last: page.after, rows: 0 };
  let hasEntries = false;
  for await (const bytes of serializeEntries(deps, page, cursor)) {
    yield hasEntries ? bytes : bytes.subarray(2);
    hasEntries = true;
  }
  const entryCount = cursor.rows + (hasPerson(page) ? 1 : 0);
  const links = buildPagingLinks(deps.baseUrl, { snapshot, parameters, entryCount, last: cursor.last });
  yield `${hasEntries ? '}' : ''}],"link":${JSON.stringify(links)}}`;
}

const hasPerson = ({ snapshot, parameters: { offset, count } }: BundlePage): boolean =>
  snapshot.person !== null && offset === 0 && count > 0;

/** The person comes first, on the first page. */
async function* serializeEntries(deps: FhirDeps, page: BundlePage, cursor: Cursor): AsyncGenerator<Buffer> {
  const { snapshot, parameters, after, serializer } = page;
  const { access } = snapshot.record;
  const includesPerson = hasPerson(page);
  if (includesPerson) yield serializer.encode(`Person/${access.patientId}`, snapshot.person ?? '');
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
