import type { ParsedResource } from '../store/found-resource.ts';
import { parseCodings, normalizeCodeSystem } from './codeable-concept.ts';
import { toElements, readText } from './element.ts';

const NAMING_ELEMENTS = ['code', 'vaccineCode', 'medicationCodeableConcept', 'type'];
/** A document's type is shared by all notes of its kind. */
const NOTES = new Set<unknown>(['DocumentReference', 'DiagnosticReport', 'Composition']);

/** More, or longer ones, are no names. */
const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 200;

/** Names of a resource under which another source may tell the same: identifiers, and codings beside the best one. */
export function collectAlternateNames(resource: ParsedResource, code: string | null): string[] {
  const concept = NAMING_ELEMENTS.map((name) => resource[name]).find((value) => value !== undefined);
  const coded = NOTES.has(resource.resourceType)
    ? []
    : parseCodings(concept).flatMap((coding) =>
        coding.system !== null && coding.code !== null && `${coding.system}|${coding.code}` !== code
          ? `code ${coding.system}|${coding.code}`
          : [],
      );
  const names = [...coded, ...toElements(resource['identifier']).flatMap(formatIdentifierName)];
  return [...new Set(names)].filter((name) => name.length <= MAX_NAME_LENGTH).slice(0, MAX_NAMES);
}

/** A value without the system it is from is anybody's: "1" is in every record. */
function formatIdentifierName({ system, value }: Readonly<Record<string, unknown>>): string[] {
  const [from, written] = [normalizeCodeSystem(system), readText(value)];
  return from === null || !from.includes(':') || written === null ? [] : [`id ${from}|${written}`];
}
