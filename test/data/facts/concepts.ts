import { listAt, objectsAt, textAt, textsAt, type Json, type JsonObject, type RawResource } from './json.ts';

export type Lookup = (reference: string) => RawResource | undefined;

/** Ways to say a CodeableConcept (or Coding): its text, its displays, else its codes. */
export function nameConcept(concept: Json | undefined): string[] {
  const names = [
    ...textsAt(concept, 'text'),
    ...textsAt(concept, 'coding.display'),
    ...textsAt(concept, 'display'),
  ];
  const codes = [...textsAt(concept, 'coding.code'), ...textsAt(concept, 'code')];
  const said = [
    ...names.flatMap(sayTerm),
    ...codes.flatMap((code) => VITALS.get(code) ?? []),
    ...names.flatMap((name) => /^body (height|weight|temperature)$/i.exec(name)?.[1] ?? []),
  ];
  return said.length > 0
    ? [...new Set([...said, ...codes.flatMap(sayCode)])]
    : codes.flatMap((code) => [code, ...sayCode(code)]);
}

/** A term of SNOMED CT with and without the tag that states its kind: "Stress (finding)". */
export const sayTerm = (term: string): string[] => [term, term.replace(/ \([a-z/ ]+\)\s*$/, '')];

/** What the eight vital signs are called for, whatever their codes are called: the names of the tool's own argument. */
const VITALS: ReadonlyMap<string, string[]> = new Map([
  ...['85354-9', '55284-4', '8480-6', '8462-4'].map((code): [string, string[]] => [code, ['Blood Pressure']]),
  ['8867-4', ['Heart Rate']],
  ...['8310-5', '8331-1'].map((code): [string, string[]] => [code, ['Body Temperature', 'Temperature']]),
  ['9279-1', ['Respiratory Rate']],
  ...['2708-6', '59408-5', '2710-2'].map((code): [string, string[]] => [code, ['Oxygen Saturation', 'SpO2']]),
  ...['29463-7', '3141-9'].map((code): [string, string[]] => [code, ['Weight']]),
  ...['8302-2', '8306-3'].map((code): [string, string[]] => [code, ['Height']]),
  ['39156-5', ['Body Mass Index', 'BMI']],
]);

/** Codes that everybody says in words; of the tables of HL7. */
const WORDS: Readonly<Record<string, string[]>> = {
  AMB: ['ambulatory', 'outpatient'],
  IMP: ['inpatient'],
  ACUTE: ['inpatient acute', 'acute'],
  NONAC: ['inpatient', 'non-acute'],
  EMER: ['emergency'],
  VR: ['virtual'],
  HH: ['home'],
  FLD: ['field'],
  OBSENC: ['observation'],
  SS: ['short stay'],
  PRENC: ['pre-admission'],
  H: ['high'],
  HH_: ['critical'],
  L: ['low'],
  N: ['normal'],
  A: ['abnormal'],
  LL: ['critically low', 'critical low'],
  POS: ['positive'],
  NEG: ['negative'],
  S: ['susceptible'],
  R: ['resistant'],
  I: ['intermediate'],
  active: ['current', 'in force'],
  'not-done': ['not done', 'not given'],
  'in-progress': ['in progress'],
  'on-hold': ['on hold'],
  confirmed: ['in force'],
  unconfirmed: ['unconfirmed'],
  'unable-to-assess': ['unable to assess'],
  'entered-in-error': ['entered in error'],
  M: ['married'],
  S_: ['single'],
};

const sayCode = (code: string): string[] =>
  WORDS[code] ?? (code.includes('-') ? [code.replaceAll('-', ' ')] : []);

export const sayStatus = (code: string): string[] => [code, ...sayCode(code)];

/** Names of what a reference points to: its display, else what the target is called. */
export function nameReference(reference: Json, lookup: Lookup, contained: readonly JsonObject[]): string[] {
  const target = textAt(reference, 'reference');
  const found = target?.startsWith('#')
    ? contained.find(({ id }) => id === target.slice(1))
    : target && lookup(target);
  const names = [...textsAt(reference, 'display'), ...(found ? nameResource(found, lookup, contained) : [])];
  return [...new Set(names)];
}

/** What people call a resource that others point to; of people, the family name is enough. */
export function nameResource(
  resource: JsonObject,
  lookup: Lookup,
  contained: readonly JsonObject[],
): string[] {
  const own = objectsAt(resource, 'contained');
  const people = textsAt(resource, 'name.family').concat(textsAt(resource, 'name.text'));
  const plain = [...textsAt(resource, 'name'), ...textsAt(resource, 'title')];
  const concepts = ['code', 'medicationCodeableConcept', 'vaccineCode', 'type'].flatMap((field) =>
    listAt(resource, field).flatMap(nameConcept),
  );
  const linked = [
    'practitioner',
    'organization',
    'medicationReference',
    'individual',
    'ingredient.itemReference',
  ]
    .flatMap((field) => listAt(resource, field))
    .flatMap((each) => nameReference(each, lookup, [...own, ...contained]));
  const ingredients = listAt(resource, 'ingredient.itemCodeableConcept').flatMap(nameConcept);
  return [...people, ...plain, ...concepts, ...ingredients, ...linked];
}
