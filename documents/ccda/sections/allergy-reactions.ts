import type { Element } from 'slimdom';
import { selectAll, getAttribute, getChild } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { buildDateTime, getStart } from '../times.ts';
import { conceptFromValue, getPhrase, findRelated, SEVERITY } from './entry-relationships.ts';
import { getCodes, toCheckedConcept } from './named-concepts.ts';

/** SNOMED CT codes of the value set Problem Severity. FHIR has three degrees; a code between two gets the worse. */
const DEGREES = new Map([
  ['255604002', 'mild'],
  ['371923003', 'moderate'], // Mild to moderate
  ['6736007', 'moderate'],
  ['371924009', 'severe'], // Moderate to severe
  ['24484000', 'severe'],
  ['399166001', 'severe'], // Fatal
]);
const EXACT = new Set(['mild', 'moderate', 'severe']);

interface Severity {
  degree: string | undefined;
  words: string | undefined;
  /** What some senders write as the interpretation of the severity: "Very susceptible". */
  susceptibility: string | undefined;
}

/**
 * Builds the reactions of an allergy, and as text the severities that no reaction holds: those between FHIR's three degrees,
 * that of the allergy where a reaction has another, and how susceptible the patient is.
 */
export function buildReactions(
  observation: Element,
  { narrative, beside }: { narrative: NarrativeIndex; beside: readonly Element[] },
): { reactions: FhirObject[]; severity: string[] } {
  // R1.1 has the severity at the allergy, R2.1 at each reaction, which takes precedence.
  const allergySeverity = toSeverity(observation, narrative);
  const found = [...findReactions(observation), ...beside];
  const severities = [allergySeverity];
  const reactions = found.flatMap((reaction) => {
    const manifestation = toManifestation(reaction, narrative);
    if (manifestation === undefined) return [];
    const reactionSeverity = toSeverity(reaction, narrative);
    severities.push(reactionSeverity);
    const { degree } = reactionSeverity ?? allergySeverity ?? {};
    const onset = buildDateTime('onset', getStart(getChild(reaction, 'effectiveTime')));
    return [{ manifestation: [manifestation], ...onset, severity: degree }];
  });
  const shown = new Set(reactions.map(({ severity }) => severity));
  const words = severities.flatMap((each) => {
    const exact = each?.words?.toLowerCase() ?? '';
    const isShown = EXACT.has(exact) && shown.has(exact);
    return [
      ...(each?.words === undefined || isShown ? [] : [`Severity: ${each.words}`]),
      ...(each?.susceptibility === undefined ? [] : [`Susceptibility: ${each.susceptibility}`]),
    ];
  });
  return { reactions, severity: [...new Set(words)] };
}

/** Finds the reactions of an allergy, or those that stand beside it in its act. */
export const findReactions = (statement: Element): Element[] =>
  selectAll(statement, 'entryRelationship')
    .filter((relationship) => getAttribute(relationship, 'typeCode') === 'MFST')
    .flatMap((relationship) => getChild(relationship, 'observation') ?? []);

function toManifestation(reaction: Element, narrative: NarrativeIndex): CodeableConcept | undefined {
  const value = getChild(reaction, 'value');
  const coded = toCheckedConcept(value, narrative) ?? conceptFromValue(value, narrative);
  if (coded !== undefined) return coded;
  const text = getPhrase(reaction, narrative);
  return text === undefined ? undefined : { text };
}

function toSeverity(statement: Element, narrative: NarrativeIndex): Severity | undefined {
  const observation = findRelated(statement, SEVERITY);
  const value = getChild(observation, 'value');
  if (value === undefined) return undefined;
  const interpretation = getAttribute(getChild(observation, 'interpretationCode'), 'displayName');
  const susceptibility = /sus?ceptib/i.test(interpretation ?? '') ? interpretation : undefined;
  const words = conceptFromValue(value, narrative)?.text;
  const coded = getCodes(value).flatMap((code) => DEGREES.get(code) ?? [])[0];
  const worst = /\b(severe|fatal)\b/i.test(words ?? '')
    ? 'severe'
    : /\b(moderate|mild)\b/i.exec(words ?? '')?.[1];
  const degree = coded ?? worst?.toLowerCase();
  return degree === undefined && words === undefined ? undefined : { degree, words, susceptibility };
}
