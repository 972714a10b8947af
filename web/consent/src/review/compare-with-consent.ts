import type { PreviousConsent } from '../api.ts';
import {
  ALL_CATEGORIES,
  SENSITIVITIES,
  type Category,
  type Sensitivity,
} from '../../../patient/data/groups.ts';
import type { Choices } from './choices.ts';
import { getExpiry } from './duration.ts';

type Label = Category | Sensitivity;

/** How what an app would get differs from what is shared now. */
export interface Comparison {
  /** Shared, but not with this app. */
  missing: Label[];
  /** Not shared so far. */
  added: Label[];
  ends: 'sooner' | 'as-now' | 'later';
}

export function compareWithConsent(choices: Choices, consent: PreviousConsent, now: Date): Comparison {
  const shared = new Set<Label>([
    ...(consent.consentDataResourceScopes ?? ALL_CATEGORIES),
    ...(consent.consentDataSensitivityScopes ?? []).filter((name) => name !== 'NORMAL'),
  ]);
  const chosen = new Set<Label>([...choices.categories, ...choices.sensitivities]);
  const labels: readonly Label[] = [...ALL_CATEGORIES, ...SENSITIVITIES];
  return {
    missing: labels.filter((name) => shared.has(name) && !chosen.has(name)),
    added: labels.filter((name) => chosen.has(name) && !shared.has(name)),
    ends: compareEnds(getExpiry(choices, now), new Date(consent.expiresAt)),
  };
}

/** A day that is not chosen yet is no difference. */
function compareEnds(chosen: Date | null, shared: Date): Comparison['ends'] {
  if (chosen === null || chosen.getTime() === shared.getTime()) return 'as-now';
  return chosen < shared ? 'sooner' : 'later';
}
