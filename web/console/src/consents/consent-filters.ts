import type { z } from 'zod';
import type { listOrganizationConsents } from '../../../../contract/organization/organization-consents.ts';
import type { Filter } from '../list/filters.tsx';
import type { ConsentWords } from './words/en.ts';

export const FILTER_NAMES = [
  'decision',
  'state',
  'type',
  'since',
  'until',
  'endsWithin',
  'language',
  'withoutPictures',
  'client',
  'version',
  'patientId',
] as const;

type FilterValues = Partial<Record<(typeof FILTER_NAMES)[number], string>>;

type ListQuery = Omit<z.input<(typeof listOrganizationConsents)['query']>, 'after' | 'limit'>;

const DAY_MS = 24 * 3_600_000;

const toStartOfDay = (day: string, plusDays = 0): string | undefined => {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : new Date(time + plusDays * DAY_MS).toISOString();
};

/** The query of the list from the filters of the address, whose days are inclusive, and those of the charts. */
export const toListQuery = ({ since, until, ...values }: FilterValues, projectId: string | null): ListQuery =>
  ({
    ...values,
    projectId: projectId ?? undefined,
    since: since === undefined ? undefined : (toStartOfDay(since) ?? since),
    until: until === undefined ? undefined : (toStartOfDay(until, 1) ?? until),
  }) as ListQuery;

const toOptions = (names: Readonly<Record<string, string>>): { value: string; label: string }[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** What is chosen from; an app, a version or a patient is filtered by from elsewhere, and stands here to be taken out again. */
export function buildFilters(words: ConsentWords, values: FilterValues): Filter[] {
  const { columns, filters } = words;
  const named = [
    { kind: 'text', name: 'client', label: filters.client },
    { kind: 'text', name: 'version', label: filters.version },
    { kind: 'text', name: 'patientId', label: filters.patientId },
  ] as const;
  return [
    { kind: 'choice', name: 'decision', label: columns.decision, options: toOptions(words.decisions) },
    { kind: 'choice', name: 'state', label: columns.state, options: toOptions(words.states) },
    { kind: 'choice', name: 'type', label: columns.type, options: toOptions(words.types) },
    { kind: 'day', name: 'since', label: filters.since },
    { kind: 'day', name: 'until', label: filters.until },
    {
      kind: 'choice',
      name: 'endsWithin',
      label: filters.endsWithin,
      options: ['7', '14', '30', '90'].map((value) => ({ value, label: filters.days(value) })),
    },
    { kind: 'choice', name: 'language', label: columns.language, options: toOptions(words.languages) },
    {
      kind: 'choice',
      name: 'withoutPictures',
      label: filters.withoutPictures,
      options: [{ value: 'true', label: filters.missing }],
    },
    ...named.filter(({ name }) => values[name] !== undefined),
  ];
}
