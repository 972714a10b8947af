import type { ToolText } from '../tool-texts.ts';
import type { Fact, ResourceFacts } from './fact.ts';
import { normalize, readUnits, type Unit } from './text-units.ts';

/** Where a fact was found: in a listing, only in the details, in a row that sums up many, or nowhere. */
export type Finding = 'listed' | 'summed up' | 'details' | 'missing';

export interface FoundFact {
  resource: ResourceFacts;
  fact: Fact;
  finding: Finding;
}

/** The tools in which a reader looks for a type, besides `get_details`. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  Condition: ['get_conditions'],
  AllergyIntolerance: ['get_allergies'],
  MedicationRequest: ['get_medications'],
  MedicationStatement: ['get_medications'],
  MedicationAdministration: ['get_medications'],
  MedicationDispense: ['get_medications'],
  Observation: ['get_labs', 'get_vitals', 'get_other_records'],
  Procedure: ['get_procedures'],
  Immunization: ['get_immunizations'],
  Encounter: ['get_visits'],
  DiagnosticReport: ['get_labs', 'get_other_records', 'search_clinical_notes'],
  DocumentReference: ['search_clinical_notes', 'get_other_records'],
  Patient: ['get_health_summary'],
};
const OTHER_TOOLS = ['get_other_records'];

interface Index {
  byReference: Map<string, Unit[]>;
  byDay: Map<string, Unit[]>;
  spans: Unit[];
  all: Unit[];
}

/** Looks for every fact in the texts of the tools. */
export function findFacts(
  resources: readonly ResourceFacts[],
  texts: { listings: readonly ToolText[]; details: readonly ToolText[] },
): FoundFact[] {
  const listings = createIndex(texts.listings);
  const details = createIndex(texts.details);
  return resources.flatMap((resource) => {
    const tools = TOOLS[resource.type] ?? OTHER_TOOLS;
    const own = findUnits(resource, listings).filter(({ tool }) => tools.includes(tool));
    const sums = findSums(resource, listings).filter(({ tool }) => tools.includes(tool));
    const opened = findUnits(resource, details);
    return resource.facts.map((fact) => ({ resource, fact, finding: findFact(fact, { own, sums, opened }) }));
  });
}

function findFact(fact: Fact, units: { own: Unit[]; sums: Unit[]; opened: Unit[] }): Finding {
  const wordings = fact.wordings.map(toPhrase).filter((phrase) => phrase.trim() !== '');
  const isIn = ({ whole }: Unit): boolean => wordings.some((phrase) => whole.includes(phrase));
  if (wordings.length === 0 || units.own.some(isIn)) return 'listed';
  if (units.opened.some(isIn)) return 'details';
  if (units.sums.some((unit) => isIn(unit) || fact.question === 'when')) return 'summed up';
  return 'missing';
}

/** Long texts are cut by a listing; their beginning must be there. */
const MAX_PHRASE = 60;

export function toPhrase(text: string): string {
  const phrase = normalize(text.slice(0, 4 * MAX_PHRASE));
  if (phrase.length <= MAX_PHRASE) return ` ${phrase} `;
  return ` ${phrase.slice(0, phrase.lastIndexOf(' ', MAX_PHRASE))} `;
}

/** The rows about a resource: those that name it, and those of its name on its day. */
function findUnits({ type, id, names, days }: ResourceFacts, index: Index): Unit[] {
  const phrases = names.map(toPhrase);
  const isNamed = ({ whole }: Unit): boolean => phrases.some((phrase) => whole.includes(phrase));
  const candidates = days.length > 0 ? days.flatMap((day) => index.byDay.get(day) ?? []) : index.all;
  return [
    ...listReferences(type, id).flatMap((each) => index.byReference.get(each) ?? []),
    ...candidates.filter(isNamed),
  ];
}

function findSums({ names, days }: ResourceFacts, index: Index): Unit[] {
  const phrases = names.map(toPhrase);
  return index.spans.filter(
    ({ span, whole }) =>
      phrases.some((phrase) => whole.includes(phrase)) &&
      days.every((day) => span !== null && span.from.slice(0, day.length) <= day && day <= `${span.until}~`),
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** In full, and the short forms of a UUID: its first 8 characters, or more where those are another's too. */
function listReferences(type: string, id: string): string[] {
  const full = `${type}/${id}`;
  if (!UUID.test(id)) return [full];
  return [full, ...Array.from({ length: id.length - 8 }, (_, more) => `${type}/${id.slice(0, 8 + more)}`)];
}

function createIndex(texts: readonly ToolText[]): Index {
  const index: Index = { byReference: new Map(), byDay: new Map(), spans: [], all: [] };
  const add = (map: Map<string, Unit[]>, key: string, unit: Unit): void =>
    void (map.get(key)?.push(unit) ?? map.set(key, [unit]));
  for (const unit of texts.flatMap(readUnits)) {
    index.all.push(unit);
    for (const reference of unit.references) add(index.byReference, reference, unit);
    for (const day of new Set(listDays(unit))) add(index.byDay, day, unit);
    if (unit.span) index.spans.push(unit);
  }
  return index;
}

/** Days, months and years, of a day also the month and the year; normalized they are written with blanks. */
const listDays = ({ whole }: Unit): string[] =>
  [...whole.matchAll(/ (\d{4})(?: (\d\d))?(?: (\d\d))?(?= )/g)].flatMap(([, year, month, day]) => [
    ...(year === undefined ? [] : [year]),
    ...(month === undefined ? [] : [`${year}-${month}`]),
    ...(day === undefined ? [] : [`${year}-${month}-${day}`]),
  ]);
