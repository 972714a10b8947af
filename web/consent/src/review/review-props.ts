import type { FormError } from '../../../kit/form.tsx';
import type { Person } from '../../../patient/account-api.ts';
import type { Choices } from './choices.ts';
import type { ReviewSubject } from './review-subject.ts';

/** The props of each part of the review. */
export interface ReviewProps {
  interaction: ReviewSubject;
  person: Person;
  choices: Choices;
  updateChoices: (patch: Partial<Choices>) => void;
  /** The errors of the last attempt to consent. */
  errors: readonly FormError[];
  now: Date;
}
