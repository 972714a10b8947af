import { parsedOrUndefined, rejected, resourceAt, type Spot } from './fhir-resource.ts';
import { holdsMoreValues } from './count-values.ts';
import { jsonSlicer, type Slice } from './json-slices.ts';
import { ARCHIVE_LIMITS } from './limits.ts';
import type { Finding } from './reading.ts';

/** A Bundle of these holds versions or news of resources, so reading its entries as facts would be wrong. */
const NOT_A_RECORD = new Set(['history', 'message', 'subscription-notification']);

export function isRecord(bundleType: unknown): boolean {
  return typeof bundleType !== 'string' || !NOT_A_RECORD.has(bundleType);
}

/** What lies in a slice: one resource, or those of a Bundle. `bundles` counts the Bundles around it. */
export function* resourcesIn(slice: Slice, spot: Spot, bundles = 0): Generator<Finding> {
  if ('refused' in slice) {
    yield rejected(spot, slice.refused);
    return;
  }
  if (isLargeBundle(slice.bytes)) {
    yield* largeBundle(slice.bytes, spot, bundles);
    return;
  }
  const finding = resourceAt(spot, slice.bytes);
  if ('rejection' in finding || finding.found.resource.resourceType !== 'Bundle') yield finding;
  else if (bundles > ARCHIVE_LIMITS.nesting) yield rejected(spot, 'nested_too_deep');
  else if (!isRecord(finding.found.resource['type'])) yield rejected(spot, 'unsupported_bundle_type');
  else {
    for (const entry of jsonSlicer({ elementsOf: 'entry' }).push(slice.bytes)) {
      yield* resourcesInEntry(entry, spot, bundles + 1);
    }
  }
}

/** What is as large may hold more values than are parsed at once; a Bundle's own bytes need not be parsed. */
const isLargeBundle = (bytes: Buffer): boolean =>
  bytes.length > 2 * ARCHIVE_LIMITS.values && valuesIn(bytes, ENVELOPE_KEYS).get('resourceType') === 'Bundle';

const ENVELOPE_KEYS = new Set(['resourceType', 'type']);
const PIECE_BYTES = 64 * 1024;

function* largeBundle(bytes: Buffer, spot: Spot, bundles: number): Generator<Finding> {
  if (bundles > ARCHIVE_LIMITS.nesting) yield rejected(spot, 'nested_too_deep');
  else if (!isRecord(valuesIn(bytes, ENVELOPE_KEYS).get('type')))
    yield rejected(spot, 'unsupported_bundle_type');
  else if (holdsMoreValues(bytes, ARCHIVE_LIMITS.bundleValues)) yield rejected(spot, 'too_many_values');
  else {
    const slicer = jsonSlicer({ elementsOf: 'entry' });
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      for (const entry of slicer.push(bytes.subarray(at, at + PIECE_BYTES)))
        yield* resourcesInEntry(entry, spot, bundles + 1);
    if (slicer.state() !== 'complete') yield rejected(spot, 'not_json');
  }
}

const valuesIn = (bytes: Buffer, keys: ReadonlySet<string>): Map<string, string | null> =>
  new Map(
    jsonSlicer({ values: keys })
      .push(bytes)
      .map((value) => [value.key, textOf(value)]),
  );

/** `spot` is the Bundle's; the entry's own place is added to it. */
export function* resourcesInEntry(entry: Slice, spot: Spot, bundles = 1): Generator<Finding> {
  const position = `${spot.position === '' ? '' : `${spot.position}.`}entry[${entry.index}]`;
  const place = { path: spot.path, position, fullUrl: null };
  if ('refused' in entry) {
    yield rejected(place, entry.refused);
    return;
  }
  const slicer = jsonSlicer({ values: ENTRY_KEYS });
  const values = new Map(slicer.push(entry.bytes).map((value) => [value.key, value]));
  if (slicer.root() !== 'object') yield rejected(place, 'not_fhir');
  else if (slicer.state() !== 'complete') yield rejected(place, 'not_json');
  else if (values.has('resource')) {
    yield* resourcesIn(
      values.get('resource')!,
      { ...place, fullUrl: textOf(values.get('fullUrl')) },
      bundles,
    );
  } else if (!values.has('request') && !values.has('response')) yield rejected(place, 'not_fhir');
  // An entry that only asks (DELETE) or answers (transaction-response) brings nothing to a record.
}

const ENTRY_KEYS = new Set(['fullUrl', 'resource', 'request', 'response']);

/** The string in a slice; null for anything else. */
export function textOf(slice: Slice | undefined): string | null {
  if (slice === undefined || 'refused' in slice) return null;
  const value = parsedOrUndefined(slice.bytes.toString('utf8'));
  return typeof value === 'string' && slice.bytes[0] === 0x22 ? value : null;
}
