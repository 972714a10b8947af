import { COLLECTIVE, DRUGS, FORM, KINDS, MARKERS, SUBJECTS } from './absence-words.ts';

/**
 * What a statement of absence says: that there is none, or that nothing is known, because nobody asked or wrote it down.
 * The second is never read as the first.
 */
export type Absence = 'none' | 'no information';

const isClosed = (word: string): boolean =>
  isSubject(word) || COLLECTIVE.has(word) || KINDS.has(word) || FORM.has(word) || MARKERS.has(word);

/** Nobody asked, or wrote it down. */
const NOT_ASKED = new RegExp(
  [
    String.raw`\bnot (?:yet |currently |been )*(?:on file|in (?:the )?(?:system|chart|record)|asked|assessed|recorded|documented|obtained|obtainable|reviewed|verified|provided|entered|reported|stated|elicited|determined|evaluated|listed)\b`,
    String.raw`\b(?:unable|impossible|not able|cannot|could not)(?: be)?(?: to)?(?: be)? (?:assess|obtain|determine|evaluate|ascertain|verify|provide)`,
    String.raw`\b(?:no|without) (?:(?!in |on |of |about )[a-z]+ ){0,4}(?:information|info|data|records?)\b`,
    String.raw`\bno (?:se )?(?:le )?(?:ha |han |pudo |puede |es )*(?:sido )?(?:posible )?(?:pregunt|interrog|disponible|aplica|valora|evalua|obten|recogid|registrad|documentad)`,
    String.raw`\bnicht (?:erhoben|erfragt|erfasst|dokumentiert|angegeben|beurteilbar|verfugbar)\b`,
    String.raw`\bkeine (?:[a-z]+ ){0,3}(?:angaben|informationen|daten)\b`,
    String.raw`\bsin (?:informacion|datos)\b|\bse desconocen?\b|\bimposible(?: de)? (?:valorar|evaluar|obtener)`,
  ].join('|'),
);
/** May as well be said of one thing that is there: "Unknown antibiotic", "Drug allergy, unknown". */
const NOT_KNOWN =
  /\b(?:unknown|unavailable|undetermined|unobtainable|not known|not available|not applicable|na|uta|uto|desconocid[oa]s?|unbekannte?|nicht bekannt)\b/;
/** "No longer", "not active" and the like deny a state of a thing, not the thing. */
const NONE =
  /\b(?:no|nil|none|nothing|without|denie[sd]|denying|nk[a-z]?a|sin|niega|negad[oa]s?|ning[u]n[oa]?s?|nada|namc|kein(?:e[nrs]?|erlei)?|ohne|nein|nichts|verneint)\b|\bnot (?:known to (?:have|be)|have|allergic)\b/;
const NOT_TAKING = /\bnot (?:currently |presently )?(?:taking|on|using|prescribed)\b/;

const SEMANTIC_TAG =
  / \((?:situation|finding|disorder|event|context-dependent category|contextual qualifier|qualifier value)\)/g;
const MAX_LENGTH = 160;

const WORD = /[\p{L}\p{N}]+/gu;

const toPlain = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(SEMANTIC_TAG, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\bn\/a\b|\bn\.a\.?(?=\s|$)/g, 'na');

/**
 * Reads "No known drug or food allergies per patient", "Allergies: none", "Not on file", "Sin alergias conocidas". Every word must be
 * one that names nothing, else the name may hold a fact: "No known allergies except penicillin". Only an allergy may be
 * denied by its name ("No known peanut allergy"): it is none.
 */
export function parseAbsence(title: string): Absence | null {
  if (title.length > MAX_LENGTH) return null;
  const plain = toPlain(title);
  const clauses = plain
    .split(/[;,.()[\]|]+/)
    .map((clause) => clause.match(WORD) ?? [])
    .filter((words) => words.length > 0);
  const words = clauses.flat();
  if (!words.every(isClosed)) return isAllergyDeniedByName(plain) ? 'none' : null;
  if (words.some((word) => KINDS.has(word)) && !words.some((word) => isSubject(word) || COLLECTIVE.has(word)))
    return null;
  // Sodium.
  if (title.trim() === 'Na') return null;
  const read = clauses.map(readClause);
  if (read.includes('fact')) return null;
  return read.find((each) => each === 'none') ?? read.find((each) => each === 'no information') ?? null;
}

const NO_DATA =
  /^(?:no|without|sin|keine)\b.* (?:information|info|data|records?|informacion|datos|angaben|informationen|daten)\b/;
const DATA = /^(?:information|info|data|informacion|datos|angaben|informationen|daten)$/;

/** Whether a name says that there is nothing to say of a kind of thing: "No immunization data is applicable", on whatever day. */
export function deniesData(title: string): boolean {
  const plain = toPlain(title);
  const words = plain.match(WORD) ?? [];
  return (
    parseAbsence(title) === 'no information' &&
    NO_DATA.test(plain) &&
    words.some((word) => !DATA.test(word) && (isSubject(word) || COLLECTIVE.has(word) || OCCASIONS.has(word)))
  );
}

const OCCASIONS: ReadonlySet<string> = new Set(['encounter', 'visit', 'admission']);

/** Reads a clause of closed words; null for one that frames the others, as "Problem list reviewed". */
function readClause(words: readonly string[]): Absence | 'fact' | null {
  const text = words.join(' ');
  if (NOT_ASKED.test(text)) return 'no information';
  const [unknown] = NOT_KNOWN.exec(text) ?? [];
  if (unknown !== undefined) return namesNothing(text, unknown) ? 'no information' : 'fact';
  if (NOT_TAKING.test(text)) return /\bany\b|\bningun/.test(text) || namesMany(words) ? 'none' : 'fact';
  const [none] = NONE.exec(text) ?? [];
  if (none !== undefined) return isOfOther(text, none) ? 'fact' : 'none';
  return words.some(isSubject) && !words.some((word) => COLLECTIVE.has(word)) ? 'fact' : null;
}

const isSubject = (word: string): boolean => SUBJECTS.has(word) || DRUGS.has(word);
const namesMany = (words: readonly string[]): boolean =>
  words.some((word) => COLLECTIVE.has(word) || DRUGS.has(word));

/** What stands before and behind a marker. */
function splitAt(text: string, marker: string): [before: string[], behind: string[]] {
  const at = text.indexOf(marker);
  return [text.slice(0, at).split(' '), text.slice(at + marker.length).split(' ')];
}

/** "Unknown", "Allergy status unknown", "Medications unknown"; not "Unknown drug" or "Unknown medications", which are taken. */
function namesNothing(text: string, marker: string): boolean {
  const [before, behind] = splitAt(text, marker);
  const isCollective = (words: readonly string[]): boolean => words.some((word) => COLLECTIVE.has(word));
  return (!behind.some(isSubject) || isCollective(behind)) && (!before.some(isSubject) || namesMany(before));
}

/** "Food allergy: no reaction" is one; "Food allergy: none" is none. */
function isOfOther(text: string, marker: string): boolean {
  const [before, behind] = splitAt(text, marker);
  return before.some(isSubject) && !namesMany(before) && behind.some(isSubject);
}

/** What may follow a denial that is not of one thing alone, or that is no denial of an allergy: "no known trigger of". */
const MORE =
  /\b(?:and|but|except|excluding|other|than|besides|for|of|from|with|in|due|y|e|pero|salvo|excepto|menos|und|aber|ausgenommen|bei|von|mit)\b|außer|ausser/;
const ALLERGY_DENIED_BY_NAME = [
  /^(?:(?:patient|pt) )?(?:(?:has |reports )?no (?:known|history of)|denies(?: any)?) ((?:[\p{L}-]+ ){0,4})(?:allerg(?:y|ies)|intolerances?|hypersensitivity|sensitivity)((?: to(?: [\p{L}-]+){1,6})?)\W*$/u,
  /^(?:paciente )?(?:sin|niega|no (?:se conocen?|refiere|presenta|tiene|hay)) (\p{L}+ )?alergias?(?: conocidas?)? al?((?: \p{L}+){1,6})\W*$/u,
  /^(?:keine?|ohne) (?:bekannten? )?(\p{L}+)?(?:allergien?|unvertraglichkeit(?:en)?)((?: (?:gegen|auf)(?: \p{L}+){1,6})?)\W*$/u,
] as const;

const isAllergyDeniedByName = (plain: string): boolean =>
  ALLERGY_DENIED_BY_NAME.some((pattern) => {
    const match = pattern.exec(plain);
    return match !== null && !MORE.test(`${match[1] ?? ''} ${match[2] ?? ''}`);
  });
