import type { Fault } from '../../../look/form.tsx';
import type { Interaction, Person } from '../api/api.ts';
import type { Choices } from './choices.ts';

/** What each part of the review knows. */
export interface About {
  interaction: Interaction;
  person: Person;
  choices: Choices;
  choose: (some: Partial<Choices>) => void;
  /** Of the last try to say yes. */
  faults: readonly Fault[];
  now: Date;
}
