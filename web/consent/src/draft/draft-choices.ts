import type { DraftChoices } from '../api.ts';
import type { Choices } from '../review/choices.ts';
import type { ReviewSubject } from '../review/review-subject.ts';

/** Returns choices as the service keeps them. */
export const toDraftChoices = (choices: Choices): DraftChoices => ({
  categories: [...choices.categories],
  sensitivities: [...choices.sensitivities],
  duration: choices.duration,
  day: choices.day,
  representative: choices.hasRepresentative ? choices.representative : null,
});

/** Returns what stands on the review again after a reload: what was last chosen. */
export const fromDraftChoices = (draft: DraftChoices): Partial<Choices> => ({
  categories: new Set(draft.categories),
  sensitivities: new Set(draft.sensitivities),
  duration: draft.duration,
  day: draft.day,
  hasRepresentative: draft.representative !== null,
  ...(draft.representative && { representative: draft.representative }),
});

/** What stands there when the last choice did not reach the service: nothing that could be more than it was. */
export const createEmptyChoices = ({ client }: ReviewSubject): Partial<Choices> => ({
  categories: new Set(),
  sensitivities: new Set(),
  duration: client === null ? '30-days' : 'once',
});
