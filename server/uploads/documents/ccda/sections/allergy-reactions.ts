import type { Element } from 'slimdom';
import { all, attribute, child } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { dated, startOf } from '../times.ts';
import { conceptOfValue, phraseOf, related, SEVERITY } from './entry-parts.ts';
import { codesOf, surelyNamed } from './own-words.ts';

/** SNOMED CT codes of the value set Problem Severity. FHIR knows three degrees: of two the worse. */
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
}

/** The manifestations of an allergy, and in words the severities that FHIR's three degrees can't hold. */
export function reactionsOf(
  observation: Element,
  narrative: NarrativePlaces,
): { reactions: FhirObject[]; severity: string[] } {
  // R1.1 lets the severity stand at the allergy, R2.1 at each reaction: the reaction's own counts first.
  const ofAllergy = severityOf(observation, narrative);
  const found = all(observation, 'entryRelationship')
    .filter((relationship) => attribute(relationship, 'typeCode') === 'MFST')
    .flatMap((relationship) => child(relationship, 'observation') ?? []);
  const severities = [ofAllergy];
  const reactions = found.flatMap((reaction) => {
    const manifestation = manifestationOf(reaction, narrative);
    if (manifestation === undefined) return [];
    const own = severityOf(reaction, narrative);
    severities.push(own);
    const { degree } = own ?? ofAllergy ?? {};
    const onset = dated('onset', startOf(child(reaction, 'effectiveTime')));
    return [{ manifestation: [manifestation], ...onset, severity: degree }];
  });
  const words = severities.flatMap((each) => {
    const isTold = reactions.length > 0 && EXACT.has(each?.words?.toLowerCase() ?? '');
    return each?.words === undefined || isTold ? [] : [`Severity: ${each.words}`];
  });
  return { reactions, severity: [...new Set(words)] };
}

function manifestationOf(reaction: Element, narrative: NarrativePlaces): CodeableConcept | undefined {
  const value = child(reaction, 'value');
  const coded = surelyNamed(value, narrative) ?? conceptOfValue(value, narrative);
  if (coded !== undefined) return coded;
  const text = phraseOf(reaction, narrative);
  return text === undefined ? undefined : { text };
}

function severityOf(statement: Element, narrative: NarrativePlaces): Severity | undefined {
  const value = child(related(statement, SEVERITY), 'value');
  if (value === undefined) return undefined;
  const words = conceptOfValue(value, narrative)?.text;
  const coded = codesOf(value).flatMap((code) => DEGREES.get(code) ?? [])[0];
  const worst = /\b(severe|fatal)\b/i.test(words ?? '')
    ? 'severe'
    : /\b(moderate|mild)\b/i.exec(words ?? '')?.[1];
  const degree = coded ?? worst?.toLowerCase();
  return degree === undefined && words === undefined ? undefined : { degree, words };
}
