/** Of a code alone these are primary care, a caregiver and the expected day of discharge; among other words they are as in a text. */
const AMBIGUOUS = /^(?:PCP|CG|EDD)$/i;

export const isAmbiguous = (name: string): boolean => AMBIGUOUS.test(name);

const MAX_LENGTH = 4000;

/**
 * Lists a name that has no spaces (a code, an id, an address) as a text that says the same: "HIV-VL", "opioid_dependence",
 * "HIV1AB", "http://a.example/hivStatus". What is random, as many ids are, is not taken apart: it would have words by chance.
 */
export function listNameReadings(name: string): Set<string> {
  if (!/\p{L}/u.test(name) || isAmbiguous(name)) return new Set();
  const written = decodeLoosely(name.slice(0, MAX_LENGTH));
  const parts = written.split(/[^\p{L}\p{M}\d]+/u).filter((part) => part !== '');
  return new Set([
    written,
    parts.join(' '),
    parts.map(splitPart).join(' '),
    parts.map((part) => splitBeforeNumber(splitPart(part))).join(' '),
  ]);
}

/** "HIVViralLoad" as "HIV Viral Load", "HIV1AB" as "HIV1 AB". */
function splitPart(part: string): string {
  if ((part.match(/\d+/g)?.length ?? 0) > 1) return part;
  const split = part
    .replace(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
    .replace(/\d(?=\p{L})/gu, '$& ');
  const isMixed = /\p{Lu}/u.test(part) && /\p{Ll}/u.test(part);
  return isMixed && part.length < MIN_WORD_LENGTH * split.split(' ').length ? part : split;
}

/** Of the words of a name, on the average: random letters in either case make shorter ones. */
const MIN_WORD_LENGTH = 3;

/** "METHADONE10" as "METHADONE 10". */
const splitBeforeNumber = (part: string): string => part.replace(/^(\p{L}+)(\d+)(?=$| )/u, '$1 $2');

/** Decodes the percent signs of an address; one that has them for something else stays as it is. */
export function decodeLoosely(address: string): string {
  if (!address.includes('%')) return address;
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
