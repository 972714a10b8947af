import type { z } from 'zod';
import type { ConsentType } from '../../../../contract/account/consent.ts';
import type { ResourceScope } from '../../../../contract/data-categories.ts';
import type {
  getProject,
  listProjectVersions,
  ProjectConsentType,
  ProjectContent,
} from '../../../../contract/organization/projects.ts';
import type { Language } from '../../../kit/languages.ts';

export type ProjectData = z.infer<(typeof getProject)['response']>;
export type VersionData = z.infer<(typeof listProjectVersions)['response']>['results'][number];

export const PROJECT_TARGET = 'GET /v1/organizations/{orgId}/projects/{projectId}';
export const FIGURES_TARGET = 'GET /v1/organizations/{orgId}/projects/figures';
export const VERSIONS_TARGET = 'GET /v1/organizations/{orgId}/projects/{projectId}/versions';

/** What a version holds: everything that patients read, and what they are asked for. */
export interface VersionContent {
  content: ProjectContent | null;
  consentTypes: readonly ProjectConsentType[];
}

export const LANGUAGES = ['en', 'es'] as const satisfies readonly Language[];

export const CONSENT_TYPES = [
  'PATIENT_DIRECTED_DATA_EXCHANGE',
  'DATA_AUTHORIZATION',
  'FUTURE_DATA_USE',
] as const satisfies readonly ConsentType[];

/** The categories as the review groups them: the person first, then what is wrong, what is done, and the rest. */
export const CATEGORIES = [
  'DEMOGRAPHICS',
  'CONTACT_INFO',
  'DIAGNOSES',
  'ALLERGIES',
  'MEDICATIONS',
  'IMMUNIZATIONS',
  'PROCEDURES',
  'LABS',
  'CLINICAL_VITALS',
  'DIAGNOSTIC_REPORTS',
  'IMAGING',
  'GENOMIC_DATA',
  'VISITS',
  'CLINICAL_NOTES',
  'TREATMENT_PLAN',
  'FAMILY_HISTORY',
  'SOCIAL_HISTORY',
  'ADMINISTRATIVE_AND_BILLING',
] as const satisfies readonly ResourceScope[];

export const TEXTS = ['title', 'purpose', 'benefits', 'risks'] as const;
export const CONTACT_FIELDS = ['name', 'email', 'phone'] as const;
