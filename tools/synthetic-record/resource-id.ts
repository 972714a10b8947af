import { v5 } from 'uuid';
import type { Reference } from './resource.ts';

/** A random UUID of this generator's own, the namespace of RFC 9562 §5.5. */
const NAMESPACE = '6f0d6f0e-6c0b-4f57-9c1e-2f6d4b8a7c31';

/** The same seed and name give the same id, whatever was generated before. */
export function deriveResourceId(seed: number, name: string): string {
  return v5(`${seed}/${name}`, NAMESPACE);
}

export function toUrn(id: string): string {
  return `urn:uuid:${id}`;
}

export function toReference(id: string, display?: string): Reference {
  return display === undefined ? { reference: toUrn(id) } : { reference: toUrn(id), display };
}
