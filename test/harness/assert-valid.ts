import assert from 'node:assert/strict';
import { isLong } from './long.ts';

/** Asserts, in the long form, that each text is a valid resource of R4: whatever a test makes of a document. */
export async function assertValidResources(texts: readonly string[]): Promise<void> {
  if (!isLong) return;
  const { getFhirValidator } = await import('./validate-fhir.ts');
  const { findFaults } = getFhirValidator();
  for (const text of texts)
    assert.deepEqual(findFaults(JSON.parse(text) as { resourceType: string }), [], text);
}
