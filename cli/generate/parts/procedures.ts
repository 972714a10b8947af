import { concept, snomed, type Coded } from '../codes.ts';
import { dayText } from '../calendar.ts';
import { isDue, patientOf, type Chart } from '../chart.ts';
import { ageOf, type Life } from '../life.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import { isRoutine, timeAt, type Visit } from '../visit.ts';
import { locationOf, practitionerOf } from './people.ts';

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

export function* proceduresAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.episode?.procedure) yield atVisit(chart, visit, visit.episode.procedure);
  if (!isRoutine(visit)) return;
  for (const screening of screenings) {
    if (!concerns(screening, chart.life, visit)) continue;
    const due = { name: `procedure/${screening.code.code}`, days: screening.days };
    if (isDue(chart, visit, due)) yield beforeVisit(chart, visit, screening);
  }
  for (const procedure of visit.storylines.flatMap(({ story }) => story.procedures)) {
    const due = { name: `procedure/${procedure.code.code}`, days: procedure.everyMonths * 30 - 10 };
    if (isDue(chart, visit, due)) yield atVisit(chart, visit, procedure);
  }
}

function concerns(screening: (typeof screenings)[number], life: Life, visit: Visit): boolean {
  if (visit.day - DAYS_BEFORE < life.begins) return false;
  return ageOf(life, visit.day) >= screening.fromAge && (life.female || !screening.womenOnly);
}

interface Done {
  code: Coded;
  text: string;
}

function atVisit(chart: Chart, visit: Visit, done: Done): GeneratedResource {
  visit.happened.performed.push(`${done.text} done`);
  const isEmergency = visit.episode?.setting === 'emergency';
  return {
    ...procedure(chart, visit, done),
    encounter: referenceTo(visit.id),
    performedPeriod: { start: timeAt(visit, 8), end: timeAt(visit, 14) },
    performer: [{ actor: practitionerOf(chart.life, isEmergency ? 'emergency' : 'physician') }],
  };
}

function beforeVisit(chart: Chart, visit: Visit, done: Done): GeneratedResource {
  visit.happened.performed.push(`${done.text} report reviewed, without findings`);
  return {
    ...procedure(chart, visit, done),
    performedDateTime: dayText(visit.day - DAYS_BEFORE),
    location: locationOf(chart.life, 'hospital'),
    outcome: { text: 'No abnormal finding' },
  };
}

function procedure(chart: Chart, visit: Visit, { code, text }: Done) {
  return {
    resourceType: 'Procedure',
    id: chart.life.id(`Procedure/${code.code}/${visit.index}`),
    status: 'completed',
    code: concept(code, text),
    subject: patientOf(chart),
  };
}
