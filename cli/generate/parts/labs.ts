import { analyteOf, type AnalyteName } from '../analytes.ts';
import { measured } from '../body.ts';
import { concept, loinc, snomed, terminology } from '../codes.ts';
import { localTime } from '../calendar.ts';
import { isDue, patientOf, type Chart } from '../chart.ts';
import { panelOf, yearlyPanels, type Panel, type PanelName } from '../panels.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import { isRoutine, randomAt, timeAt, type Visit } from '../visit.ts';
import { observationAt, observationName, quantity, quantityOf } from './observation.ts';
import { organizationOf } from './people.ts';

const DRAWN_AFTER = 15;
const REPORTED_AT = 18 * 60 + 30;

export function* labsAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.episode?.strepTest) yield strepTest(chart, visit);
  if (!isRoutine(visit)) return;
  for (const [name, everyMonths] of wantedPanels(visit)) {
    if (!isDue(chart, visit, { name: `panel/${name}`, days: intervalDays(chart, everyMonths) })) continue;
    yield* results(chart, visit, panelOf(name));
  }
}

/** Two illnesses that want the same panel share it, at the shorter interval. */
function wantedPanels(visit: Visit): Map<PanelName, number> {
  const wanted = new Map<PanelName, number>(yearlyPanels.map((name) => [name, 12]));
  for (const { panel, everyMonths } of visit.storylines.flatMap(({ story }) => story.monitoring)) {
    wanted.set(panel, Math.min(everyMonths, wanted.get(panel) ?? Infinity));
  }
  return wanted;
}

/** Ten days early is due; a patient seen more often than four times a year is tested more often. */
function intervalDays(chart: Chart, everyMonths: number): number {
  return Math.max(1, everyMonths * 30.4 - 10) * Math.min(1, 4 / chart.life.visitsPerYear);
}

function* results(chart: Chart, visit: Visit, panel: Panel): Iterable<GeneratedResource> {
  for (const name of panel.analytes) yield result(chart, visit, { name, category: panel.category });
  if (!panel.report) return;
  yield {
    resourceType: 'DiagnosticReport',
    id: chart.life.id(`DiagnosticReport/${panel.report.code}/${visit.index}`),
    status: 'final',
    category: [terminology('v2-0074', 'LAB', 'Laboratory')],
    code: concept(panel.report, panel.text),
    subject: patientOf(chart),
    encounter: referenceTo(visit.id),
    effectiveDateTime: timeAt(visit, DRAWN_AFTER),
    issued: issuedAt(visit),
    performer: [organizationOf(chart.life, 'laboratory')],
    result: panel.analytes.map((name) => {
      return referenceTo(chart.life.id(observationName(name, visit)), analyteOf(name).text);
    }),
  };
}

function result(
  chart: Chart,
  visit: Visit,
  { name, category }: { name: AnalyteName; category: Panel['category'] },
): GeneratedResource {
  const { code, text, unit } = analyteOf(name);
  const range = rangeOf(chart, name);
  const value = quantity(chart, visit, name);
  const flag = range && flagOf(measured(chart.life, visit, name), range);
  visit.happened.results.push(
    `${text} ${JSON.stringify(value.value)}${unit === '{score}' ? '' : ` ${unit}`}${flag && flag !== 'N' ? ` (${flag})` : ''}`,
  );
  // Some laboratories send neither flag nor range: every tenth result does without.
  const isBare = randomAt(chart.life, visit, `bare/${name}`).chance(0.1);
  return {
    ...observationAt(chart, visit, { name, category, codes: [code], text, minutesIn: DRAWN_AFTER }),
    ...(category === 'laboratory' && {
      issued: issuedAt(visit),
      performer: [organizationOf(chart.life, 'laboratory')],
    }),
    valueQuantity: value,
    ...(range &&
      flag &&
      !isBare && { interpretation: [interpretation(flag)], referenceRange: [rangeElement(name, range)] }),
  };
}

type Range = { low?: number; high?: number };
type Flag = 'H' | 'L' | 'N';

function rangeOf(chart: Chart, name: AnalyteName): Range | undefined {
  const { range, lowerInWomen } = analyteOf(name);
  if (!range || !lowerInWomen || !chart.life.female) return range;
  return {
    ...(range.low !== undefined && { low: range.low - lowerInWomen }),
    ...(range.high !== undefined && { high: range.high - lowerInWomen }),
  };
}

function flagOf(value: number, { low, high }: Range): Flag {
  if (high !== undefined && value > high) return 'H';
  return low !== undefined && value < low ? 'L' : 'N';
}

function interpretation(flag: Flag) {
  const display = { H: 'High', L: 'Low', N: 'Normal' }[flag];
  return { ...terminology('v3-ObservationInterpretation', flag, display), text: display };
}

function rangeElement(name: AnalyteName, { low, high }: Range) {
  return {
    ...(low !== undefined && { low: quantityOf(name, low) }),
    ...(high !== undefined && { high: quantityOf(name, high) }),
  };
}

function strepTest(chart: Chart, visit: Visit): GeneratedResource {
  const isPositive = visit.episode?.name === 'strep-throat';
  visit.happened.results.push(`Rapid strep test ${isPositive ? 'positive' : 'negative'}`);
  return {
    ...observationAt(chart, visit, {
      name: 'strep-test',
      category: 'laboratory',
      codes: [loinc('78012-2', 'Streptococcus pyogenes Ag [Presence] in Throat by Rapid immunoassay')],
      text: 'Rapid strep test',
      minutesIn: DRAWN_AFTER,
    }),
    valueCodeableConcept: concept(
      isPositive ? snomed('10828004', 'Positive') : snomed('260385009', 'Negative'),
    ),
  };
}

function issuedAt(visit: Visit): string {
  return localTime(visit.day, REPORTED_AT);
}
