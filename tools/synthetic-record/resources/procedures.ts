import { createConcept, snomed, type NamedCoding } from '../codes.ts';
import { formatDay } from '../calendar.ts';
import { markDoneIfDue, getPatientReference, type Chart } from '../chart.ts';
import { getAge, type PatientProfile } from '../patient-profile.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import { isRoutine, formatVisitTime, type Visit } from '../visit.ts';
import { getLocationReference, getPractitionerReference } from './people.ts';

/** Done at the hospital some days before the visit that speaks of them. */
const screenings = [
  {
    code: snomed('73761001', 'Colonoscopy (procedure)'),
    text: 'Colonoscopy',
    fromAge: 50,
    days: 3640,
    womenOnly: false,
  },
  {
    code: snomed('71651007', 'Mammography (procedure)'),
    text: 'Mammography',
    fromAge: 50,
    days: 720,
    womenOnly: true,
  },
] as const;

const DAYS_BEFORE = 9;

export function* generateProcedures(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.episode?.procedure) yield buildProcedureAtVisit(chart, visit, visit.episode.procedure);
  if (!isRoutine(visit)) return;
  for (const screening of screenings) {
    if (!isIndicated(screening, chart.profile, visit)) continue;
    const due = { name: `procedure/${screening.code.code}`, days: screening.days };
    if (markDoneIfDue(chart, visit, due)) yield buildScreening(chart, visit, screening);
  }
  for (const procedure of visit.storylines.flatMap(({ story }) => story.procedures)) {
    const due = { name: `procedure/${procedure.code.code}`, days: procedure.everyMonths * 30 - 10 };
    if (markDoneIfDue(chart, visit, due)) yield buildProcedureAtVisit(chart, visit, procedure);
  }
}

function isIndicated(screening: (typeof screenings)[number], profile: PatientProfile, visit: Visit): boolean {
  if (visit.day - DAYS_BEFORE < profile.firstDay) return false;
  return getAge(profile, visit.day) >= screening.fromAge && (profile.female || !screening.womenOnly);
}

interface ProcedureSpec {
  code: NamedCoding;
  text: string;
}

function buildProcedureAtVisit(chart: Chart, visit: Visit, spec: ProcedureSpec): GeneratedResource {
  visit.events.performed.push(`${spec.text} done`);
  const isEmergency = visit.episode?.setting === 'emergency';
  return {
    ...buildProcedure(chart, visit, spec),
    encounter: toReference(visit.id),
    performedPeriod: { start: formatVisitTime(visit, 8), end: formatVisitTime(visit, 14) },
    performer: [{ actor: getPractitionerReference(chart.profile, isEmergency ? 'emergency' : 'physician') }],
  };
}

function buildScreening(chart: Chart, visit: Visit, spec: ProcedureSpec): GeneratedResource {
  visit.events.performed.push(`${spec.text} report reviewed, without findings`);
  return {
    ...buildProcedure(chart, visit, spec),
    performedDateTime: formatDay(visit.day - DAYS_BEFORE),
    location: getLocationReference(chart.profile, 'hospital'),
    outcome: { text: 'No abnormal finding' },
  };
}

function buildProcedure(chart: Chart, visit: Visit, { code, text }: ProcedureSpec) {
  return {
    resourceType: 'Procedure',
    id: chart.profile.toId(`Procedure/${code.code}/${visit.index}`),
    status: 'completed',
    code: createConcept(code, text),
    subject: getPatientReference(chart),
  };
}
