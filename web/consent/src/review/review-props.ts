import type { FormError } from '../../../kit/form.tsx';
import type { Interaction } from '../api.ts';
import type { Person } from '../../../patient/account-api.ts';
import type { Choices } from './choices.ts';

/** What each part of the review knows. */
export interface ReviewProps {
  interaction: Interaction;
  person: Person;
  choices: Choices;
  updateChoices: (patch: Partial<Choices>) => void;
  /** Of the last try to say yes. */
  errors: readonly FormError[];
  now: Date;
}
