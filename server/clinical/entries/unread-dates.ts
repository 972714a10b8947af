import type { ParsedResource } from '../store/found-resource.ts';
import { CHOICE_TYPES, ELEMENTS_BY_TYPE } from './clinical-period.ts';
import { getPath, joinPresent, readText, toArray, toElement, toElements, type Element } from './element.ts';
import type { Entry } from './entry.ts';
import { toWhenNames } from './entry-base.ts';
import { parsePartialDate } from './partial-date.ts';

/** Longer ones are no dates, and a list of them says nothing more. */
const MAX_LENGTH = 40;
const MAX_DATES = 3;

/** What says besides how long something lasts: it has no place in time by these, and is over or not. */
const LASTING_BY_TYPE: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['Condition', ['abatement']],
  ['MedicationRequest', ['dosageInstruction.timing.repeat.bounds', 'dispenseRequest.validityPeriod']],
  ['MedicationStatement', ['dosage.timing.repeat.bounds']],
]);

/** What a date without a value was written as; converted documents have it here, since it would be no value of FHIR. */
const ORIGINAL_TEXT = 'http://hl7.org/fhir/StructureDefinition/originalText';

/**
 * Lists the dates of a resource that are none: 03/09/2026, whose day and month nobody knows, 2026-02-30. Nothing is guessed of them,
 * so that what they date has no place in time.
 */
export function listUnreadDates(resource: ParsedResource): string[] {
  const found = new Set<string>();
  for (const elements of [ELEMENTS_BY_TYPE, LASTING_BY_TYPE])
    for (const element of elements.get(resource.resourceType) ?? []) {
      const path = element.split('.');
      const name = path.pop() ?? '';
      for (const parent of findParents(resource, path))
        for (const type of CHOICE_TYPES)
          for (const each of listDates(parent, `${name}${type}`)) found.add(each);
    }
  return [...found].slice(0, MAX_DATES);
}

const findParents = (resource: Element, path: readonly string[]): Element[] =>
  path.reduce<Element[]>(
    (parents, name) => parents.flatMap((parent) => toElements(parent[name])),
    [resource],
  );

function listDates(parent: Element, name: string): string[] {
  const value = parent[name];
  if (value === undefined) return readOriginal(parent, name);
  return toArray(value).flatMap((each) => {
    const inner = toElement(each);
    if (inner === null) return listUnparsable(each);
    const ends = ['start', 'end'].flatMap((end) =>
      inner[end] === undefined ? readOriginal(inner, end) : listUnparsable(inner[end]),
    );
    return [...ends, ...toArray(inner['event']).flatMap(listUnparsable)];
  });
}

function listUnparsable(value: unknown): string[] {
  const text = readText(value);
  return text === null || parsePartialDate(text).day !== null ? [] : [truncate(text)];
}

/** Reads what a date that has no value was written as. */
function readOriginal(parent: Element, name: string): string[] {
  const companion = parent[`_${name}`];
  if (companion === undefined) return [];
  return toElements(getPath(companion, 'extension')).flatMap(({ url, valueString }) => {
    const text = url === ORIGINAL_TEXT ? readText(valueString) : null;
    return text === null ? [] : [truncate(text)];
  });
}

const truncate = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;

/** Adds to entries the dates that could not be read, as they were written, where they do not state them already. */
export function addUnreadDates(resource: ParsedResource, entries: Entry[]): Entry[] {
  const dates = listUnreadDates(resource);
  return dates.length === 0 ? entries : entries.map((entry) => addDates(entry, dates));
}

function addDates(found: Entry, dates: readonly string[]): Entry {
  const entry = { ...found, names: [...new Set([...(found.names ?? []), ...toWhenNames(dates)])] };
  const stated = JSON.stringify(entry.detail);
  const others = dates.filter((date) => !stated.includes(JSON.stringify(date).slice(1, -1)));
  if (others.length === 0) return entry;
  const written = `date as written: ${others.join(', ')}`;
  if (entry.kind === 'visit') {
    const admission = joinPresent([written, entry.detail.admission], '; ') ?? written;
    return { ...entry, detail: { ...entry.detail, admission } };
  }
  if (entry.kind === 'note') return { ...entry, detail: { ...entry.detail, writtenDate: written } };
  const { detail } = entry;
  const name = 'note' in detail ? 'note' : 'text';
  const text = joinPresent([written, readText((detail as { note?: unknown; text?: unknown })[name])], '\n');
  return { ...entry, detail: { ...detail, [name]: text } } as Entry;
}
