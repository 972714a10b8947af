import { readText, toElement, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import type { Frame } from './frame.ts';
import { getTargetKind } from './target-labels.ts';

/** The elements that say whom a resource is about, and what they call that person: addresses and names. */
const ABOUT: ReadonlySet<string | number> = new Set(['subject', 'patient', 'beneficiary', 'for']);

/** Lists the addresses and names by which a resource means whom it is about. */
export function findPatientNames(resource: ParsedResource): ReadonlySet<string> {
  const names = new Set<string>();
  for (const element of ABOUT) {
    const { reference, display } = toElement(resource[element]) ?? {};
    for (const name of [readText(reference), readText(display)]) if (name !== null) names.add(toPlain(name));
  }
  return names;
}

const toPlain = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, ' ');

/**
 * Whether a reference names the patient: as whom the resource is about, whatever else FHIR lets it be about (a device, a group),
 * or by the same address or name, wherever somebody is named.
 */
export function isPatient(
  { key, node, parent }: Frame,
  types: readonly string[],
  patient: ReadonlySet<string>,
): boolean {
  const name = typeof key === 'string' ? key : (parent?.key ?? '');
  if (types.includes('Patient') && ABOUT.has(name)) return true;
  const { reference, display } = node as Element;
  return (
    getTargetKind(types) === 'part' &&
    [readText(reference), readText(display)].some((text) => text !== null && patient.has(toPlain(text)))
  );
}
