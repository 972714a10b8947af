import { isDeepStrictEqual } from 'node:util';
import { combineScopes, toDataScopes } from '../access/sensitivity-labels.ts';
import type { GrantTerms } from './consent.sql.ts';
import type { DecisionContext, DecisionTerms } from './decide.ts';
import { findInForce } from './find-in-force.ts';

/**
 * Resolves what a yes to an app changes: what the app gets is the app's alone, so a consent in force is not taken from. It
 * grows only where the app gets more than it covers, or longer. What the app gets is recorded where it is less.
 */
export function resolveAppTerms(
  chosen: GrantTerms,
  { previous, now }: Pick<DecisionContext, 'previous' | 'now'>,
): Required<Pick<DecisionTerms, 'scopes' | 'expiresAt' | 'grant'>> {
  const current = findInForce(previous, now);
  if (!current) return { ...chosen, grant: null };
  const shared = toDataScopes(current.resource_scopes, current.sensitivity_scopes);
  const covered = {
    scopes: combineScopes(shared, chosen.scopes),
    expiresAt: current.expires_at > chosen.expiresAt ? current.expires_at : chosen.expiresAt,
  };
  return { ...covered, grant: isDeepStrictEqual(covered, chosen) ? null : chosen };
}
