import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { joinPresent, readText, toElements, type Element } from '../element.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** Which vaccines are recommended; FHIR's `forecastStatus` is a modifier: some of them are complete, or contraindicated. */
export function describeImmunizationRecommendation({ resource }: EntryInput): Description {
  const recommendations = toElements(resource['recommendation']);
  const names = joinPresent(recommendations.map(nameVaccine), ', ');
  return {
    title: joinPresent(['Immunization recommendation', names], ': '),
    text: joinPresent(recommendations.map(formatRecommendation), '\n'),
  };
}

const nameVaccine = (recommendation: Element): string | null =>
  joinPresent(formatConcepts(recommendation['vaccineCode']), '/') ??
  formatConcept(recommendation['targetDisease']);

/** "MMR: due, Date vaccine due 2026-05-01, dose 2". */
function formatRecommendation(recommendation: Element): string | null {
  const dates = toElements(recommendation['dateCriterion']).map((each) =>
    joinPresent([formatConcept(each['code']), readText(each['value'])], ' '),
  );
  const dose =
    readText(recommendation['doseNumberPositiveInt']) ?? readText(recommendation['doseNumberString']);
  const facts = [
    formatConcept(recommendation['forecastStatus']),
    ...formatConcepts(recommendation['forecastReason']),
    ...dates,
    dose && `dose ${dose}`,
    readText(recommendation['description']),
  ];
  return joinPresent([nameVaccine(recommendation), joinPresent(facts, ', ')], ': ');
}

/** Whether a dose that was given counts: "Measles: not valid, given too early". */
export function describeImmunizationEvaluation({ resource }: EntryInput): Description {
  const facts = [formatConcept(resource['doseStatus']), ...formatConcepts(resource['doseStatusReason'])];
  return {
    title: joinPresent(['Immunization evaluation', formatConcept(resource['targetDisease'])], ': '),
    text: joinPresent([joinPresent(facts, ', '), readText(resource['description'])], '\n'),
  };
}
