import type { Element } from 'slimdom';
import { toCodeSystem } from './code-systems.ts';
import { getAttribute, getChild, getChildren, getText } from './elements.ts';
import type { CodeableConcept, Coding } from './fhir-values.ts';
import type { NarrativeIndex } from './narrative-index.ts';
import { buildAbsentConcept } from './null-flavors.ts';

/**
 * Converts a `CD` or `CE`: its code and its translations become codings, `text` what the author wrote (`originalText`, or
 * the piece of the narrative it points to), else the name of the code. Returns undefined where it is empty.
 */
export function toCodeableConcept(
  code: Element | undefined,
  narrative: NarrativeIndex,
): CodeableConcept | undefined {
  if (code === undefined) return undefined;
  const coding = toCodings(code);
  const text =
    getOriginalText(code, narrative) ??
    getAttribute(code, 'displayName') ??
    coding.find(({ display }) => display)?.display;
  return coding.length === 0 && text === undefined ? undefined : { coding, text };
}

/** Adds the values of a code's qualifiers to its name: "Fracture (Left)". */
export function addQualifiers(
  read: CodeableConcept | undefined,
  code: Element,
  narrative: NarrativeIndex,
): CodeableConcept | undefined {
  const words = getChildren(code, 'qualifier').flatMap((qualifier) => {
    const value = toCodeableConcept(getChild(qualifier, 'value'), narrative);
    return value?.text ?? value?.coding?.[0]?.code ?? [];
  });
  return read === undefined || words.length === 0
    ? read
    : { ...read, text: `${read.text ?? ''} (${words.join(', ')})`.trim() };
}

/** Converts a code for an element that FHIR requires: an absent one becomes the reason that the document gives. */
export function toConceptOrAbsent(code: Element | undefined, narrative: NarrativeIndex): CodeableConcept {
  return toCodeableConcept(code, narrative) ?? buildAbsentConcept(code);
}

/** Returns the code itself, then its translations; a null-flavored code has only these. */
export function toCodings(code: Element | undefined): Coding[] {
  if (code === undefined) return [];
  return dedupeCodings(
    [toCoding(code), ...getChildren(code, 'translation').flatMap(toCodings)].filter(
      (one) => one !== undefined,
    ),
  );
}

/** Returns what the author wrote or chose: `originalText`, or the narrative it points to. */
export function getOriginalText(element: Element | undefined, narrative: NarrativeIndex): string | undefined {
  return resolveText(getChild(element, 'originalText'), narrative);
}

/** Returns the text of an `originalText` or `text` element, or the narrative that its reference names. */
export function resolveText(element: Element | undefined, narrative: NarrativeIndex): string | undefined {
  if (element === undefined) return undefined;
  return (
    getText(element) ?? narrative.resolveText(getAttribute(getChild(element, 'reference'), 'value'), element)
  );
}

/** Returns the narrative of an entry: its `text`, or what `text/reference` points to. */
export function getEntryText(entry: Element | undefined, narrative: NarrativeIndex): string | undefined {
  return resolveText(getChild(entry, 'text'), narrative);
}

function toCoding(code: Element): Coding | undefined {
  const value = getAttribute(code, 'code');
  if (value === undefined) return undefined;
  return {
    system: toCodeSystem(getAttribute(code, 'codeSystem')),
    // FHIR R4 `code` has at most single blanks between its words.
    code: value.replace(/\s+/g, ' '),
    display: getAttribute(code, 'displayName'),
  };
}

/** Drops codings that say nothing new: the same code without a name, or with the same. */
function dedupeCodings(codings: readonly Coding[]): Coding[] {
  const isSame = (one: Coding, other: Coding): boolean =>
    one.system === other.system && one.code === other.code;
  return codings.filter((one, index) => {
    const name = one.display?.toLowerCase();
    if (name === undefined)
      return !codings.some((each, at) => isSame(one, each) && (at < index || each.display !== undefined));
    return !codings.slice(0, index).some((each) => isSame(one, each) && each.display?.toLowerCase() === name);
  });
}
