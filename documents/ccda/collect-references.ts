import { isRawNumber, type FhirValue } from './fhir-values.ts';

/** Collects what the references within a resource say. */
export function collectReferences(value: FhirValue | undefined, found: string[] = []): string[] {
  if (typeof value !== 'object' || isRawNumber(value)) return found;
  for (const [name, member] of Object.entries(value))
    if (name === 'reference' && typeof member === 'string') found.push(member);
    else collectReferences(member, found);
  return found;
}
