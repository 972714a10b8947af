import { RequiredStatementsSection } from './section-required-statements.tsx';
import { DurationSection } from './section-duration.tsx';
import { WithdrawalSection } from './section-withdrawal.tsx';
import { SensitivitySection } from './section-sensitivity.tsx';
import { CategoriesSection } from './section-categories.tsx';
import { PreviousConsentSection } from './section-previous-consent.tsx';
import { SharedSection } from './section-shared.tsx';
import { OfflineAccessSection } from './section-offline-access.tsx';
import { RequesterSection } from './section-requester.tsx';
import { PurposeSection } from './section-purpose.tsx';

/**
 * The sections before the decision, in this order. Each element that 45 CFR 164.508(c) demands in an authorization has
 * its number as `data-element`; a test looks for all of them.
 */
export const SECTIONS = [
  RequesterSection,
  SharedSection,
  PreviousConsentSection,
  PurposeSection,
  CategoriesSection,
  SensitivitySection,
  OfflineAccessSection,
  DurationSection,
  WithdrawalSection,
  RequiredStatementsSection,
];
