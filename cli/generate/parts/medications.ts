import { concept, terminology, UCUM } from '../codes.ts';
import { addMonths } from '../calendar.ts';
import { patientOf, type Chart, type OpenMedication } from '../chart.ts';
import { decimal } from '../decimal.ts';
import type { DosagePlan } from '../dosages.ts';
import type { LifeStoryline } from '../life.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import type { MedicationPlan } from '../storyline.ts';
import { isRoutine, timeAt, type Visit } from '../visit.ts';
import type { AcuteEpisode } from '../acute-episodes.ts';
import { acuteConditionId } from './conditions.ts';
import { practitionerOf } from './people.ts';

/** A little early, so that the four quarters of a request last until the visit that renews it. */
const RENEWAL_MONTHS = 10;
const SUPPLY_DAYS = 90;

export function* medicationsAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { episode } = visit;
  if (episode?.medication) yield acuteMedication(chart, visit, { episode, medication: episode.medication });
  if (visit.episode?.setting === 'emergency') return;
  for (const storyline of chart.life.storylines) {
    for (const plan of storyline.story.medications) yield* stepOf(chart, visit, { storyline, plan });
  }
}

/** At the record's end: what was not stopped is being taken. */
export function* medicationsLeft(chart: Chart): Iterable<GeneratedResource> {
  for (const { request } of chart.openMedications.values()) yield request;
}

/** Starts, renews or stops one medication, whichever this visit's day asks for. */
function* stepOf(
  chart: Chart,
  visit: Visit,
  { storyline, plan }: { storyline: LifeStoryline; plan: MedicationPlan },
): Iterable<GeneratedResource> {
  const key = `MedicationRequest/${storyline.story.name}/${plan.key}`;
  const starts = addMonths(storyline.starts, plan.fromMonth);
  const stops = plan.untilMonth === undefined ? Infinity : addMonths(storyline.starts, plan.untilMonth);
  const open = chart.openMedications.get(key);
  if (open && visit.day >= stops && isRoutine(visit)) {
    chart.openMedications.delete(key);
    visit.happened.stopped.push(`${plan.text} (${plan.stopReason ?? 'No longer needed'})`);
    yield {
      ...open.request,
      status: 'stopped',
      statusReason: { text: plan.stopReason ?? 'No longer needed' },
    };
  } else if (open && visit.day >= open.renewOn) {
    visit.happened.renewed.push(plan.text);
    yield { ...open.request, status: 'completed' };
    begin(chart, visit, { ...open, renewals: open.renewals + 1 });
  } else if (
    !open &&
    isRoutine(visit) &&
    visit.day >= starts &&
    visit.day < stops &&
    !chart.lastDone.has(key)
  ) {
    chart.lastDone.set(key, visit.day);
    visit.happened.started.push(plan.text);
    begin(chart, visit, { story: storyline.story, plan, key, renewals: 0 });
  }
}

/** Writes the request and holds it back until it is renewed, stopped or left at the record's end. */
function begin(chart: Chart, visit: Visit, what: Omit<OpenMedication, 'request' | 'renewOn'>): void {
  const { story, plan, key, renewals } = what;
  const replaced = plan.replaces && `MedicationRequest/${story.name}/${plan.replaces}`;
  const before = renewals > 0 ? requestName(key, renewals - 1) : replaced && lastRequestOf(chart, replaced);
  const reason = story.conditions.at(-1);
  chart.counts.set(key, renewals);
  const request = {
    ...requestAt(chart, visit, 'active'),
    id: chart.life.id(requestName(key, renewals)),
    medicationCodeableConcept: concept(plan.code),
    reasonReference: [referenceTo(chart.life.id(`Condition/${story.name}/${reason?.key}`), reason?.text)],
    dosageInstruction: [dosage(plan.dosage)],
    dispenseRequest: {
      numberOfRepeatsAllowed: 3,
      expectedSupplyDuration: { value: SUPPLY_DAYS, unit: 'days', system: UCUM, code: 'd' },
    },
    ...(before && { priorPrescription: referenceTo(chart.life.id(before)) }),
  };
  chart.openMedications.set(key, { ...what, request, renewOn: addMonths(visit.day, RENEWAL_MONTHS) });
}

function requestName(key: string, renewals: number): string {
  return `${key}/${renewals}`;
}

/** Undefined when sparse visits skipped the medication that this one was to replace. */
function lastRequestOf(chart: Chart, key: string): string | undefined {
  const renewals = chart.counts.get(key);
  return renewals === undefined ? undefined : requestName(key, renewals);
}

function acuteMedication(
  chart: Chart,
  visit: Visit,
  { episode, medication }: { episode: AcuteEpisode; medication: NonNullable<AcuteEpisode['medication']> },
): GeneratedResource {
  visit.happened.started.push(medication.text);
  const isOver = visit.day + medication.days <= chart.life.ends;
  return {
    ...requestAt(chart, visit, isOver ? 'completed' : 'active'),
    id: chart.life.id(`MedicationRequest/acute/${visit.index}`),
    medicationCodeableConcept: concept(medication.code),
    reasonReference: [referenceTo(acuteConditionId(chart, visit), episode.text)],
    dosageInstruction: [dosage(medication.dosage)],
    dispenseRequest: {
      numberOfRepeatsAllowed: 0,
      expectedSupplyDuration: { value: medication.days, unit: 'days', system: UCUM, code: 'd' },
    },
  };
}

function requestAt(chart: Chart, visit: Visit, status: 'active' | 'completed') {
  return {
    resourceType: 'MedicationRequest',
    status,
    intent: 'order',
    category: [terminology('medicationrequest-category', 'community', 'Community')],
    subject: patientOf(chart),
    encounter: referenceTo(visit.id),
    authoredOn: timeAt(visit, 18),
    requester: practitionerOf(chart.life, visit.episode?.setting === 'emergency' ? 'emergency' : 'physician'),
  };
}

function dosage(plan: DosagePlan) {
  const places = Number.isInteger(plan.amount) ? 0 : 1;
  return {
    sequence: 1,
    ...(plan.text !== undefined && { text: plan.text }),
    ...(plan.times && { timing: { repeat: plan.times } }),
    asNeededBoolean: plan.asNeeded ?? false,
    route: concept(plan.route),
    doseAndRate: [
      {
        type: terminology('dose-rate-type', 'ordered', 'Ordered'),
        doseQuantity: {
          value: decimal(plan.amount, places),
          unit: plan.unit,
          system: UCUM,
          code: `{${plan.unit}}`,
        },
      },
    ],
  };
}
