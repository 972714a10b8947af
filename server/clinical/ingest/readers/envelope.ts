import { tryParseJson } from './fhir-resource.ts';
import { createJsonSlicer, type JsonSlicer, type Slice } from './json-slices.ts';

/** What a JSON document says it is. */
export interface Envelope {
  root: 'object' | 'array' | null;
  resourceType: string | null;
  /** `Bundle.type`. */
  type: string | null;
  state: ReturnType<JsonSlicer['state']>;
}

const ENVELOPE_KEYS = new Set(['resourceType', 'type']);

/**
 * Reads the envelope from the bytes as they flow, no further than needed: usually two keys. They may also come after the
 * entries, and `entry` alone says nothing, since a List has one too.
 */
export function createEnvelopeReader(): { push(chunk: Buffer): void; envelope(): Envelope } {
  const slicer = createJsonSlicer({ values: ENVELOPE_KEYS });
  const values = new Map<string, string | null>();
  let isKnown = false;
  return {
    push(chunk) {
      if (isKnown) return;
      for (const value of slicer.push(chunk)) values.set(value.key, readString(value));
      const resourceType = values.get('resourceType');
      isKnown =
        Boolean(resourceType && (resourceType !== 'Bundle' || values.has('type'))) ||
        slicer.root() === 'array' ||
        slicer.state() === 'broken';
    },
    envelope: () => ({
      root: slicer.root(),
      resourceType: values.get('resourceType') ?? null,
      type: values.get('type') ?? null,
      state: slicer.state(),
    }),
  };
}

/** Returns the string in a slice; null for anything else. */
export function readString(slice: Slice | undefined): string | null {
  if (slice === undefined || 'refused' in slice) return null;
  const value = tryParseJson(slice.bytes.toString('utf8'));
  return typeof value === 'string' && slice.bytes[0] === 0x22 ? value : null;
}
