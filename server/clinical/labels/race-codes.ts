import type { Element } from '../entries/element.ts';

/**
 * The form of codes of race and ethnicity (CDC), which is that of LOINC. 2106-3 is White, and a pregnancy test; 2110-5, 2112-1,
 * 2118-8 and 2119-6 are both as well. Where no system is named, it depends on where the code stands.
 */
const RACE = /^(?:1\d|2[01])\d\d-\d$/;

/** The names of those codes that LOINC has too, in words of their own and of those who shorten them. */
const RACE_NAME = /\b(?:white|caucasian|blanc[oa]|english|german|middle eastern|assyrian)\b/i;

/** Extensions that say it: `…/us-core-race`, `patientRace`. */
const NAMES_RACE = /(?:^|[^A-Za-z])race|Race(?![a-z])|[Ee]thnic/;
const ELEMENTS = new Set(['race', 'ethnicity', 'raceCode', 'ethnicGroupCode', 'ethnicityCode']);

/** True where a string has the form of such a code. */
export const isRaceForm = (value: unknown): boolean => typeof value === 'string' && RACE.test(value.trim());

/** Whether a coding is one by its display. */
export const isNamedAsRace = ({ code, display }: Element): boolean =>
  isRaceForm(code) && typeof display === 'string' && RACE_NAME.test(display);

/** Adds all elements of an extension or element that says somebody's race or ethnicity, by its address or its name. */
export function addRaceParts(element: Element, name: string, parts: Set<object>): void {
  if (name === 'extension') {
    const { url } = element;
    if (typeof url !== 'string' || !NAMES_RACE.test(url)) return;
  } else if (!ELEMENTS.has(name)) return;
  const pending: object[] = [element];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    parts.add(node);
    for (const value of Object.values(node))
      if (typeof value === 'object' && value !== null) pending.push(value as object);
  }
}

const IN_WORDS = /\b(?:race|raza|ethnic|omb|white|caucasian|blanc[oa])|[eé]tni[ac]|^PID\|/im;
const LED_BY_LOINC = /LOINC(?:\s{1,3}codes?)?[\s:#=("'[-]{0,5}$/i;
const IN_LOINC = /^\^[^^|~\r\n]{0,200}\^LN\b/;

/**
 * Returns what says whether a code of that form is one of race in a text that it stands in: where the text speaks of race, and not of
 * LOINC. That is looked for once, whatever number of such codes a text has.
 */
export function createRaceTest(
  text: string,
): (found: { code: string; start: number; end: number }) => boolean {
  let speaksOfRace: boolean | undefined;
  return ({ code, start, end }) =>
    RACE.test(code) &&
    !LED_BY_LOINC.test(text.slice(Math.max(0, start - 20), start)) &&
    !IN_LOINC.test(text.slice(end, end + 210)) &&
    (speaksOfRace ??= IN_WORDS.test(text));
}
