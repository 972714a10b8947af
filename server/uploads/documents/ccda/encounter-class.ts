import type { Element } from 'slimdom';
import { codings } from './concepts.ts';
import type { Coding } from './fhir-values.ts';

const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
/** v3 ActEncounterCode, to which `Encounter.class` is bound. */
const CLASSES = new Map([
  ['AMB', 'ambulatory'],
  ['EMER', 'emergency'],
  ['FLD', 'field'],
  ['HH', 'home health'],
  ['IMP', 'inpatient encounter'],
  ['ACUTE', 'inpatient acute'],
  ['NONAC', 'inpatient non-acute'],
  ['OBSENC', 'observation encounter'],
  ['PRENC', 'pre-admission'],
  ['SS', 'short stay'],
  ['VR', 'virtual'],
]);

/** `Encounter.class`, which R4 demands: of the code or its translations, else that it is not known. */
export function encounterClass(code: Element | undefined): Coding {
  const found = codings(code).find(
    ({ system, code }) => system === ACT_CODE && CLASSES.has(code ?? ''),
  )?.code;
  return found === undefined
    ? { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK', display: 'unknown' }
    : { system: ACT_CODE, code: found, display: CLASSES.get(found) };
}
