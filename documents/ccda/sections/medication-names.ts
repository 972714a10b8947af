import type { Element } from 'slimdom';
import { getEntryText, getOriginalText } from '../concepts.ts';
import { selectAll, getAttribute, getChild, getChildren, getText } from '../elements.ts';
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
  getChild(getMaterial(administration), 'code');

const HEADING = /\b(medication|drug|product|name)s?\b/i;

const isAnyDrug = (code: Element | undefined): boolean => getCodes(code).every((each) => ANY_DRUG.has(each));

/** Lists the names of a product that neither the text nor a code's display says: the brand beside the substance. */
function listOtherNames(material: Element | undefined, { coding = [], text }: CodeableConcept): string[] {
  const code = getChild(material, 'code');
  const said = [text, ...coding.map(({ display }) => display)].flatMap((each) => splitWords(each));
  const written = [code, ...getChildren(code, 'translation')].map((each) =>
    getAttribute(each, 'displayName'),
  );
  const names = [getText(getChild(material, 'name')), ...written].filter((name) => name !== undefined);
  return [...new Set(names)].filter((name) => splitWords(name).some((word) => !said.includes(word)));
}

const splitWords = (name: string | undefined): string[] => name?.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Formats other names as notes: "Product name: Plavix". */
export const formatOtherNames = (material: Element | undefined, concept: CodeableConcept): string[] =>
  listOtherNames(material, concept).map((name) => `Product name: ${name}`);

/** Returns the product that is administered. */
export const getMaterial = (administration: Element): Element | undefined =>
  selectAll(administration, 'consumable/manufacturedProduct/manufacturedMaterial')[0];

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
  const material = getMaterial(administration);
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
