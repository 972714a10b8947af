const MiB = 1024 * 1024;

/** The limits of one FHIR resource, in JSON or XML, and of the Bundle that it lies in. */
export const RESOURCE_LIMITS = {
  bytes: 32 * MiB,
  /**
   * 32 MiB of `{},{},…` would take 2.7 GB and 19 s to parse. The largest resource we met, the Provenance of a record of
   * 25,000 resources, has 50,000 values.
   */
  values: 1_000_000,
  /** A Bundle inside a Bundle or on a line is cut into entries unparsed, so it may hold more. */
  bundleValues: 4_000_000,
  /** How deep JSON and XML may nest; the deepest of 1,000 published records we tried has 21 levels. */
  depth: 200,
  /** A Bundle inside a Bundle is opened, one inside of that is not. */
  bundleNesting: 1,
} as const;

/** A Bundle of these types holds versions or news of resources, so reading its entries as facts would be wrong. */
const EVENT_BUNDLE_TYPES = new Set(['history', 'message', 'subscription-notification']);

export function isRecordBundle(bundleType: unknown): boolean {
  return typeof bundleType !== 'string' || !EVENT_BUNDLE_TYPES.has(bundleType);
}
