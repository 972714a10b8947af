import type { RestrictedScope } from '../../../contract/data-categories.ts';
import { normalizeCodeSystem, UCUM } from '../entries/codeable-concept.ts';
import type { Element } from '../entries/element.ts';
import { classifyCode, mayHoldWords } from './code-lists.ts';
import { isInheritedLabel } from './inherited-labels.ts';
import { isNamedAsRace } from './race-codes.ts';
import { parseSecurityLabels, parseSpecificLabels } from './security-labels.ts';

const ACT_CODE = /v3-ActCode$|2\.16\.840\.1\.113883\.5\.4$/;

/** What a unit says in words: `{HIV copies}/mL`. */
const ANNOTATED = /[{ ]/;

/** Reads a code: what the lists say of it, whether it is a security label, and its words where it may have some. */
export function readCode(
  element: Element,
  { classes, words, names }: { classes: Set<RestrictedScope>; words: string[]; names: string[] },
): void {
  const code = element['code'];
  if (typeof code !== 'string') return;
  const system = normalizeCodeSystem(element['system']);
  if (system === UCUM || 'value' in element) {
    if (ANNOTATED.test(code)) words.push(code);
  } else if (mayHoldWords(system)) names.push(code);
  if (!isNamedAsRace(element)) for (const name of classifyCode(system, code.trim())) classes.add(name);
  if (system !== null && ACT_CODE.test(system))
    for (const name of parseSpecificLabels([code])) classes.add(name);
}

export function readConfidentiality({ confidentiality }: Element, classes: Set<RestrictedScope>): void {
  if (typeof confidentiality === 'string')
    for (const name of parseSecurityLabels([confidentiality])) classes.add(name);
}

/** Reads all codes of one label element: Coding, CodeableConcept, CodeableReference or bare text. */
export function readLabels(label: unknown, classes: Set<RestrictedScope>): void {
  if (typeof label !== 'object' || label === null) return;
  const codes: string[] = [];
  const addClasses = (labels: readonly string[]): void => {
    for (const name of parseSecurityLabels(labels)) classes.add(name);
  };
  const pending: unknown[] = [label];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node === 'string') codes.push(node);
    if (typeof node !== 'object' || node === null) continue;
    const code = (node as Element)['code'];
    // What it came in says nothing of its own labels, and lowers none of them.
    if (typeof code === 'string' && isInheritedLabel(node as Element)) addClasses([code]);
    else if (typeof code === 'string') codes.push(code);
    const isList = Array.isArray(node);
    for (const value of Object.values(node))
      if (typeof value === 'object' || (isList && typeof value === 'string')) pending.push(value);
  }
  addClasses(codes);
}
