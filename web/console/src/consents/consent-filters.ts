import type { z } from 'zod';
import type { listOrganizationConsents } from '../../../../contract/organization/organization-consents.ts';
import { useTimeRange } from '../kit/use-time-range.ts';
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

export type ListQuery = Omit<z.input<(typeof listOrganizationConsents)['query']>, 'after' | 'limit'>;

/** The query of the list from the filters of the address; their days are those of the charts. */
export function useListQuery({ since, until, ...values }: FilterValues, projectId: string | null): ListQuery {
  const range = useTimeRange({ since, until });
  return { ...values, projectId: projectId ?? undefined, ...range } as ListQuery;
}

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
    { kind: 'since', name: 'since', label: filters.since },
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
