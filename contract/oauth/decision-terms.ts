import { z } from 'zod';
import { personNameInput } from '../person-name-input.ts';
import { MAX_PERSON_NAME_LENGTH } from '../text-limits.ts';
import { ConsentDataResourceScopes, ConsentDataSensitivityScopes } from '../data-categories.ts';
import { Instant } from '../instant.ts';

/** How long a consent lasts; `once`: one hour, for everybody, without a refresh token. */
export const ConsentDuration = z.union([
  z.enum(['once', '30-days', '90-days', '1-year']),
  z.object({
    until: Instant.describe(
      "When it ends, at most a year ahead: midnight after the last day, in the patient's time zone",
    ),
  }),
]);
export type ConsentDuration = z.infer<typeof ConsentDuration>;

export const RepresentativeAuthority = z.enum(['parent', 'guardian', 'power-of-attorney', 'other']);

/** What is decided on, and in which words: what the pictures of a review must show. */
export const DecisionTerms = z.object({
  consentDataResourceScopes: ConsentDataResourceScopes.default(null).describe(
    'What the app gets. A consent in force grows to cover it, and does not shrink',
  ),
  consentDataSensitivityScopes: ConsentDataSensitivityScopes.default(null),
  duration: ConsentDuration.default('1-year'),
  studySnapshotId: z.string().max(64).optional().describe('The version that the page showed'),
  language: z.enum(['en', 'es']).default('en'),
  representative: z
    .object({
      name: personNameInput(MAX_PERSON_NAME_LENGTH),
      authority: RepresentativeAuthority,
    })
    .nullable()
    .default(null)
    .describe('The person who signs for the patient'),
});
export type DecisionTerms = z.infer<typeof DecisionTerms>;
