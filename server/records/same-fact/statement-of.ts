import type { Kind, Measure, MedicationDetail } from '../entry.ts';
import { namesOf } from './names.ts';
import { plainDosage, plainName, plainUnit, plainValue, plainWords } from './plain-value.ts';
import { dated, told, type ComparedEntry, type Facet, type Statement } from './statement.ts';

type Compared<K extends Kind> = Extract<ComparedEntry, { kind: K }>;
type Rule<K extends Kind> = (entry: Compared<K>) => Pick<Statement, 'when' | 'facets'> & Partial<Statement>;

const IN_FORCE = new Set(['active', 'recurrence', 'relapse']);
const OVER = new Set(['inactive', 'remission', 'resolved', 'completed', 'stopped', 'cancelled', 'ended']);

/** In force or over; between shades of either no source contradicts another. */
function standing(status: string | null, verification: string | null = null): string | null {
  if (verification === 'refuted') return 'refuted';
  if (status === null || status === 'unknown') return null;
  if (IN_FORCE.has(status)) return 'in force';
  return OVER.has(status) ? 'over' : status;
}

const ROLES: Readonly<Record<MedicationDetail['resource'], string>> = {
  // The same prescription comes as either: C-CDA does not tell an order from a statement that it is taken.
  MedicationRequest: 'taken',
  MedicationStatement: 'taken',
  MedicationAdministration: 'given',
  MedicationDispense: 'dispensed',
};
const NOT_YET = new Set(['proposal', 'plan', 'option']);

function roleOf({ groupKey, detail }: Compared<'medication'>): string {
  if (groupKey.startsWith('not:')) return 'forbidden';
  return NOT_YET.has(detail.intent ?? '') ? 'planned' : ROLES[detail.resource];
}

type Result = Pick<Measure, 'value' | 'unit'>;

/** A number in two units is not compared: 98.6 and 37 may be the same, or not. */
const measured = ({ value, unit }: Result): [value: Facet, unit: Facet] => [
  told(value === null ? null : plainValue(value)),
  told(value === null ? null : plainUnit(unit), 'two facts'),
];

const partNames = ({ label, code }: Measure): string[] => [
  ...(code !== null && !code.startsWith('|') ? [`code ${code}`] : []),
  `title ${plainName(label)}`,
];

/** As one value, in an order of its own: two panels agree when every part does. */
const together = (components: readonly Measure[]): Result => ({
  value: components
    .map(
      (part) =>
        `${partNames(part)[0]} ${part.value === null ? '' : plainValue(part.value)} ${plainUnit(part.unit) ?? ''}`,
    )
    .sort()
    .join('; '),
  unit: null,
});

const SYSTOLIC = /systolic|\b8480-6$/i;
const DIASTOLIC = /diastolic|\b8462-4$/i;

/** Both pressures, each of which a source may leave out, whatever else was taken with them; null where it is neither. */
function pressures(components: readonly Measure[]): Facet[] | null {
  const [systolic, diastolic] = [SYSTOLIC, DIASTOLIC].map((name) =>
    components.find(({ label, code }) => name.test(label) || name.test(code ?? '')),
  );
  if (systolic === undefined && diastolic === undefined) return null;
  const [value, unit] = measured(systolic ?? { value: null, unit: null });
  return [value, unit, measured(diastolic ?? { value: null, unit: null })[0]];
}

/** LOINC's averages are no reading beside which another would be wrong. */
const AVERAGE = /^http:\/\/loinc\.org\|9660[789]-[0-9]$/;

function observed(entry: Compared<'lab' | 'vital' | 'social'>): ReturnType<Rule<'lab'>> {
  const { detail, code } = entry;
  const { components, value } = detail;
  const vital = entry.kind === 'vital' && !AVERAGE.test(code ?? '') ? entry.detail.vital : null;
  const both = vital === 'Blood Pressure' ? pressures(components) : null;
  // A systolic pressure alone is a blood pressure too, and no other value of it.
  const whole = vital !== null && (vital !== 'Blood Pressure' || both !== null);
  const said = value === null && components.length > 0 ? together(components) : detail;
  return {
    ...(whole && { names: [...namesOf(entry), `vital ${vital}`] }),
    when: dated(entry, { most: 'time' }),
    facets: both ?? [...measured(said), told(null)],
    exact: true,
    parts: components
      .filter((part) => part.value !== null)
      .map((part) => ({ names: partNames(part), facets: [...measured(part), told(null)] })),
  };
}

const DONE = new Map([
  ['completed', 'done'],
  ['not-done', 'not done'],
]);

/** One rule a kind; docs/records.md tells them in words. */
const RULES: { readonly [K in Kind]: Rule<K> } = {
  condition: (entry) => ({
    // A problem list often leaves out since when.
    when: dated(entry, { most: 'day', open: true }),
    facets: [told(standing(entry.detail.clinicalStatus, entry.detail.verification))],
  }),
  medication: (entry) => ({
    role: roleOf(entry),
    when: dated(entry, { most: 'day' }),
    facets: [
      told(entry.detail.dosage === null ? null : plainDosage(entry.detail.dosage)),
      told(standing(entry.status)),
    ],
  }),
  lab: observed,
  vital: observed,
  social: observed,
  allergy: ({ detail }) => ({
    role: detail.none ? 'statement' : 'allergy',
    when: [''],
    facets: [
      told(standing(detail.clinicalStatus, detail.verification)),
      told([...new Set(detail.reactions.map(plainWords))].sort().join('; ')),
      told(detail.criticality === 'unable-to-assess' ? null : detail.criticality),
    ],
  }),
  procedure: (entry) => ({
    when: dated(entry, { most: 'day' }),
    facets: [
      told(entry.status === null ? null : (DONE.get(entry.status) ?? entry.status)),
      told(entry.detail.bodySite === null ? null : plainName(entry.detail.bodySite), 'two facts'),
    ],
  }),
  immunization: (entry) => ({
    when: dated(entry, { most: 'day' }),
    facets: [
      told(entry.detail.notDone ? 'not done' : 'done'),
      told(entry.detail.lot === null ? null : plainName(entry.detail.lot)),
    ],
  }),
  visit: (entry) => {
    const { class: inWords } = entry.detail;
    return {
      names: [...namesOf(entry), ...(inWords === null ? [] : [`class ${plainName(inWords)}`])],
      when: dated(entry, { most: 'time' }),
      facets: [told(inWords === null ? null : plainName(inWords), 'two facts')],
    };
  },
  note: (entry) => ({
    // Notes share their titles with each other: what counts is what they say.
    names: (entry.names ?? []).filter((name) => !name.startsWith('code ')),
    when: dated(entry, { most: 'day' }),
    facets: [],
  }),
  other: (entry) => ({
    role: entry.detail.type,
    when: dated(entry, { most: 'day' }),
    facets: [told(entry.detail.text, 'two facts'), told(entry.status, 'two facts')],
  }),
};

export function statementOf(entry: ComparedEntry): Statement {
  const rule = RULES[entry.kind] as Rule<Kind>;
  const names = namesOf(entry);
  return { names, role: '', exact: false, parts: [], ...rule(entry) };
}
