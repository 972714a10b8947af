import type { getConsentedDataScopes } from '../../../../contract/organization/consent-records.ts';
import type { ConsentScopes } from '../../../../contract/data-categories.ts';
import type { z } from 'zod';

/** The names of what a consent may cover, in the order in which people read them; the words of the page have them. */
export interface ScopeNames {
  categories: readonly string[];
  classes: readonly string[];
}

/** What a consent leaves out, by the names of categories and protected classes: an address holds it as a list. */
export type Withheld = ReadonlySet<string>;

/** Reads what stands in the address; a name that is none is no fault of whoever opens the link. */
export const parseWithheld = (text: string, { categories, classes }: ScopeNames): Withheld =>
  new Set(text.split(',').filter((name) => categories.includes(name) || classes.includes(name)));

export const formatWithheld = (withheld: Withheld): string => [...withheld].join(',');

/** A consent that covers no category is none. */
export const isEmptyConsent = (withheld: Withheld, { categories }: ScopeNames): boolean =>
  categories.every((name) => withheld.has(name));

type ScopesBody = Pick<ConsentScopes, 'consentDataResourceScopes' | 'consentDataSensitivityScopes'>;

/** Lists for a request. Classes are named in any case: a decision of a test patient that names none is about uploads alone. */
export function toScopesBody(withheld: Withheld, { categories, classes }: ScopeNames): ScopesBody {
  const isCovered = (name: string): boolean => !withheld.has(name);
  return {
    consentDataResourceScopes: categories.every(isCovered) ? null : categories.filter(isCovered),
    consentDataSensitivityScopes: ['NORMAL', ...classes.filter(isCovered)],
  } as ScopesBody;
}

type ConsentedScopes = z.infer<(typeof getConsentedDataScopes)['response']>;

/** What the consents in force leave out; null: there is none in force. */
export function findWithheld(
  { consentDataScopes }: ConsentedScopes,
  { categories, classes }: ScopeNames,
): Withheld | null {
  if (consentDataScopes.length === 0) return null;
  const covered = new Set<string>(
    consentDataScopes.flatMap(({ resourceScope, sensitivityScope }) => [resourceScope, sensitivityScope]),
  );
  return new Set([...categories, ...classes].filter((name) => !covered.has(name)));
}

/** What an answer of a tool is made of first: leaving it out shows what a narrower consent does. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['get_medications', 'MEDICATIONS'],
  ['get_labs', 'LABS'],
  ['get_vitals', 'CLINICAL_VITALS'],
  ['get_allergies', 'ALLERGIES'],
  ['get_procedures', 'PROCEDURES'],
  ['get_immunizations', 'IMMUNIZATIONS'],
  ['get_visits', 'VISITS'],
  ['search_clinical_notes', 'CLINICAL_NOTES'],
  ['get_other_records', 'TREATMENT_PLAN'],
  ['get_details', 'DEMOGRAPHICS'],
]);

export const suggestWithheld = (tool: string): Withheld => new Set([SUBJECTS.get(tool) ?? 'DIAGNOSES']);
