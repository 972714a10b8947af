import { createConcept, cvx, createHl7Concept, type NamedCoding } from '../codes.ts';
import { getMonth, getYear } from '../calendar.ts';
import { markDoneIfDue, getPatientReference, type Chart } from '../chart.ts';
import { getAge } from '../patient-profile.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import { isRoutine, formatVisitTime, type Visit } from '../visit.ts';
import { getOrganizationReference } from './people.ts';

const tdap = cvx('115', 'Tdap');
const zoster = cvx('187', 'zoster recombinant');
const firstCovid = cvx('208', 'COVID-19, mRNA, LNP-S, PF, 30 mcg/0.3 mL dose');
const pneumococcal = cvx('33', 'pneumococcal polysaccharide PPV23');

export function* generateImmunizations(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (!isRoutine(visit)) return;
  if (markDoneIfDue(chart, visit, { name: 'vaccine/tdap', days: 3640 })) yield buildDose(chart, visit, tdap);
  yield* generateSeasonal(chart, visit);
  if (getYear(visit.day) >= 2018 && getAge(chart.profile, visit.day) >= 50)
    yield* generateSeries(chart, visit, { vaccine: zoster, doses: 2 });
  if (getAge(chart.profile, visit.day) >= 65)
    yield* generateSeries(chart, visit, { vaccine: pneumococcal, doses: 1 });
}

function* generateSeasonal(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const covid = chooseCovidVaccine(visit.day);
  if (covid === firstCovid) yield* generateSeries(chart, visit, { vaccine: covid, doses: 2 });
  else if (covid && markDoneIfDue(chart, visit, { name: `vaccine/${covid.code}`, days: 330 }))
    yield buildDose(chart, visit, covid);
  // September to January, once a season.
  const month = getMonth(visit.day);
  if (month > 1 && month < 9) return;
  if (!markDoneIfDue(chart, visit, { name: 'vaccine/influenza', days: 240 })) return;
  const seasons = (chart.counts.get('influenza') ?? 0) + 1;
  chart.counts.set('influenza', seasons);
  // Declined in the second season: a record must also say what was not given.
  yield seasons === 2
    ? buildDeclined(chart, visit)
    : buildDose(chart, visit, chooseInfluenzaVaccine(visit.day));
}

/** At most that many doses, eight weeks or more apart. */
function* generateSeries(
  chart: Chart,
  visit: Visit,
  series: { vaccine: NamedCoding; doses: number },
): Iterable<GeneratedResource> {
  const name = `vaccine/${series.vaccine.code}`;
  const doseCount = chart.counts.get(name) ?? 0;
  if (doseCount >= series.doses || !markDoneIfDue(chart, visit, { name, days: 56 })) return;
  chart.counts.set(name, doseCount + 1);
  yield buildDose(chart, visit, series.vaccine);
}

/** Quadrivalent vaccines were the usual ones from the season of 2013 until that of 2023. */
function chooseInfluenzaVaccine(day: number): NamedCoding {
  const season = getMonth(day) === 1 ? getYear(day) - 1 : getYear(day);
  return season >= 2013 && season <= 2023
    ? cvx('150', 'influenza, injectable, quadrivalent, preservative free')
    : cvx('140', 'Influenza, split virus, trivalent, PF');
}

function chooseCovidVaccine(day: number): NamedCoding | undefined {
  const month = getYear(day) * 12 + getMonth(day);
  if (month < 2021 * 12 + 4) return undefined;
  if (month < 2022 * 12 + 9) return firstCovid;
  if (month < 2023 * 12 + 9) return cvx('300', 'COVID-19, mRNA, LNP-S, bivalent, PF, 30 mcg/0.3 mL dose');
  return cvx('309', 'COVID-19, mRNA, LNP-S, PF, tris-sucrose, 30 mcg/0.3 mL');
}

function buildDose(chart: Chart, visit: Visit, vaccine: NamedCoding): GeneratedResource {
  visit.events.immunizations.push(`${shortNames.get(vaccine.code) ?? vaccine.display} vaccine given`);
  return {
    ...buildImmunization(chart, visit, vaccine),
    status: 'completed',
    primarySource: true,
    lotNumber: `SYN${String(1000 + visit.index)}`,
    route: createHl7Concept('v3-RouteOfAdministration', 'IM', 'Injection, intramuscular'),
    site: createHl7Concept('v3-ActSite', 'LA', 'left arm'),
    doseQuantity: { value: 0.5, unit: 'mL', system: 'http://unitsofmeasure.org', code: 'mL' },
    performer: [{ actor: getOrganizationReference(chart.profile, 'clinic') }],
  };
}

function buildDeclined(chart: Chart, visit: Visit): GeneratedResource {
  visit.events.immunizations.push('influenza vaccine offered and declined');
  return {
    ...buildImmunization(chart, visit, chooseInfluenzaVaccine(visit.day)),
    status: 'not-done',
    statusReason: createHl7Concept('v3-ActReason', 'PATOBJ', 'patient objection'),
  };
}

function buildImmunization(chart: Chart, visit: Visit, vaccine: NamedCoding) {
  return {
    resourceType: 'Immunization',
    id: chart.profile.toId(`Immunization/${vaccine.code}/${visit.index}`),
    vaccineCode: createConcept(vaccine),
    patient: getPatientReference(chart),
    encounter: toReference(visit.id),
    occurrenceDateTime: formatVisitTime(visit, 20),
  };
}

const shortNames = new Map([
  ['115', 'Tdap'],
  ['140', 'influenza'],
  ['150', 'influenza'],
  ['187', 'zoster'],
  ['33', 'pneumococcal'],
  ['208', 'COVID-19'],
  ['300', 'COVID-19'],
  ['309', 'COVID-19'],
]);
