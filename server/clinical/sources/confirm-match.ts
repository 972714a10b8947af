import type { SourceMatching } from '../../../contract/organization/sources.ts';
import {
  contradictsBirthDate,
  hasIdentifier,
  hasSameEmail,
  hasSameFamilyName,
  type Demographics,
} from './demographic-match.ts';
import type { JsonObject } from './json.ts';
import type { MatchedPatient, MatchQuery, MatchResult } from './matched-patient.ts';
import { hasTestTag } from '../store/test-tag.ts';
import type { OutcomeCode } from './source-fault.ts';

/**
 * Accepts a match whose name and birth date say the same, however it was found: an id is a number that somebody typed, and
 * one wrong digit is somebody else's. The birth date must agree where both sides have one, and the family name or the
 * e-mail address, which a mailed link confirmed; else the organization has to look.
 */
export function confirmMatch(matched: MatchedPatient, matchQuery: MatchQuery): MatchResult {
  if (matchQuery.isTestPatient && matched.type === 'Patient' && !hasTestTag(matched.resource))
    return { state: 'no_match', code: 'not_test_data' };
  const code = findContradiction(matched.resource, matchQuery);
  return code === null ? matched : { state: 'needs_organization_review', code };
}

function findContradiction(
  resource: JsonObject,
  { demographics, isTestPatient }: { demographics: Demographics; isTestPatient: boolean },
): OutcomeCode | null {
  if (contradictsBirthDate(resource, demographics)) return 'birth_date_differs';
  const hasConfirmedEmail = !isTestPatient && hasSameEmail(resource, demographics);
  return hasConfirmedEmail || hasSameFamilyName(resource, demographics) ? null : 'name_differs';
}

/** Says whether a match that was made before would be made again: an external id that was corrected leads elsewhere. */
export function isStillNamed(
  { id, resource }: MatchedPatient,
  { matching, externalIds }: { matching: SourceMatching; externalIds: readonly string[] },
): boolean {
  if (matching.by === 'demographics') return true;
  if (matching.by === 'id') return externalIds.includes(id);
  return externalIds.some((value) => hasIdentifier(resource, matching.system, value));
}
