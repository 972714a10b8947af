import { findCodeName } from './code-names.ts';
import {
  formatConcept,
  isOfAbsence,
  leaveOutAbsent,
  normalizeCodeSystem,
  normalizeName,
  parseCodings,
  toCodeKey,
  type Coding,
} from './codeable-concept.ts';

/** Codes that a vendor writes for what it has no code for: they say what kind of thing it is, never which. */
const CODES_WITHOUT_MEANING = new Set(
  [
    // SNOMED CT: allergy to substance, propensity to adverse reactions (to substance, drug, food), drug and food allergy,
    // environmental allergy, allergy, substance, drug, disease, problem, clinical finding, finding, procedure, not known.
    '419199007 420134006 418038007 419511003 418471000 416098002 414285001 426232007 106190000 609328004 105590001 410942007',
    '64572001 55607006 404684003 71388002 261665006 74964007 373873005 762766007 781474001',
    // v3 NullFlavor and data-absent-reason.
    'UNK NI NA NASK ASKU NAV OTH MSK NINF PINF UNC DER NP QS TRC UNKNOWN NOT-APPLICABLE UNSUPPORTED UNSPECIFIED OTHER NONE',
    // Placeholders of registers: NDC and local numbers without a drug.
    '0 00 000 0000 00000 000000 00000000000 0000000000 000000000 99999999999 9999999999 99999 9999 999 -1 N/A NULL NO_CODE NOCODE',
    // LOINC: LOINC not available, unknown.
    'LA4489-6 LA14698-7 LP6960-1 74465-6',
    // ICD-10-CM: illness unspecified; ICD-9-CM: other unknown causes.
    'R69 799.9',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Names that say no more than such a code. Whole names only: "unknown allergy to nuts" names something. No name can be read
 * in two ways (what stands between two words belongs to neither, and no word is two others), else a name of 40 words that
 * ends with another one takes 2^40 attempts.
 */
const NAME_WITHOUT_MEANING =
  /^(?:(?:un(?:known|specified|classified|coded|listed|mapped|identified)|misc(?:ellaneous)?|other|others|not (?:known|specified|available|applicable|recorded|otherwise specified|listed)|no(?:ne|t)?(?:code|entry| ?coded| ?information)?|n\/?a|null|generic|free ?text|see (?:text|comments?|notes?|description)|nos|tbd|allerg(?:y|ies|en)|allergic|intolerances?|propensity|adverse|reactions?|drugs?|medic(?:ation|ations|ine|ines|inal)|medicament|pharmaceutical|products?|substances?|agents?|food|environment(?:al)?|diseases?|disorders?|illness|problems?|conditions?|diagnos[ei]s|clinical|findings?|observations?|results?|tests?|lab(?:oratory)?|procedures?|services?|orders?|vaccines?|immunizations?|visits?|encounters?|items?|entry|codes?|to|of|the|a|an|or|and|type|kind|situation|event|qualifier|value|preparation|custom|compound(?:ed)?|nicht|unbekannt|sonstige[rs]?|andere|desconocid[oa]|otros?|inconnue?)(?:[\s,:()/.-]+|$))+$/i;

/** Medication, drug, allergy alone is a class; a class with a qualifier of its own ("food allergy to nuts") does not match. */
export function isInformativeName(name: string | null): name is string {
  if (name === null) return false;
  const plain = normalizeName(name);
  return /[\p{L}\p{N}]/u.test(plain) && !NAME_WITHOUT_MEANING.test(plain);
}

/** Whether a code says which thing is meant: not where the code, or the display beside it, stands for anything. */
export function isInformativeCode(coding: Coding): boolean {
  const { system, code, display } = coding;
  if (code === null || CODES_WITHOUT_MEANING.has(code.toUpperCase())) return false;
  if (isOfAbsence(coding) || /absent-unknown/i.test(system ?? '')) return false;
  return (display === null || isInformativeName(display)) && isInformativeName(code);
}

/** Words that two names of one thing may differ in: articles, SNOMED CT's tags, and what every drug or disease is. */
const FILLERS = new Set(
  [
    'a an the of in on to for with and or by due without as at from',
    'disorder finding situation procedure substance product organism event regime therapy observable entity qualifier value',
    'physical force person unspecified nos hcc cmd',
  ].flatMap((line) => line.split(' ')),
);

/** The words of a name in one form: "Tablets" and "tablet" are one, "5mg" is "5 mg". */
function listWords(name: string): string[] {
  const words = normalizeName(name).match(/\d+(?:[.,]\d+)*|[\p{L}\p{M}]+/gu) ?? [];
  return words
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .filter((word) => !FILLERS.has(word));
}

/**
 * The key of what an entry is about: entries of one kind with the same key are one thing to a reader. An informative code
 * counts, unless the name says something that no display of the codes says ("Insulin" under "Miscellaneous drug", "Fracture
 * of left wrist" under "Fracture"): then both must be the same. Without an informative code the name counts; a thing
 * without either, or with a bare number of no system, is one with nothing else. It depends on the entry alone, so that a
 * group never shows that the consent withholds one of it.
 */
export function buildGroupKey(thing: {
  /** `system|code` that names it best. */
  code: string | null;
  title: string;
  /** What the code and the title were read from; absent where another resource lends both. */
  concept?: unknown;
  /** `Type/id`, for what has no name. */
  itself: string;
}): string {
  const { code, title, itself } = thing;
  const codings = parseCodings(thing.concept);
  const coding = codings.find((each) => `${each.system ?? ''}|${each.code}` === code) ?? parseCodeKey(code);
  const named = isInformativeName(title) && !isCodeItself(title, code);
  const byName = named ? `text:${normalizeName(title)}` : `one:${itself}`;
  if (coding === null || !isInformativeCode(coding)) return byName;
  if (coding.system === null) return named ? `${code}|${normalizeName(title)}` : byName;
  // A name of our own table is the code's, as a display is.
  const names = codings.flatMap(({ system, code: each, display }) => [display, findCodeName(system, each)]);
  const known = new Set(names.flatMap((name) => (name === null ? [] : listWords(name))));
  // Of a drug known by reference the name is the other resource's: its code was chosen there.
  if (thing.concept === undefined) return code as string;
  const more = named ? [...new Set(listWords(title))].filter((word) => !known.has(word)).sort() : [];
  return more.length === 0 ? (code as string) : `${code}|${more.join(' ')}`;
}

/** A title that was made of the code ("LOINC 8480-6", "12345") is no name. */
export function isCodeItself(title: string, code: string | null): boolean {
  const written = code?.slice(code.indexOf('|') + 1) ?? '';
  return (
    written !== '' &&
    (title === written || title.endsWith(` ${written}`)) &&
    !/\s\S*\s/.test(title.replace('SNOMED CT', 'SNOMED'))
  );
}

function parseCodeKey(key: string | null): Coding | null {
  if (key === null) return null;
  const bar = key.indexOf('|');
  const system = normalizeCodeSystem(key.slice(0, bar));
  return { system, code: key.slice(bar + 1), display: null, userSelected: false };
}

/** Formats the name of a thing: the sender's text, unless it says nothing and a display of the codes does. */
export function formatTitle(value: unknown): string | null {
  const title = formatConcept(value);
  if (title === null || isInformativeName(title)) return title;
  const codings = leaveOutAbsent(parseCodings(value));
  return codings.find(({ display }) => isInformativeName(display))?.display ?? title;
}

/** Whether entries with this key have nothing but a code without meaning: record linkage does not compare such codes. */
export const isKeyWithoutCode = (groupKey: string): boolean => /^(?:not:)?(?:text|one):/.test(groupKey);

/** Returns the key of the code that names it best, where that code says which thing is meant. */
export function toInformativeCodeKey(value: unknown, preferred: readonly string[] = []): string | null {
  const key = toCodeKey(value, preferred);
  const coding = parseCodings(value).find((each) => `${each.system ?? ''}|${each.code}` === key);
  return coding !== undefined && isInformativeCode(coding) ? key : null;
}
