import { isDeepStrictEqual } from 'node:util';
import { joinParts, listParts, simplifyParts, toStoredConsent, type ConsentPart } from './consent-parts.ts';
import type { GrantTerms } from './consent.sql.ts';
import type { DecisionContext, DecisionTerms } from './decide.ts';
import { findInForce } from './find-in-force.ts';

/**
 * Resolves what a yes to an app changes: what the app gets is the app's alone, so a consent in force is not taken from. It
 * grows only where the app gets more than it covers, or longer, and what was added ends when the person said: neither does it go on
 * as long as the rest, nor the rest as long as that. What the app gets is recorded where it is less.
 */
export function resolveAppTerms(
  chosen: GrantTerms,
  { previous, now }: Pick<DecisionContext, 'previous' | 'now'>,
): Required<Pick<DecisionTerms, 'scopes' | 'expiresAt' | 'grant' | 'parts'>> {
  const current = findInForce(previous, now);
  if (!current) return { ...chosen, grant: null, parts: null };
  const before = listParts(toStoredConsent(current));
  const parts = simplifyParts([...before, chosen], now) as [ConsentPart, ...ConsentPart[]];
  const covered = joinParts(parts);
  return {
    ...covered,
    grant: isDeepStrictEqual(covered, chosen) ? null : chosen,
    parts: parts.length > 1 ? parts : null,
  };
}
