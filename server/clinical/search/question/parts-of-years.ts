import type { DaySpan } from './calendar-point.ts';

/** First month and the one after the last, counted from January of the year; generous, as people are. */
const PARTS: readonly (readonly [words: string, from: number, before: number])[] = [
  ['winter|invierno', 1, 15],
  ['spring|primavera|fruhling|fruhjahr', 3, 7],
  ['summer|verano|sommer', 6, 10],
  ['autumn|fall|otono|herbst', 9, 13],
  ['first (?:half|six months)|primera mitad|primer semestre|erste[nrs]? (?:halfte|halbjahr)', 1, 7],
  ['second half|last six months|segunda mitad|segundo semestre|zweite[nrs]? (?:halfte|halbjahr)', 7, 13],
  ['q1|first quarter|primer trimestre|erste[sn]? quartal', 1, 4],
  ['q2|second quarter|segundo trimestre|zweite[sn]? quartal', 4, 7],
  ['q3|third quarter|tercer trimestre|dritte[sn]? quartal', 7, 10],
  ['q4|fourth quarter|last quarter|cuarto trimestre|vierte[sn]? quartal', 10, 13],
  ['early|(?:the )?(?:beginning|start)|(?:a )?(?:principios|comienzos|inicios)|anfang', 1, 6],
  ['mid|(?:the )?middle|(?:a )?mediados|mitte', 4, 10],
  ['late|(?:the )?end|(?:a )?(?:finales|fines)|ende', 8, 13],
];

/** A part of a year: "summer", "early", "the end of". */
export const PART_OF_YEAR = PARTS.map(([words]) => words).join('|');

export function spanPartOfYear(part: string, year: number): DaySpan | null {
  const found = PARTS.find(([words]) => new RegExp(`^(?:${words})$`).test(part));
  if (found === undefined) return null;
  const [, from, before] = found;
  return { from: toMonth(year, from), before: toMonth(year, before) };
}

const toMonth = (year: number, month: number): string =>
  `${year + Math.floor((month - 1) / 12)}-${String(((month - 1) % 12) + 1).padStart(2, '0')}-01`;

const DECADES: readonly (readonly [words: string, year: number])[] = [
  ['50s|fifties|(?:anos )?cincuenta|anos 50|(?:50|funfzig)er(?: jahren?)?', 1950],
  ['60s|sixties|(?:anos )?sesenta|anos 60|(?:60|sechzig)er(?: jahren?)?', 1960],
  ['70s|seventies|(?:anos )?setenta|anos 70|(?:70|siebzig)er(?: jahren?)?', 1970],
  ['80s|eighties|(?:anos )?ochenta|anos 80|(?:80|achtzig)er(?: jahren?)?', 1980],
  ['90s|nineties|(?:anos )?noventa|anos 90|(?:90|neunzig)er(?: jahren?)?', 1990],
];

/** Only with an article: "in her 90s" is an age. */
export const DECADE = `(?:the|los|den|die) (?<decade>${DECADES.map(([words]) => words).join('|')})`;

export function spanDecade(text: string): DaySpan | null {
  const year = DECADES.find(([words]) => new RegExp(`^(?:${words})$`).test(text))?.[1];
  return year === undefined ? null : { from: `${year}-01-01`, before: `${year + 10}-01-01` };
}
