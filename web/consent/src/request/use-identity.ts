import { useState } from 'react';
import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Person } from '../../../patient/account-api.ts';
import { getPersonKey } from '../../../patient/same-person.ts';
import type { Step } from '../../../patient/step.ts';
import { useAppDeps } from '../app-deps.ts';
import type { Draft } from '../draft/use-draft.ts';

interface IdentityOptions {
  draft: Draft;
  person: Person;
  evidenceOwner: string;
  navigation: StepNavigation<Step>;
  /** Asks the service anew: another tab may have chosen something since this one was opened. */
  refresh: () => Promise<unknown>;
}

interface Identity {
  /** The person has to say who they are before they go on. */
  isAsked: boolean;
  /** They have said it before, but there is no picture of it. */
  isAgain: boolean;
  onConfirmed: () => Promise<void>;
  confirmAgain: () => void;
}

/** Whether the person at the screen has said who they are, with the picture of it that their decision needs. */
export function useIdentity(options: IdentityOptions): Identity {
  const { draft, person, evidenceOwner, navigation, refresh } = options;
  const { evidence } = useAppDeps();
  const { step, go } = navigation;
  const [isPictureMissing, setIsPictureMissing] = useState(
    () => !evidence.has(evidenceOwner, 'who-is-this') && draft.findScreen('who-is-this') === null,
  );
  const isConfirmed = step?.at === 'confirmed' && step.person === getPersonKey(person);
  return {
    isAsked: isPictureMissing || !isConfirmed,
    isAgain: isPictureMissing && isConfirmed,
    async onConfirmed() {
      await refresh();
      setIsPictureMissing(false);
      if (!isConfirmed) go({ at: 'confirmed', person: getPersonKey(person) });
    },
    confirmAgain: () => setIsPictureMissing(true),
  };
}
