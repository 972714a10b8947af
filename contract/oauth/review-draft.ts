import { z } from 'zod';
import { MAX_PERSON_NAME_LENGTH } from '../text-limits.ts';
import { PatientId, ScreenshotId } from '../brands.ts';
import { ResourceScope, RestrictedScope } from '../data-categories.ts';
import { DecisionTerms, RepresentativeAuthority } from './decision-terms.ts';
import { Instant } from '../instant.ts';

/** Limits of the PNG images of the screens that the patient saw, in bytes for one and for all of a draft. */
export const EVIDENCE_LIMITS = {
  screenshots: 8,
  bytes: 2 * 1024 * 1024,
  totalBytes: 6 * 1024 * 1024,
} as const;

export const ScreenName = z.string().regex(/^[a-z-]{1,40}$/);

/** What stands on a review while it is filled in; unlike a decision it may be incomplete. */
export const DraftChoices = z.object({
  categories: z.array(ResourceScope).max(ResourceScope.options.length),
  sensitivities: z.array(RestrictedScope).max(RestrictedScope.options.length),
  duration: z.enum(['as-now', 'once', '30-days', '90-days', '1-year', 'until']),
  day: z.string().regex(/^(\d{4}-\d\d-\d\d)?$/),
  representative: z
    .object({ name: z.string().max(MAX_PERSON_NAME_LENGTH), authority: RepresentativeAuthority.nullable() })
    .nullable(),
});
export type DraftChoices = z.infer<typeof DraftChoices>;

/** The draft of a decision, of one person in one browser. */
export const ReviewDraft = z
  .object({
    choices: DraftChoices.nullable().describe('What was last chosen; null: nothing yet'),
    changedAt: z.iso.datetime().nullable().describe('When, by the clock of the browser'),
    screens: z
      .array(z.object({ id: ScreenshotId, screen: ScreenName }))
      .describe('The pictures there are of the page as it is now'),
  })
  .meta({ id: 'ReviewDraft' });
export type ReviewDraft = z.infer<typeof ReviewDraft>;

const confirmedAs = z.string().max(320).describe('The e-mail address that the page shows');
/** Of the person whom a page shows. Pages of the version before say the address alone. */
export const ConfirmedPersonId = PatientId.optional().describe(
  'The `id` of the person that the page shows; where it is given, it is compared and not `confirmedAs`, which can change',
);

export const SavedDraft = z.object({
  confirmedAs,
  personId: ConfirmedPersonId,
  choices: DraftChoices,
  changedAt: Instant.describe('Later than the one before, by which what comes late is known'),
});

export const DraftScreen = z.object({
  confirmedAs,
  personId: ConfirmedPersonId,
  screen: ScreenName.describe('A picture replaces the one before of the same screen'),
  takenAt: Instant,
  contentType: z.literal('image/png'),
  data: z.base64().max(Math.ceil(EVIDENCE_LIMITS.bytes / 3) * 4),
  shown: DecisionTerms.optional().describe('The choices and words in the picture of a review'),
});
export type DraftScreen = z.infer<typeof DraftScreen>;

/** The image in base64, and 64 KiB for the rest. */
export const DRAFT_SCREEN_LIMIT = Math.ceil(EVIDENCE_LIMITS.bytes / 3) * 4 + 64 * 1024;

export const DraftSaved = z.object({ changedAt: z.iso.datetime().describe('Of what is kept') });
export const DraftScreenAdded = z.object({ id: ScreenshotId });
