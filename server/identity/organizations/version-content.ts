import type { ConsentType } from '../../../contract/account/consent.ts';
import type { ProjectConsentType, ProjectContent } from '../../../contract/organization/projects.ts';

/** One version of a project's content for patients, as it is stored: JSON each. */
export interface VersionJson {
  content: string | null;
  consent_types: string | null;
}

/** What patients read in a version of a project, and are asked for. */
export interface VersionContent {
  content: ProjectContent | null;
  consentTypes: ProjectConsentType[];
}

export const parseVersion = ({ content, consent_types: types }: VersionJson): VersionContent => ({
  content: content === null ? null : (JSON.parse(content) as ProjectContent),
  consentTypes: types === null ? [] : (JSON.parse(types) as ProjectConsentType[]),
});

/**
 * Returns what a person reads who decides on this type of consent: its own words, or else the project's. Whoever
 * answers questions about the project answers those about each consent that names nobody itself.
 */
export function resolveConsentContent(version: VersionJson, type: ConsentType): ProjectContent | null {
  const { content, consentTypes } = parseVersion(version);
  const own = consentTypes.find((asked) => asked.type === type)?.content;
  return own ? { ...own, contact: own.contact ?? content?.contact ?? null } : content;
}
