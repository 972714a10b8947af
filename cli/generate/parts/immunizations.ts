import { concept, cvx, terminology, type Coded } from '../codes.ts';
import { monthOf, yearOf } from '../calendar.ts';
import { isDue, patientOf, type Chart } from '../chart.ts';
import { ageOf } from '../life.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import { isRoutine, timeAt, type Visit } from '../visit.ts';
import { organizationOf } from './people.ts';

const tdap = cvx('115', 'Tdap');
const zoster = cvx('187', 'zoster recombinant');
const firstCovid = cvx('208', 'COVID-19, mRNA, LNP-S, PF, 30 mcg/0.3 mL dose');
const pneumococcal = cvx('33', 'pneumococcal polysaccharide PPV23');

export function* immunizationsAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (!isRoutine(visit)) return;
  if (isDue(chart, visit, { name: 'vaccine/tdap', days: 3640 })) yield dose(chart, visit, tdap);
  yield* seasonal(chart, visit);
  if (yearOf(visit.day) >= 2018 && ageOf(chart.life, visit.day) >= 50)
    yield* upTo(chart, visit, { vaccine: zoster, doses: 2 });
  if (ageOf(chart.life, visit.day) >= 65) yield* upTo(chart, visit, { vaccine: pneumococcal, doses: 1 });
}

function* seasonal(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const covid = covidVaccine(visit.day);
  if (covid === firstCovid) yield* upTo(chart, visit, { vaccine: covid, doses: 2 });
  else if (covid && isDue(chart, visit, { name: `vaccine/${covid.code}`, days: 330 }))
    yield dose(chart, visit, covid);
  // September to January, once a season.
  const month = monthOf(visit.day);
  if (month > 1 && month < 9) return;
  if (!isDue(chart, visit, { name: 'vaccine/influenza', days: 240 })) return;
  const seasons = (chart.counts.get('influenza') ?? 0) + 1;
  chart.counts.set('influenza', seasons);
  // Declined in the second season: a record must also say what was not given.
  yield seasons === 2 ? declined(chart, visit) : dose(chart, visit, influenzaVaccine(visit.day));
}

/** At most that many doses, eight weeks or more apart. */
function* upTo(
  chart: Chart,
  visit: Visit,
  what: { vaccine: Coded; doses: number },
): Iterable<GeneratedResource> {
  const name = `vaccine/${what.vaccine.code}`;
  const given = chart.counts.get(name) ?? 0;
  if (given >= what.doses || !isDue(chart, visit, { name, days: 56 })) return;
  chart.counts.set(name, given + 1);
  yield dose(chart, visit, what.vaccine);
}

/** Quadrivalent vaccines were the usual ones from the season of 2013 until that of 2023. */
function influenzaVaccine(day: number): Coded {
  const season = monthOf(day) === 1 ? yearOf(day) - 1 : yearOf(day);
  return season >= 2013 && season <= 2023
    ? cvx('150', 'influenza, injectable, quadrivalent, preservative free')
    : cvx('140', 'Influenza, split virus, trivalent, PF');
}

function covidVaccine(day: number): Coded | undefined {
  const month = yearOf(day) * 12 + monthOf(day);
  if (month < 2021 * 12 + 4) return undefined;
  if (month < 2022 * 12 + 9) return firstCovid;
  if (month < 2023 * 12 + 9) return cvx('300', 'COVID-19, mRNA, LNP-S, bivalent, PF, 30 mcg/0.3 mL dose');
  return cvx('309', 'COVID-19, mRNA, LNP-S, PF, tris-sucrose, 30 mcg/0.3 mL');
}

function dose(chart: Chart, visit: Visit, vaccine: Coded): GeneratedResource {
  visit.happened.given.push(`${shortNames.get(vaccine.code) ?? vaccine.display} vaccine given`);
  return {
    ...immunization(chart, visit, vaccine),
    status: 'completed',
    primarySource: true,
    lotNumber: `SYN${String(1000 + visit.index)}`,
    route: terminology('v3-RouteOfAdministration', 'IM', 'Injection, intramuscular'),
    site: terminology('v3-ActSite', 'LA', 'left arm'),
    doseQuantity: { value: 0.5, unit: 'mL', system: 'http://unitsofmeasure.org', code: 'mL' },
    performer: [{ actor: organizationOf(chart.life, 'clinic') }],
  };
}

function declined(chart: Chart, visit: Visit): GeneratedResource {
  visit.happened.given.push('influenza vaccine offered and declined');
  return {
    ...immunization(chart, visit, influenzaVaccine(visit.day)),
    status: 'not-done',
    statusReason: terminology('v3-ActReason', 'PATOBJ', 'patient objection'),
  };
}

function immunization(chart: Chart, visit: Visit, vaccine: Coded) {
  return {
    resourceType: 'Immunization',
    id: chart.life.id(`Immunization/${vaccine.code}/${visit.index}`),
    vaccineCode: concept(vaccine),
    patient: patientOf(chart),
    encounter: referenceTo(visit.id),
    occurrenceDateTime: timeAt(visit, 20),
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
