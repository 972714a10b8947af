import type { Element } from 'slimdom';
import { getEntryText, getOriginalText } from '../concepts.ts';
import { selectAll, getChild, getText } from '../elements.ts';
import type { CodeableConcept } from '../fhir-values.ts';
import type { Context } from '../section.ts';
import { buildAbsentStatement, isPlaceholder } from './absent-statement.ts';
import { isDenied } from './clinical-status.ts';
import { findDeniedName } from './denied-names.ts';
import { findCell } from './narrative-table.ts';
import { getCodes, isPhrase, toCheckedConcept } from './named-concepts.ts';

/** Generic drugs, whose negation excludes all of them. */
const ANY_DRUG = new Set(['410942007', '105590001', '763158003']);
/** Returns the code of the drug that is administered. */
export const getDrugCode = (administration: Element): Element | undefined =>
  selectAll(administration, 'consumable/manufacturedProduct/manufacturedMaterial/code')[0];

const HEADING = /\b(medication|drug|product|name)s?\b/i;

const isAnyDrug = (code: Element | undefined): boolean => getCodes(code).every((each) => ANY_DRUG.has(each));

/** The drug of an administration. */
export interface Drug {
  concept: CodeableConcept;
  /** Says that no drugs are taken, or nothing of them. */
  isNone: boolean;
  /** The words of a denial whose name stands without them. */
  wording?: string | undefined;
}

/** Returns the drug by code, name or narrative; undefined where the entry only says that nothing is known. */
export function toDrug(administration: Element, { narrative }: Context): Drug | undefined {
  const [material] = selectAll(administration, 'consumable/manufacturedProduct/manufacturedMaterial');
  const code = getChild(material, 'code');
  const name = getText(getChild(material, 'name'));
  const named = toCheckedConcept(code, narrative, { name });
  const entryPhrase = getEntryText(administration, narrative);
  const inRow = findCell(code, HEADING, narrative) ?? findCell(administration, HEADING, narrative);
  if (isDenied(administration) && isAnyDrug(code)) {
    const original = getOriginalText(code, narrative);
    const denied = findDeniedName([name, named?.text, original, inRow, entryPhrase], 'medication');
    return denied === undefined
      ? { concept: buildAbsentStatement('medication', original ?? entryPhrase), isNone: true }
      : { concept: { text: denied.name }, isNone: false, wording: denied.wording };
  }
  const phrase = [name, inRow, entryPhrase].find((text) => text !== undefined && isPhrase(text));
  if (named !== undefined) {
    if (getCodes(code).length === 0 && isPlaceholder(named.text)) return undefined;
    const text = named.text !== undefined && isPhrase(named.text) ? named.text : (phrase ?? named.text);
    return { concept: { ...named, text }, isNone: false };
  }
  if (phrase === undefined || isPlaceholder(phrase)) return undefined;
  return { concept: { text: phrase }, isNone: false };
}
