import type { z } from 'zod';
import type {
  listConsentPageVersions,
  listOrganizationConsents,
} from '../../../../contract/organization/organization-consents.ts';
import type { listProjectVersions } from '../../../../contract/organization/projects.ts';
import { useConsole } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { useTimeRange } from '../kit/use-time-range.ts';
import type { Filter } from '../list/filters.tsx';
import { VERSIONS_TARGET } from '../projects/project-data.ts';
import { useLanguage } from '../words/use-words.ts';
import { PAGE_VERSIONS_TARGET, shortenHash, usePageVersions } from './page-version.ts';
import { useConsentWords } from './use-consent-words.ts';

export const FILTER_NAMES = [
  'decision',
  'state',
  'type',
  'since',
  'until',
  'endsWithin',
  'language',
  'shares',
  'flow',
  'withoutPictures',
  'client',
  'version',
  'uiHash',
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

/**
 * What is chosen from. Versions are of one project, and chosen where one is looked at; a version is filtered by from elsewhere
 * too, and stands here to be taken out again.
 */
export function useConsentFilters(values: FilterValues, projectId: string | null): Filter[] {
  const words = useConsentWords();
  const { columns, filters } = words;
  const versions = useVersionOptions(projectId);
  const pages = usePageOptions(projectId);
  return [
    { kind: 'patient', name: 'patientId', label: filters.patientId },
    { kind: 'choices', name: 'decision', label: columns.decision, options: toOptions(words.decisions) },
    { kind: 'choices', name: 'state', label: columns.state, options: toOptions(words.states) },
    { kind: 'choices', name: 'type', label: columns.type, options: toOptions(words.types) },
    { kind: 'since', name: 'since', label: filters.since },
    { kind: 'day', name: 'until', label: filters.until },
    {
      kind: 'choice',
      name: 'endsWithin',
      label: filters.endsWithin,
      options: ['7', '14', '30', '90'].map((value) => ({ value, label: filters.days(value) })),
    },
    { kind: 'choices', name: 'shares', label: filters.shares, options: toOptions(words.classes) },
    { kind: 'choices', name: 'flow', label: filters.flow, options: toOptions(words.flows) },
    { kind: 'choice', name: 'language', label: columns.language, options: toOptions(words.languages) },
    {
      kind: 'choice',
      name: 'withoutPictures',
      label: filters.withoutPictures,
      options: [{ value: 'true', label: filters.missing }],
    },
    ...(versions.length > 0 || values.version !== undefined
      ? [{ kind: 'choice', name: 'version', label: filters.version, options: versions } as const]
      : []),
    ...(pages.length > 0 || values.uiHash !== undefined
      ? [{ kind: 'choices', name: 'uiHash', label: words.detail.page, options: pages } as const]
      : []),
    { kind: 'text', name: 'client', label: filters.client },
  ];
}

/** The versions of the page that decisions were made on: their name and when they were in use. */
function usePageOptions(projectId: string | null): { value: string; label: string }[] {
  const { formatUse } = usePageVersions();
  const query = { ...(projectId !== null && { projectId }), limit: 200 };
  const { data } = useData<typeof listConsentPageVersions>(PAGE_VERSIONS_TARGET, { query });
  return (data?.results ?? []).map((page) => ({
    value: page.uiHash,
    label: `${shortenHash(page.uiHash)} · ${formatUse(page)}`,
  }));
}

/** The newest versions of the words of a project: their number and their day. */
function useVersionOptions(projectId: string | null): { value: string; label: string }[] {
  const { filters } = useConsentWords();
  const { language } = useLanguage();
  const { organization } = useConsole();
  const { data } = useData<typeof listProjectVersions>(
    VERSIONS_TARGET,
    { params: { projectId: projectId ?? '' }, query: { limit: 100 } },
    { enabled: projectId !== null },
  );
  if (projectId === null || data === undefined) return [];
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: organization.timeZone });
  return data.results.map(({ version, studySnapshotId, createdAt }) => ({
    value: studySnapshotId,
    label: filters.versionFrom(String(version), day.format(new Date(createdAt))),
  }));
}
