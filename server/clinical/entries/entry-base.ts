import type { EntryBase } from './entry.ts';
import { categorizeResource } from './category.ts';
import { leaveOutAbsent, normalizeCodeSystem, normalizeName, parseCodings } from './codeable-concept.ts';
import { buildGroupKey, isInformativeCode, isInformativeName } from './group-key.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { readText, toElements } from './element.ts';
import { resolveOrganization, findVisitReference } from './reference.ts';
import { collectLinks } from './links.ts';
import { findConcept } from './naming-concept.ts';
import { nameByNarrative } from './narrative.ts';
import type { EntryInput } from './entry-builder.ts';
import type { PartialDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';

export interface EntryFacts {
  title: string | null;
  code?: string | null;
  when: PartialDate;
  /** In the written precision. */
  end?: string | null;
  /** Where the status is not in `status`. */
  status?: string | null;
  current?: boolean;
  groupKey?: string;
  visit?: string | null;
  /** When it was, in words that are no date: "about 2001", "age 5 years". */
  whenText?: string | null;
  /** Whether the title only says of which kind it is, as a category or a class does: two of one kind are not one. */
  isKindAlone?: boolean;
}

/** Builds what every entry has. The category is the resource's own, so that tools and `$everything` never disagree. */
export function buildEntryBase(input: EntryInput, facts: EntryFacts): EntryBase {
  const { resource } = input;
  const name = facts.title ?? nameByNarrative(resource);
  const title = name ?? `${formatResourceType(resource.resourceType)}${NO_NAME}`;
  const code = facts.code ?? null;
  return {
    category: categorizeResource(resource),
    title,
    code,
    ...facts.when,
    endText: facts.end ?? null,
    status: facts.status === undefined ? readStatusCode(resource['status']) : facts.status,
    current: facts.current ?? false,
    groupKey:
      facts.groupKey ??
      buildGroupKey({
        code,
        title: name ?? '',
        concept: findConcept(resource),
        itself: formatItself(input),
      }),
    visit: facts.visit === undefined ? findVisitReference(input) : facts.visit,
    ...toNamesField([
      ...collectAlternateNames(resource, code),
      ...(facts.isKindAlone === true ? [KIND_ALONE] : []),
      ...toWhenNames([facts.whenText ?? '']),
    ]),
    ...toDisplaysField(findConcept(resource), title),
    ...toLinksField(resource),
    ...resolveOrganization(input),
  };
}

/** Among the names of an entry: its title is none. */
export const KIND_ALONE = 'kind alone';
/** Begins what stands among the names of an entry, and says when it was: by words two facts are distinguished as by a date. */
export const WHEN = 'when ';

export const toWhenNames = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => (text === '' ? [] : `${WHEN}${text}`.slice(0, MAX_NAME_LENGTH)));

/** The field `names`, absent where there are none: most entries are named by their code alone. */
export const toNamesField = (names: readonly string[]): Pick<EntryBase, 'names'> =>
  names.length === 0 ? {} : { names };

/** The field `links`, absent where there are none. */
function toLinksField(resource: ParsedResource): Pick<EntryBase, 'links'> {
  const links = collectLinks(resource);
  return links.length === 0 ? {} : { links };
}

/** More displays say the same in further languages or catalogues. */
const MAX_DISPLAYS = 4;

function toDisplaysField(concept: unknown, title: string): Pick<EntryBase, 'displays'> {
  const known = new Set([normalizeName(title)]);
  const displays = leaveOutAbsent(parseCodings(concept)).flatMap(({ display }) => {
    if (!isInformativeName(display) || display.length > MAX_NAME_LENGTH) return [];
    const plain = normalizeName(display);
    return known.has(plain) ? [] : (known.add(plain), [display]);
  });
  return displays.length === 0 ? {} : { displays: displays.slice(0, MAX_DISPLAYS) };
}

/** `Type/id`; a resource without an id is known by the beginning of its content. */
export const formatItself = ({ resource }: Pick<EntryInput, 'resource'>): string =>
  `${resource.resourceType}/${readText(resource.id) ?? formatBeginning(resource)}`;

const MAX_BEGINNING = 500;
/** Deeper content is left out: a resource may be nested deeper than the stack is. */
const MAX_BEGINNING_DEPTH = 8;

function formatBeginning(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === MAX_BEGINNING_DEPTH) return '…';
  let text = '';
  for (const [name, inner] of Object.entries(value)) {
    text += `${name}:${formatBeginning(inner, depth + 1)};`;
    if (text.length > MAX_BEGINNING) break;
  }
  return `{${text.slice(0, MAX_BEGINNING)}}`;
}

/** Stands behind the type of what has no name; such a title names nothing. */
export const NO_NAME = ' without a name';

/** "MedicationRequest" → "Medication request". */
export function formatResourceType(resourceType: unknown): string {
  const words = (readText(resourceType) ?? 'Record').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A document's type is shared by all notes of its kind. */
const NOTES = new Set<unknown>(['DocumentReference', 'DiagnosticReport', 'Composition']);

/** Further or longer values are no names. */
const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 200;

/** Collects the names by which record linkage may find a resource in another source: identifiers, and codings beside the best one. */
function collectAlternateNames(resource: ParsedResource, code: string | null): string[] {
  const concept = findConcept(resource);
  const coded = NOTES.has(resource.resourceType)
    ? []
    : parseCodings(concept).flatMap((coding) =>
        coding.system !== null && isInformativeCode(coding) && `${coding.system}|${coding.code}` !== code
          ? `code ${coding.system}|${coding.code}`
          : [],
      );
  const names = [...coded, ...toElements(resource['identifier']).flatMap(formatIdentifierName)];
  return [...new Set(names)].filter((name) => name.length <= MAX_NAME_LENGTH).slice(0, MAX_NAMES);
}

/** A value without a system identifies nothing: "1" is in every record. */
function formatIdentifierName({ system, value }: Readonly<Record<string, unknown>>): string[] {
  const [from, written] = [normalizeCodeSystem(system), readText(value)];
  return from === null || !from.includes(':') || written === null ? [] : [`id ${from}|${written}`];
}
