import type { ParsedResource } from '../store/found-resource.ts';
import { CHOICE_TYPES, ELEMENTS_BY_TYPE } from './clinical-period.ts';
import { getPath, joinPresent, readText, toArray } from './element.ts';
import type { Entry } from './entry.ts';
import { parsePartialDate } from './partial-date.ts';

/** Longer ones are no dates, and a list of them says nothing more. */
const MAX_LENGTH = 40;
const MAX_DATES = 3;

/**
 * Lists the dates of a resource that are none: 03/09/2026, whose day and month nobody knows, 2026-02-30. Nothing is guessed of them,
 * so that what they date has no place in time.
 */
export function listUnreadDates(resource: ParsedResource): string[] {
  const found = new Set<string>();
  for (const name of ELEMENTS_BY_TYPE.get(resource.resourceType) ?? []) {
    const path = name.split('.');
    const parent = getPath(resource, ...path.slice(0, -1));
    for (const type of CHOICE_TYPES) {
      const value = getPath(parent, `${path.at(-1)}${type}`);
      if (value !== undefined) for (const each of listDates(value)) found.add(each);
    }
  }
  return [...found].slice(0, MAX_DATES);
}

function listDates(value: unknown): string[] {
  return toArray(value).flatMap((each) => {
    const parts = [each, ...['start', 'end', 'event'].map((name) => getPath(each, name))];
    return parts.flatMap(toArray).flatMap((part) => {
      const text = readText(part);
      const isNone = text !== null && parsePartialDate(text).day === null;
      return isNone ? [text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text] : [];
    });
  });
}

/** Adds to entries the dates that could not be read, as they were written, where they do not state them already. */
export function addUnreadDates(resource: ParsedResource, entries: Entry[]): Entry[] {
  const dates = listUnreadDates(resource);
  return dates.length === 0 ? entries : entries.map((entry) => addDates(entry, dates));
}

function addDates(entry: Entry, dates: readonly string[]): Entry {
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
