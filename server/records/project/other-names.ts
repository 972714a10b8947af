import type { ParsedResource } from '../found-resource.ts';
import { codings, codeSystem } from './codeable-concept.ts';
import { elements, text } from './element.ts';

const NAMED_BY = ['code', 'vaccineCode', 'medicationCodeableConcept', 'type'];
/** A document's type is shared by all notes of its kind. */
const NOTES = new Set<unknown>(['DocumentReference', 'DiagnosticReport', 'Composition']);

/** More, or longer ones, are no names. */
const MOST = 12;
const LONGEST = 200;

/** Names of a resource under which another source may tell the same: identifiers, and codings beside the best one. */
export function otherNames(resource: ParsedResource, code: string | null): string[] {
  const concept = NAMED_BY.map((name) => resource[name]).find((value) => value !== undefined);
  const coded = NOTES.has(resource.resourceType)
    ? []
    : codings(concept).flatMap((coding) =>
        coding.system !== null && coding.code !== null && `${coding.system}|${coding.code}` !== code
          ? `code ${coding.system}|${coding.code}`
          : [],
      );
  const names = [...coded, ...elements(resource['identifier']).flatMap(identifierName)];
  return [...new Set(names)].filter((name) => name.length <= LONGEST).slice(0, MOST);
}

/** A value without the system it is from is anybody's: "1" is in every record. */
function identifierName({ system, value }: Readonly<Record<string, unknown>>): string[] {
  const [from, written] = [codeSystem(system), text(value)];
  return from === null || !from.includes(':') || written === null ? [] : [`id ${from}|${written}`];
}
