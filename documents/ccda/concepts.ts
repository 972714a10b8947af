import type { Element } from 'slimdom';
import { toCodeSystem } from './code-systems.ts';
import { getAttribute, getChild, getChildren, getText } from './elements.ts';
import type { CodeableConcept, Coding } from './fhir-values.ts';
import type { NarrativeIndex } from './narrative-index.ts';
import { buildAbsentConcept } from './null-flavors.ts';

/**
 * A `CD` or `CE`: its code and its translations as codings, and in `text` what the author wrote (`originalText`, or the
 * piece of the narrative it points to), else the name of the code. undefined where it says nothing.
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

/** For elements FHIR demands: what is not known says so, with the reason the document gives. */
export function toConceptOrAbsent(code: Element | undefined, narrative: NarrativeIndex): CodeableConcept {
  return toCodeableConcept(code, narrative) ?? buildAbsentConcept(code);
}

/** The code itself first, then its translations; one that is null-flavored has only these. */
export function toCodings(code: Element | undefined): Coding[] {
  if (code === undefined) return [];
  return dedupeCodings(
    [toCoding(code), ...getChildren(code, 'translation').flatMap(toCodings)].filter(
      (one) => one !== undefined,
    ),
  );
}

/** What the author wrote or chose: `originalText`, or the narrative it points to. */
export function getOriginalText(element: Element | undefined, narrative: NarrativeIndex): string | undefined {
  return resolveText(getChild(element, 'originalText'), narrative);
}

/** The text an `originalText` or `text` element holds, or that of the place in the narrative its reference names. */
export function resolveText(element: Element | undefined, narrative: NarrativeIndex): string | undefined {
  if (element === undefined) return undefined;
  return (
    getText(element) ?? narrative.resolveText(getAttribute(getChild(element, 'reference'), 'value'), element)
  );
}

/** The piece of the narrative that is an entry's own: by its `text`, `text/reference` or the `reference` of its code. */
export function getEntryText(entry: Element | undefined, narrative: NarrativeIndex): string | undefined {
  return resolveText(getChild(entry, 'text'), narrative);
}

function toCoding(code: Element): Coding | undefined {
  const value = getAttribute(code, 'code');
  if (value === undefined) return undefined;
  return {
    system: toCodeSystem(getAttribute(code, 'codeSystem')),
    // FHIR R4 `code` has single blanks between its words at most.
    code: value.replace(/\s+/g, ' '),
    display: getAttribute(code, 'displayName'),
  };
}

function dedupeCodings(codings: readonly Coding[]): Coding[] {
  const seen = new Map<string, Coding>();
  for (const one of codings) {
    const key = `${one.system ?? ''}|${one.code ?? ''}`;
    if (seen.get(key)?.display === undefined) seen.set(key, one);
  }
  return [...seen.values()];
}
