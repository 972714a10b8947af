import { RequiredStatementsSection } from './good-to-know.tsx';
import { DurationSection } from './how-long.tsx';
import { WithdrawalSection } from './how-to-stop.tsx';
import { SensitivitySection } from './private.tsx';
import { CategoriesSection } from './what.tsx';
import { PreviousConsentSection } from './what-changed.tsx';
import { OfflineAccessSection } from './while-away.tsx';
import { RequesterSection } from './who.tsx';
import { PurposeSection } from './why.tsx';

/**
 * What is said and asked before a decision, in this order; the decision itself comes last. Each element that
 * 45 CFR 164.508(c) wants in an authorization carries its number as `data-element`; a test looks for all of them.
 */
export const SECTIONS = [
  RequesterSection,
  PreviousConsentSection,
  PurposeSection,
  CategoriesSection,
  SensitivitySection,
  OfflineAccessSection,
  DurationSection,
  WithdrawalSection,
  RequiredStatementsSection,
];
