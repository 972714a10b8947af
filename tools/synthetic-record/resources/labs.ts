import { getAnalyte, type AnalyteName } from '../analytes.ts';
import { measureAnalyte } from '../measurements.ts';
import { createConcept, loinc, snomed, createHl7Concept } from '../codes.ts';
import { formatLocalTime } from '../calendar.ts';
import { markDoneIfDue, getPatientReference, type Chart } from '../chart.ts';
import { getPanel, yearlyPanels, type Panel, type PanelName } from '../panels.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import { isRoutine, createVisitRandom, formatVisitTime, type Visit } from '../visit.ts';
import { buildObservation, toObservationName, measureQuantity, toQuantity } from './observation.ts';
import { getOrganizationReference } from './people.ts';

const COLLECTED_AFTER_MINUTES = 15;
const REPORTED_AT_MINUTES = 18 * 60 + 30;

export function* generateLabs(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.episode?.strepTest) yield buildStrepTest(chart, visit);
  if (!isRoutine(visit)) return;
  for (const [name, everyMonths] of collectPanels(visit)) {
    if (!markDoneIfDue(chart, visit, { name: `panel/${name}`, days: toIntervalDays(chart, everyMonths) }))
      continue;
    yield* generateResults(chart, visit, getPanel(name));
  }
}

/** Two illnesses that want the same panel share it, at the shorter interval. */
function collectPanels(visit: Visit): Map<PanelName, number> {
  const intervals = new Map<PanelName, number>(yearlyPanels.map((name) => [name, 12]));
  for (const { panel, everyMonths } of visit.storylines.flatMap(({ story }) => story.monitoring)) {
    intervals.set(panel, Math.min(everyMonths, intervals.get(panel) ?? Infinity));
  }
  return intervals;
}

/** Ten days early is due; a patient seen more often than four times a year is tested more often. */
function toIntervalDays(chart: Chart, everyMonths: number): number {
  return Math.max(1, everyMonths * 30.4 - 10) * Math.min(1, 4 / chart.profile.visitsPerYear);
}

function* generateResults(chart: Chart, visit: Visit, panel: Panel): Iterable<GeneratedResource> {
  for (const name of panel.analytes) yield buildResult(chart, visit, { name, category: panel.category });
  if (!panel.report) return;
  yield {
    resourceType: 'DiagnosticReport',
    id: chart.profile.toId(`DiagnosticReport/${panel.report.code}/${visit.index}`),
    status: 'final',
    category: [createHl7Concept('v2-0074', 'LAB', 'Laboratory')],
    code: createConcept(panel.report, panel.text),
    subject: getPatientReference(chart),
    encounter: toReference(visit.id),
    effectiveDateTime: formatVisitTime(visit, COLLECTED_AFTER_MINUTES),
    issued: formatIssuedTime(visit),
    performer: [getOrganizationReference(chart.profile, 'laboratory')],
    result: panel.analytes.map((name) => {
      return toReference(chart.profile.toId(toObservationName(name, visit)), getAnalyte(name).text);
    }),
  };
}

function buildResult(
  chart: Chart,
  visit: Visit,
  { name, category }: { name: AnalyteName; category: Panel['category'] },
): GeneratedResource {
  const { code, text, unit } = getAnalyte(name);
  const range = getRange(chart, name);
  const value = measureQuantity(chart, visit, name);
  const flag = range && computeFlag(measureAnalyte(chart.profile, visit, name), range);
  visit.events.results.push(
    `${text} ${JSON.stringify(value.value)}${unit === '{score}' ? '' : ` ${unit}`}${flag && flag !== 'N' ? ` (${flag})` : ''}`,
  );
  // Some laboratories send neither flag nor range: every tenth result does without.
  const isBare = createVisitRandom(chart.profile, visit, `bare/${name}`).chance(0.1);
  return {
    ...buildObservation(chart, visit, {
      name,
      category,
      codes: [code],
      text,
      minutesIn: COLLECTED_AFTER_MINUTES,
    }),
    ...(category === 'laboratory' && {
      issued: formatIssuedTime(visit),
      performer: [getOrganizationReference(chart.profile, 'laboratory')],
    }),
    valueQuantity: value,
    ...(range &&
      flag &&
      !isBare && {
        interpretation: [buildInterpretation(flag)],
        referenceRange: [buildReferenceRange(name, range)],
      }),
  };
}

type Range = { low?: number; high?: number };
type Flag = 'H' | 'L' | 'N';

function getRange(chart: Chart, name: AnalyteName): Range | undefined {
  const { range, lowerInWomen } = getAnalyte(name);
  if (!range || !lowerInWomen || !chart.profile.female) return range;
  return {
    ...(range.low !== undefined && { low: range.low - lowerInWomen }),
    ...(range.high !== undefined && { high: range.high - lowerInWomen }),
  };
}

function computeFlag(value: number, { low, high }: Range): Flag {
  if (high !== undefined && value > high) return 'H';
  return low !== undefined && value < low ? 'L' : 'N';
}

function buildInterpretation(flag: Flag) {
  const display = { H: 'High', L: 'Low', N: 'Normal' }[flag];
  return { ...createHl7Concept('v3-ObservationInterpretation', flag, display), text: display };
}

function buildReferenceRange(name: AnalyteName, { low, high }: Range) {
  return {
    ...(low !== undefined && { low: toQuantity(name, low) }),
    ...(high !== undefined && { high: toQuantity(name, high) }),
  };
}

function buildStrepTest(chart: Chart, visit: Visit): GeneratedResource {
  const isPositive = visit.episode?.name === 'strep-throat';
  visit.events.results.push(`Rapid strep test ${isPositive ? 'positive' : 'negative'}`);
  return {
    ...buildObservation(chart, visit, {
      name: 'strep-test',
      category: 'laboratory',
      codes: [loinc('78012-2', 'Streptococcus pyogenes Ag [Presence] in Throat by Rapid immunoassay')],
      text: 'Rapid strep test',
      minutesIn: COLLECTED_AFTER_MINUTES,
    }),
    valueCodeableConcept: createConcept(
      isPositive ? snomed('10828004', 'Positive') : snomed('260385009', 'Negative'),
    ),
  };
}

function formatIssuedTime(visit: Visit): string {
  return formatLocalTime(visit.day, REPORTED_AT_MINUTES);
}
