import fs from 'node:fs';
import { listReferenceTargets } from '../test/harness/fhir-definitions.ts';

/** Writes the table of what references may point to, from the definitions of FHIR R4; a test fails when it is stale. */
const file = new URL('../documents/fhir/reference-targets.json', import.meta.url);
fs.writeFileSync(file, `${JSON.stringify(listReferenceTargets(), null, 2)}\n`);
