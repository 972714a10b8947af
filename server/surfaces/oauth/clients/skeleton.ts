import { remove as readAsLatin } from 'confusables';

/** Characters that look like others; `i`, `l` and an upper-case `I` are each one stroke. */
const HOMOGLYPHS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '|': 'l',
  '!': 'l',
  $: 's',
  '@': 'a',
  i: 'l',
};

/** Signs beside a name that compatibility decomposition (NFKD) would make letters of. */
const TRADE_MARKS = /[™℠]/gu;

/** Raised, enclosed and squared letters and digits, and the like: a name may be written in them, or with them beside it. */
const RAISED = /[\p{Lm}\p{So}\p{No}ªº]/gu;

/** Returns the text without raised letters and signs; the same text where there are none. */
export const dropRaised = (text: string): string => text.replace(RAISED, '');

/** Reads a word as the Latin letters and digits that it is written in or like, in lower case. */
export function toLatin(text: string): string {
  const letters = text
    .replace(TRADE_MARKS, '')
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
  return readAsLatin(letters).toLowerCase();
}

/** Reduces a name to the Latin letters that it resembles at a glance. */
export const toSkeleton = (text: string): string =>
  toLatin(text)
    .replace(/[0-9|!$@i]/g, (sign) => HOMOGLYPHS[sign] ?? sign)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[^\p{L}\p{N}]/gu, '');
