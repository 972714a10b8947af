import { createConcept, createHl7Concept, UCUM } from '../codes.ts';
import { addMonths } from '../calendar.ts';
import { getPatientReference, type Chart, type OpenMedication } from '../chart.ts';
import { toDecimal } from '../decimal.ts';
import type { DosagePlan } from '../dosages.ts';
import type { DiagnosedStoryline } from '../patient-profile.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import type { MedicationPlan } from '../storyline.ts';
import { isRoutine, formatVisitTime, type Visit } from '../visit.ts';
import type { AcuteEpisode } from '../acute-episodes.ts';
import { deriveAcuteConditionId } from './conditions.ts';
import { getPractitionerReference } from './people.ts';

/** A little early, so that the four quarters of a request last until the visit that renews it. */
const RENEWAL_MONTHS = 10;
const SUPPLY_DAYS = 90;

export function* generateMedications(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { episode } = visit;
  if (episode?.medication)
    yield buildAcuteMedication(chart, visit, { episode, medication: episode.medication });
  if (visit.episode?.setting === 'emergency') return;
  for (const storyline of chart.profile.storylines) {
    for (const plan of storyline.story.medications) yield* generateStep(chart, visit, { storyline, plan });
  }
}

/** At the record's end: what was not stopped is being taken. */
export function* flushOpenMedications(chart: Chart): Iterable<GeneratedResource> {
  for (const { request } of chart.openMedications.values()) yield request;
}

/** Starts, renews or stops one medication, whichever this visit's day asks for. */
function* generateStep(
  chart: Chart,
  visit: Visit,
  { storyline, plan }: { storyline: DiagnosedStoryline; plan: MedicationPlan },
): Iterable<GeneratedResource> {
  const key = `MedicationRequest/${storyline.story.name}/${plan.key}`;
  const startsOn = addMonths(storyline.diagnosedOn, plan.fromMonth);
  const stopsOn =
    plan.untilMonth === undefined ? Infinity : addMonths(storyline.diagnosedOn, plan.untilMonth);
  const openMedication = chart.openMedications.get(key);
  if (openMedication && visit.day >= stopsOn && isRoutine(visit)) {
    chart.openMedications.delete(key);
    visit.events.stopped.push(`${plan.text} (${plan.stopReason ?? 'No longer needed'})`);
    yield {
      ...openMedication.request,
      status: 'stopped',
      statusReason: { text: plan.stopReason ?? 'No longer needed' },
    };
  } else if (openMedication && visit.day >= openMedication.renewOn) {
    visit.events.renewed.push(plan.text);
    yield { ...openMedication.request, status: 'completed' };
    startRequest(chart, visit, { ...openMedication, renewals: openMedication.renewals + 1 });
  } else if (
    !openMedication &&
    isRoutine(visit) &&
    visit.day >= startsOn &&
    visit.day < stopsOn &&
    !chart.lastDone.has(key)
  ) {
    chart.lastDone.set(key, visit.day);
    visit.events.started.push(plan.text);
    startRequest(chart, visit, { story: storyline.story, plan, key, renewals: 0 });
  }
}

/** Writes the request and holds it back until it is renewed, stopped or left at the record's end. */
function startRequest(chart: Chart, visit: Visit, course: Omit<OpenMedication, 'request' | 'renewOn'>): void {
  const { story, plan, key, renewals } = course;
  const replacedKey = plan.replaces && `MedicationRequest/${story.name}/${plan.replaces}`;
  const priorRequest =
    renewals > 0 ? toRequestName(key, renewals - 1) : replacedKey && findLastRequest(chart, replacedKey);
  const reason = story.conditions.at(-1);
  chart.counts.set(key, renewals);
  const request = {
    ...buildRequest(chart, visit, 'active'),
    id: chart.profile.toId(toRequestName(key, renewals)),
    medicationCodeableConcept: createConcept(plan.code),
    reasonReference: [
      toReference(chart.profile.toId(`Condition/${story.name}/${reason?.key}`), reason?.text),
    ],
    dosageInstruction: [buildDosage(plan.dosage)],
    dispenseRequest: {
      numberOfRepeatsAllowed: 3,
      expectedSupplyDuration: { value: SUPPLY_DAYS, unit: 'days', system: UCUM, code: 'd' },
    },
    ...(priorRequest && { priorPrescription: toReference(chart.profile.toId(priorRequest)) }),
  };
  chart.openMedications.set(key, { ...course, request, renewOn: addMonths(visit.day, RENEWAL_MONTHS) });
}

function toRequestName(key: string, renewals: number): string {
  return `${key}/${renewals}`;
}

/** Undefined when sparse visits skipped the medication that this one was to replace. */
function findLastRequest(chart: Chart, key: string): string | undefined {
  const renewals = chart.counts.get(key);
  return renewals === undefined ? undefined : toRequestName(key, renewals);
}

function buildAcuteMedication(
  chart: Chart,
  visit: Visit,
  { episode, medication }: { episode: AcuteEpisode; medication: NonNullable<AcuteEpisode['medication']> },
): GeneratedResource {
  visit.events.started.push(medication.text);
  const isCompleted = visit.day + medication.days <= chart.profile.lastDay;
  return {
    ...buildRequest(chart, visit, isCompleted ? 'completed' : 'active'),
    id: chart.profile.toId(`MedicationRequest/acute/${visit.index}`),
    medicationCodeableConcept: createConcept(medication.code),
    reasonReference: [toReference(deriveAcuteConditionId(chart, visit), episode.text)],
    dosageInstruction: [buildDosage(medication.dosage)],
    dispenseRequest: {
      numberOfRepeatsAllowed: 0,
      expectedSupplyDuration: { value: medication.days, unit: 'days', system: UCUM, code: 'd' },
    },
  };
}

function buildRequest(chart: Chart, visit: Visit, status: 'active' | 'completed') {
  return {
    resourceType: 'MedicationRequest',
    status,
    intent: 'order',
    category: [createHl7Concept('medicationrequest-category', 'community', 'Community')],
    subject: getPatientReference(chart),
    encounter: toReference(visit.id),
    authoredOn: formatVisitTime(visit, 18),
    requester: getPractitionerReference(
      chart.profile,
      visit.episode?.setting === 'emergency' ? 'emergency' : 'physician',
    ),
  };
}

function buildDosage(plan: DosagePlan) {
  const places = Number.isInteger(plan.amount) ? 0 : 1;
  return {
    sequence: 1,
    ...(plan.text !== undefined && { text: plan.text }),
    ...(plan.times && { timing: { repeat: plan.times } }),
    asNeededBoolean: plan.asNeeded ?? false,
    route: createConcept(plan.route),
    doseAndRate: [
      {
        type: createHl7Concept('dose-rate-type', 'ordered', 'Ordered'),
        doseQuantity: {
          value: toDecimal(plan.amount, places),
          unit: plan.unit,
          system: UCUM,
          code: `{${plan.unit}}`,
        },
      },
    ],
  };
}
