import {
  createRejection,
  parseUploadedResource,
  tryParseJson,
  type ResourceLocation,
} from './fhir-resource.ts';
import { isContainer, sliceParameters } from './parameters.ts';
import { hasMoreValues } from './count-values.ts';
import { createJsonSlicer, type Slice } from './json-slices.ts';
import { createLabelCollector, takeMeta } from './collect-labels.ts';
import { isRecordBundle, RESOURCE_LIMITS } from '../../../../documents/fhir/resource-limits.ts';
import type { MemberItem } from './reader.ts';
import { createEnvelopeReader, readString, type Envelope } from './envelope.ts';

/** Reads a slice: one resource, or those of a Bundle or of Parameters. `bundleDepth` is the number of these around it. */
export function* readSlice(slice: Slice, location: ResourceLocation, bundleDepth = 0): Generator<MemberItem> {
  if ('refused' in slice) {
    yield createRejection(location, slice.refused);
    return;
  }
  if (isLargeBundle(slice.bytes)) {
    yield* readLargeBundle(slice.bytes, location, bundleDepth);
    return;
  }
  const items = parseUploadedResource(location, slice.bytes);
  const bundle = items.find((item) => 'found' in item && isContainer(item.found.resource));
  if (bundle === undefined || 'rejection' in bundle) yield* items;
  else if (bundleDepth > RESOURCE_LIMITS.bundleNesting) yield createRejection(location, 'nested_too_deep');
  else if (bundle.found.resource.resourceType === 'Parameters') {
    const labels = createLabelCollector({ ...location, isDocument: false });
    labels.addMeta(bundle.found.resource['meta']);
    yield* readParameters(slice.bytes, location, bundleDepth + 1);
    yield* labels.finish();
  } else if (!isRecordBundle(bundle.found.resource['type']))
    yield createRejection(location, 'unsupported_bundle_type');
  else {
    const isDocument = bundle.found.resource['type'] === 'document';
    const reader = createBundleReader(location, { isDocument, bundleDepth: bundleDepth + 1 });
    yield* reader.push(slice.bytes);
    yield* reader.finish();
  }
}

/** Reads the entries of a Bundle, and its labels, as its bytes flow. */
export function createBundleReader(
  location: ResourceLocation,
  { isDocument, bundleDepth }: { isDocument: boolean; bundleDepth?: number },
) {
  const slicer = createJsonSlicer({ elementsOf: 'entry', values: BUNDLE_KEYS });
  const labels = createLabelCollector({ ...location, isDocument });
  return {
    state: () => slicer.state(),
    *push(chunk: Buffer): Generator<MemberItem> {
      for (const bundleEntry of takeMeta(slicer.push(chunk), labels))
        for (const item of readBundleEntry(bundleEntry, location, bundleDepth)) yield labels.observe(item);
    },
    /** Also of one that is cut off: its first entries were read. */
    *finish(): Generator<MemberItem> {
      yield* labels.finish();
      const isWhole = slicer.state() === 'complete' || slicer.state() === 'followed';
      if (!isWhole) yield createRejection(location, 'not_json');
      else if (slicer.hasRepeatedKey()) yield createRejection(location, 'repeated_member');
    },
  };
}

const BUNDLE_KEYS = new Set(['meta']);

/** Reads the resources of Parameters, in place of these: what else an operation was asked or answers is no part of a record. */
function* readParameters(
  bytes: Buffer,
  location: ResourceLocation,
  bundleDepth: number,
): Generator<MemberItem> {
  for (const { position, resource } of sliceParameters(bytes, location.position)) {
    const within = { path: location.path, position, fullUrl: null };
    if (resource === null) yield createRejection(within, 'repeated_member');
    else yield* readSlice(resource, within, bundleDepth);
  }
}

/** A large slice may hold more values than are parsed at once; a Bundle need not be parsed as a whole. */
const isLargeBundle = (bytes: Buffer): boolean =>
  bytes.length > 2 * RESOURCE_LIMITS.values && readEnvelope(bytes).resourceType === 'Bundle';

function readEnvelope(bytes: Buffer): Envelope {
  const reader = createEnvelopeReader();
  reader.push(bytes);
  return reader.envelope();
}

const CHUNK_BYTES = 64 * 1024;

function* readLargeBundle(
  bytes: Buffer,
  location: ResourceLocation,
  bundleDepth: number,
): Generator<MemberItem> {
  if (bundleDepth > RESOURCE_LIMITS.bundleNesting) yield createRejection(location, 'nested_too_deep');
  else if (!isRecordBundle(readEnvelope(bytes).type))
    yield createRejection(location, 'unsupported_bundle_type');
  else if (hasMoreValues(bytes, RESOURCE_LIMITS.bundleValues))
    yield createRejection(location, 'too_many_values');
  else {
    const isDocument = readEnvelope(bytes).type === 'document';
    const reader = createBundleReader(location, { isDocument, bundleDepth: bundleDepth + 1 });
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      yield* reader.push(bytes.subarray(at, at + CHUNK_BYTES));
    yield* reader.finish();
  }
}

/** `location` is the Bundle's; the position of the entry is added to it. */
export function* readBundleEntry(
  bundleEntry: Slice,
  location: ResourceLocation,
  bundleDepth = 1,
): Generator<MemberItem> {
  const position = `${location.position === '' ? '' : `${location.position}.`}entry[${bundleEntry.index}]`;
  const entryLocation = { path: location.path, position, fullUrl: null };
  if ('refused' in bundleEntry) {
    yield createRejection(entryLocation, bundleEntry.refused);
    return;
  }
  const slicer = createJsonSlicer({ values: ENTRY_KEYS });
  const values = new Map(slicer.push(bundleEntry.bytes).map((value) => [value.key, value]));
  if (slicer.root() !== 'object') yield createRejection(entryLocation, 'not_fhir');
  else if (slicer.state() !== 'complete') yield createRejection(entryLocation, 'not_json');
  else if (slicer.hasRepeatedKey()) yield createRejection(entryLocation, 'repeated_member');
  else if (values.has('resource')) {
    const items = readSlice(
      values.get('resource')!,
      { ...entryLocation, fullUrl: readString(values.get('fullUrl')) },
      bundleDepth,
    );
    if (isOutcome(values.get('search'))) yield* leaveOutMessages(items, entryLocation);
    else yield* items;
  } else if (isDeletion(values.get('request'))) yield createRejection(entryLocation, 'deletion_not_applied');
  else if (!values.has('request') && !values.has('response'))
    yield createRejection(entryLocation, 'not_fhir');
  // An entry with only another request or a response (transaction-response) adds nothing to a record.
}

const ENTRY_KEYS = new Set(['fullUrl', 'resource', 'search', 'request', 'response']);

/** Whether an entry is about the search that its Bundle answers, and no match of it (FHIR R4 SearchEntryMode). */
const isOutcome = (search: Slice | undefined): boolean => readMember(search, 'mode') === 'outcome';

const isDeletion = (request: Slice | undefined): boolean => readMember(request, 'method') === 'DELETE';

function readMember(slice: Slice | undefined, name: string): unknown {
  const value = slice === undefined || 'refused' in slice ? null : tryParseJson(slice.bytes.toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function* leaveOutMessages(items: Iterable<MemberItem>, location: ResourceLocation): Generator<MemberItem> {
  const all = [...items];
  const isMessage = all.some(
    (item) => 'found' in item && item.found.resource.resourceType === 'OperationOutcome',
  );
  yield* isMessage ? [createRejection(location, 'server_message')] : all;
}
