import type { ResourceScope } from '../../../../contract/data-categories.ts';
import { categorizeResource } from '../../entries/category.ts';
import { findClinicalPeriod } from '../../entries/clinical-period.ts';
import { buildDisplay, type ResourceDisplay } from '../../entries/resource-display.ts';
import { isUnrestricted } from '../../labels/inherited-labels.ts';
import type { ClinicalPeriod } from '../../store/clinical-periods.sql.ts';
import type { FoundResource, ParsedResource } from '../../store/found-resource.ts';
import { getSourceIdentity, hashText, MAX_NAME_LENGTH, type SourceIdentity } from '../../store/identity.ts';
import { formatIdentifier, hasUnquotedId } from '../../store/references.ts';

/** A resource and the file in the upload that it stands in. */
export interface ResourceAt {
  path: string;
  found: FoundResource;
}

/** What is stored of a resource besides its text; read when it is parsed, which is done once. */
export interface ResourceFacts {
  path: string;
  position: string;
  identity: SourceIdentity;
  /** The id as it is written; null where that is none, or a number. */
  id: string | null;
  /** SHA-256 of the text, in base64. */
  hash: string;
  /** `meta.lastUpdated` in UTC, or ''. */
  lastUpdated: string;
  /** It says itself that it is not restricted. */
  isUnrestricted: boolean;
  /** The names by which references may mean it, besides `Type/id`. */
  names: readonly string[];
  category: ResourceScope;
  display: ResourceDisplay;
  period: ClinicalPeriod;
}

/** Reads the facts of a resource; `origin` is that of one that does not name its own. */
export function readFacts({ path, found }: ResourceAt, origin: string): ResourceFacts {
  const { resource, text, position } = found;
  return {
    path,
    position,
    identity: getSourceIdentity(found, origin),
    id: typeof resource.id === 'string' && !hasUnquotedId(text) ? resource.id : null,
    hash: hashText(text).toString('base64'),
    lastUpdated: readLastUpdated(resource),
    isUnrestricted: isUnrestricted(resource),
    names: collectReferenceNames(found),
    category: categorizeResource(resource),
    display: buildDisplay(resource),
    period: findClinicalPeriod(resource),
  };
}

/** Reads `meta.lastUpdated` in UTC, or ''. */
export function readLastUpdated(resource: ParsedResource): string {
  const meta = resource['meta'] as { lastUpdated?: unknown } | null | undefined;
  const time = typeof meta?.lastUpdated === 'string' ? Date.parse(meta.lastUpdated) : Number.NaN;
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** Types that documents refer to by a business identifier, which is stored; others are read for it where something does. */
export const IDENTIFIER_TARGETS: ReadonlySet<string> = new Set([
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'Patient',
  'Device',
  'Medication',
]);

/** Collects the names by which references may mean a resource, besides `Type/id`. */
export function collectReferenceNames({
  resource,
  fullUrl,
}: Pick<FoundResource, 'resource' | 'fullUrl'>): string[] {
  const names: string[] = [];
  const add = (name: string): void => {
    if (name.length <= MAX_NAME_LENGTH && !name.includes('\0')) names.push(name);
  };
  if (fullUrl?.startsWith('urn:')) add(fullUrl.toLowerCase());
  if (!IDENTIFIER_TARGETS.has(resource.resourceType)) return names;
  const identifiers: unknown = resource['identifier'];
  for (const identifier of Array.isArray(identifiers) ? (identifiers as unknown[]) : []) {
    const { system, value } = (identifier ?? {}) as { system?: unknown; value?: unknown };
    if (typeof value !== 'string') continue;
    const token = typeof system === 'string' ? `${system}|${value}` : value;
    add(formatIdentifier(resource.resourceType, token));
  }
  return names;
}
