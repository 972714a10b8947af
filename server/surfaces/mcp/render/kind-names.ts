import type { NotDone } from '../../../clinical/queries/not-done.sql.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import type { OtherKind } from '../../../clinical/entries/other-kinds.ts';
import { formatNumber, pluralize } from './format-number.ts';

interface HeldNames {
  singular: string;
  plural: string;
  /** What they are called beside those that did not take place. */
  happened?: string;
  states?: Partial<Record<NotDone['state'], string>>;
}

interface KindName {
  title: string;
  singular: string;
  plural: string;
}

/** What people call the kinds that `get_other_records` lists. */
export const OTHER_KIND_NAMES: Readonly<Record<OtherKind, KindName>> = {
  care_team: { title: 'Care teams', singular: 'care team', plural: 'care teams' },
  care_plan: { title: 'Care plans', singular: 'care plan', plural: 'care plans' },
  goal: { title: 'Goals', singular: 'goal', plural: 'goals' },
  device: { title: 'Devices', singular: 'device', plural: 'devices' },
  family_history: {
    title: 'Family history',
    singular: 'entry of family history',
    plural: 'entries of family history',
  },
  social_history: {
    title: 'Social history',
    singular: 'entry of social history',
    plural: 'entries of social history',
  },
  survey: { title: 'Surveys and scores', singular: 'survey or score', plural: 'surveys and scores' },
  imaging: { title: 'Imaging', singular: 'imaging record', plural: 'imaging records' },
  order: { title: 'Orders', singular: 'order', plural: 'orders' },
  coverage: {
    title: 'Coverage and claims',
    singular: 'record of coverage or claims',
    plural: 'records of coverage and claims',
  },
  document: { title: 'Documents', singular: 'document', plural: 'documents' },
  other: { title: 'Other records', singular: 'other record', plural: 'other records' },
};

/** The kinds that have a tool of their own, with it. */
export const TOOLS_BY_KIND: readonly (HeldNames & { kind: Kind; tool: string })[] = [
  { kind: 'lab', singular: 'laboratory result', plural: 'laboratory results', tool: 'get_labs' },
  {
    kind: 'procedure',
    singular: 'procedure',
    plural: 'procedures',
    happened: ' performed',
    states: { unfinished: 'under way, planned or stopped' },
    tool: 'get_procedures',
  },
  {
    kind: 'immunization',
    singular: 'immunization',
    plural: 'immunizations',
    happened: ' given',
    states: { 'not-done': 'not given' },
    tool: 'get_immunizations',
  },
  { kind: 'visit', singular: 'visit', plural: 'visits', tool: 'get_visits' },
  { kind: 'note', singular: 'clinical note', plural: 'clinical notes', tool: 'search_clinical_notes' },
];

const STATES: Readonly<Record<Exclude<NotDone['state'], 'stated'>, string>> = {
  'not-done': 'not done',
  cancelled: 'cancelled',
  planned: 'planned',
  unfinished: 'unfinished',
};

/** "2 procedures performed", "1 not done"; of what all took place "3 procedures". */
export function countHappened(
  entries: number,
  { singular, plural, happened = '', states = {} }: HeldNames,
  notDone: readonly NotDone[],
): string[] {
  const left = entries - notDone.reduce((sum, each) => sum + each.entries, 0);
  if (left >= entries) return [pluralize(entries, singular, plural)];
  return [
    `${left <= 0 ? `no ${singular}` : pluralize(left, singular, plural)}${happened}`,
    ...notDone.map(({ state, entries: count }) =>
      state === 'stated'
        ? pluralize(count, 'statement')
        : `${formatNumber(count)} ${states[state] ?? STATES[state]}`,
    ),
  ];
}
