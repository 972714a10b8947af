import type { Element } from 'slimdom';
import { codeSystem } from './code-systems.ts';
import { attribute, child, children, textOf } from './elements.ts';
import type { CodeableConcept, Coding } from './fhir-values.ts';
import type { NarrativePlaces } from './narrative-places.ts';
import { absentConcept } from './null-flavors.ts';

/**
 * A `CD` or `CE`: its code and its translations as codings, and in `text` what the author wrote (`originalText`, or the
 * piece of the narrative it points to), else the name of the code. undefined where it says nothing.
 */
export function concept(code: Element | undefined, narrative: NarrativePlaces): CodeableConcept | undefined {
  if (code === undefined) return undefined;
  const coding = codings(code);
  const text =
    originalText(code, narrative) ??
    attribute(code, 'displayName') ??
    coding.find(({ display }) => display)?.display;
  return coding.length === 0 && text === undefined ? undefined : { coding, text };
}

/** For elements FHIR demands: what is not known says so, with the reason the document gives. */
export function conceptOrAbsent(code: Element | undefined, narrative: NarrativePlaces): CodeableConcept {
  return concept(code, narrative) ?? absentConcept(code);
}

/** The code itself first, then its translations; one that is null-flavored has only these. */
export function codings(code: Element | undefined): Coding[] {
  if (code === undefined) return [];
  return distinct(
    [coding(code), ...children(code, 'translation').flatMap(codings)].filter((one) => one !== undefined),
  );
}

/** What the author wrote or chose: `originalText`, or the narrative it points to. */
export function originalText(element: Element | undefined, narrative: NarrativePlaces): string | undefined {
  return referencedText(child(element, 'originalText'), narrative);
}

/** The text an `originalText` or `text` element holds, or that of the place in the narrative its reference names. */
export function referencedText(element: Element | undefined, narrative: NarrativePlaces): string | undefined {
  if (element === undefined) return undefined;
  return textOf(element) ?? narrative.text(attribute(child(element, 'reference'), 'value'), element);
}

/** The piece of the narrative that is an entry's own: by its `text`, `text/reference` or the `reference` of its code. */
export function entryText(entry: Element | undefined, narrative: NarrativePlaces): string | undefined {
  return referencedText(child(entry, 'text'), narrative);
}

function coding(code: Element): Coding | undefined {
  const value = attribute(code, 'code');
  if (value === undefined) return undefined;
  return {
    system: codeSystem(attribute(code, 'codeSystem')),
    // FHIR R4 `code` has single blanks between its words at most.
    code: value.replace(/\s+/g, ' '),
    display: attribute(code, 'displayName'),
  };
}

function distinct(codings: readonly Coding[]): Coding[] {
  const seen = new Map<string, Coding>();
  for (const one of codings) {
    const key = `${one.system ?? ''}|${one.code ?? ''}`;
    if (seen.get(key)?.display === undefined) seen.set(key, one);
  }
  return [...seen.values()];
}
