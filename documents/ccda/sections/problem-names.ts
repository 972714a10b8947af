import type { Element } from 'slimdom';
import { getOriginalText } from '../concepts.ts';
import { getChild, getNullFlavor } from '../elements.ts';
import type { CodeableConcept } from '../fhir-values.ts';
import type { Context } from '../section.ts';
import { buildAbsentStatement, isPlaceholder } from './absent-statement.ts';
import { isDenied } from './clinical-status.ts';
import { findDeniedName, removeNegation } from './denied-names.ts';
import { conceptFromValue, getPhrase } from './entry-relationships.ts';
import { getCodes, toCheckedConcept } from './named-concepts.ts';
import { findCell } from './narrative-table.ts';

/** Generic problems, whose negation excludes all of them: problem, disease, finding, complaint, condition. */
const ANY_PROBLEM = new Set([
  '55607006',
  '64572001',
  '404684003',
  '418799008',
  '409586006',
  '75326-9',
  '75323-6',
  '43116000',
]);

const HEADING = /^(problem|condition|name|description|diagnosis)s?( name)?$/i;

/** What the observation of a problem names. */
export interface Problem {
  code: CodeableConcept;
  isRefuted: boolean;
  /** The words of a denial whose name stands without them. */
  wording?: string | undefined;
}

/** Reads the problem; returns undefined where the entry only says that nothing is known. */
export function toProblem(observation: Element, { narrative }: Context): Problem | undefined {
  const value = getChild(observation, 'value');
  const phrase = getPhrase(observation, narrative);
  if (getNullFlavor(observation) !== undefined) return undefined;
  const coded = toCheckedConcept(value, narrative) ?? conceptFromValue(value, narrative);
  if (isDenied(observation)) {
    if (coded !== undefined && getCodes(value).some((code) => !ANY_PROBLEM.has(code)))
      return { code: useCodedName(coded), isRefuted: true };
    const original = getOriginalText(value, narrative);
    const texts = [coded?.text, original, findCell(observation, HEADING, narrative), phrase];
    const denied = findDeniedName(texts, 'problem');
    if (denied !== undefined)
      return { code: { text: denied.name }, isRefuted: true, wording: denied.wording };
    const words = phrase ?? texts.find((text) => text !== undefined);
    return { code: buildAbsentStatement('problem', words), isRefuted: false };
  }
  if (coded !== undefined && isGeneral(coded)) return undefined;
  const text = phrase ?? findCell(observation, HEADING, narrative);
  const code =
    coded?.text !== undefined || text === undefined || isPlaceholder(text) ? coded : { ...coded, text };
  return code && { code, isRefuted: false };
}

/** "Clinical finding" names no problem unless a text says which. */
const isGeneral = ({ coding = [], text }: CodeableConcept): boolean =>
  coding.length > 0 &&
  coding.every(({ code }) => ANY_PROBLEM.has(code ?? '')) &&
  coding.some(({ display }) => display === text);

/** Names a refuted problem by its code: "No diabetes" with "refuted" would read as the contrary. */
const useCodedName = (code: CodeableConcept): CodeableConcept => ({
  ...code,
  text:
    code.coding?.find(({ display }) => display !== undefined)?.display ??
    (code.text && removeNegation(code.text)),
});
