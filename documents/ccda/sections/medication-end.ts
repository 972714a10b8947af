import type { Element } from 'slimdom';
import { getAttribute } from '../elements.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { getEnd, getStart, parseTs, toDate, type Time } from '../times.ts';
import { getDrugCode } from './medication-names.ts';
import { findCell } from './narrative-table.ts';
import { findExpiry } from './supplies.ts';

const START = /^(start(ed)?( date)?|date started)$/i;
const END = /^((end|stop)(ed|ped)?( date)?|date (ended|stopped))$/i;

/**
 * Finds when a drug ends: in its interval, else in the row of the narrative, where one vendor writes it alone. A drug that is
 * given at one point in time has no other end.
 */
export function findMedicationEnd(
  administration: Element,
  interval: Element | undefined,
  narrative: NarrativeIndex,
): Time | undefined {
  const stated = getEnd(interval);
  if (stated !== undefined || getAttribute(interval, 'value') !== undefined) return stated;
  const find = (heading: RegExp): string | undefined =>
    findCell(administration, heading, narrative) ?? findCell(getDrugCode(administration), heading, narrative);
  const cell = find(END);
  if (cell === undefined || !/\d{4}/.test(cell)) return undefined;
  const days = listDays(cell, { cell: find(START), day: toDate(getStart(interval)) });
  const expiry = toDate(findExpiry(administration));
  const day = days.length > 1 ? days.find((each) => each === expiry) : days[0];
  return day === undefined ? { value: undefined, original: cell } : { value: day };
}

/**
 * Lists the days that a cell may mean. Of 10/02/2008 it is two, unless the same row writes the start, which the entry has as
 * a day, in one of both orders alone.
 */
function listDays(cell: string, start: { cell: string | undefined; day: string | undefined }): string[] {
  const orders = readDays(cell);
  const starts = readDays(start.cell ?? '');
  const isKnown = start.day !== undefined && starts.includes(start.day);
  const days = orders.filter((_, order) => !isKnown || starts[order] === start.day);
  return [...new Set(days)].filter((day) => day !== undefined);
}

/** Reads a day with the month first, then with the day first; one in ISO's order is the same in both. */
function readDays(cell: string): [string | undefined, string | undefined] {
  const iso = /^(\d{4})-(\d{2})-(\d{2})\b/.exec(cell);
  const [, one = '', other = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b/.exec(cell) ?? [];
  const read = (month: string, day: string): string | undefined =>
    iso === null
      ? parseTs(`${year}${month.padStart(2, '0')}${day.padStart(2, '0')}`)?.value
      : parseTs(iso.slice(1).join(''))?.value;
  return [read(one, other), read(other, one)];
}
