import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { getPath, joinPresent, readText, toElements, type Element } from '../element.ts';
import { formatPeriod } from '../partial-date.ts';
import { formatDuration, formatRange } from '../quantity.ts';
import { resolveDisplay, resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** Names what may happen, and says how likely it is, within which time, and for which reasons. */
export function describeRiskAssessment(input: EntryInput): Description {
  const { resource } = input;
  const predictions = toElements(resource['prediction']);
  const outcomes = joinPresent(
    predictions.map(({ outcome }) => formatConcept(outcome)),
    ', ',
  );
  const method = formatConcept(resource['method']);
  const condition = resolveDisplay(resource['condition'], input);
  const basis = joinPresent(resolveDisplays(resource['basis'], input), '; ');
  const reasons = [
    ...formatConcepts(resource['reasonCode']),
    ...resolveDisplays(resource['reasonReference'], input),
  ];
  const lines = [
    ...predictions.map(formatPrediction),
    condition && `For: ${condition}`,
    ...reasons,
    basis && `Based on: ${basis}`,
    method && `Method: ${method}`,
    readText(resource['mitigation']),
    formatAnnotations(resource['note']),
  ];
  const name = formatConcept(resource['code']) ?? outcomes ?? method;
  return { title: name === null ? null : `Risk assessment: ${name}`, text: joinPresent(lines, '\n') };
}

/** "Heart attack: probability 0.2, high risk, relative risk 1.4, within 10 years". */
function formatPrediction(prediction: Element): string | null {
  const probability =
    readText(prediction['probabilityDecimal']) ?? formatRange(prediction['probabilityRange']);
  const relative = readText(prediction['relativeRisk']);
  const when = formatPeriod(prediction['whenPeriod']) ?? formatAges(prediction['whenRange']);
  const facts = [
    probability && `probability ${probability}`,
    formatConcept(prediction['qualitativeRisk']),
    relative && `relative risk ${relative}`,
    when,
    readText(prediction['rationale']),
  ];
  return joinPresent([formatConcept(prediction['outcome']), joinPresent(facts, ', ')], ': ');
}

/** A range of ages, or of years from now; FHIR does not say which of both. */
function formatAges(value: unknown): string | null {
  const low = formatDuration(getPath(value, 'low'));
  const high = formatDuration(getPath(value, 'high'));
  if (low !== null && high !== null) return `${low} to ${high}`;
  return low === null ? high && `up to ${high}` : `from ${low}`;
}
