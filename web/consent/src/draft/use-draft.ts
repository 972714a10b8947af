import { useEffect, useMemo, useRef, useState } from 'react';
import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Person } from '../../../patient/account-api.ts';
import type { Step } from '../../../patient/step.ts';
import type { ReviewDraft } from '../api.ts';
import { type Choices, applyChoices } from '../review/choices.ts';
import type { ReviewSubject } from '../review/review-subject.ts';
import { createEmptyChoices, fromDraftChoices, toDraftChoices } from './draft-choices.ts';
import type { DraftPort } from './draft-port.ts';
import { createDraftSaver } from './draft-saver.ts';

interface DraftOptions {
  port: DraftPort;
  /** What the service held when the screen appeared. */
  held: ReviewDraft | null;
  subject: ReviewSubject;
  person: Person;
  navigation: StepNavigation<Step>;
}

export interface Draft {
  port: DraftPort;
  choices: Choices;
  updateChoices: (patch: Partial<Choices>) => void;
  /** Nothing was chosen yet, also not before a reload: what stands there is preset. */
  isPreset: boolean;
  /** The last choice before a reload did not reach the service, so that nothing is chosen now. */
  isLost: boolean;
  /** The id of a picture that the service held when the screen appeared. */
  findScreen(screen: string): string | null;
}

/** The choices of a review, restored after a reload and sent to the service as they are made. */
export function useDraft({ port, held, subject, person, navigation }: DraftOptions): Draft {
  const [atStart] = useState(() => ({ held, isLost: isChangeLost(port, held, navigation.step) }));
  const [patch, setPatch] = useState<Partial<Choices>>(() => restoreChoices(atStart, subject));
  const [isChanged, setIsChanged] = useState(false);
  const saver = useMemo(() => createDraftSaver(port), [port]);
  const changedAt = useRef(Date.parse(held?.changedAt ?? '') || 0);
  useEffect(() => {
    const flushWhenHidden = () => void (document.hidden && saver.flush());
    addEventListener('pagehide', saver.flush);
    addEventListener('online', saver.flush);
    document.addEventListener('visibilitychange', flushWhenHidden);
    return () => {
      removeEventListener('pagehide', saver.flush);
      removeEventListener('online', saver.flush);
      document.removeEventListener('visibilitychange', flushWhenHidden);
    };
  }, [saver]);

  const choices = applyChoices(subject, patch);
  const updateChoices = (some: Partial<Choices>) => {
    setPatch((before) => ({ ...before, ...some }));
    setIsChanged(true);
    // Later than any before, also where the clock was put back.
    changedAt.current = Math.max(Date.now(), changedAt.current + 1);
    const at = new Date(changedAt.current).toISOString();
    navigation.replace({ at: 'confirmed', email: person.email, changed: { review: port.review, at } });
    saver.save({
      confirmedAs: person.email,
      changedAt: at,
      choices: toDraftChoices(applyChoices(subject, { ...patch, ...some })),
    });
  };
  const findScreen = (screen: string): string | null =>
    atStart.held?.screens.find((each) => each.screen === screen)?.id ?? null;
  const isPreset = !isChanged && !atStart.isLost && (atStart.held?.choices ?? null) === null;
  return { port, choices, updateChoices, isPreset, isLost: atStart.isLost && !isChanged, findScreen };
}

/** True when the history knows a later change than the service does. */
const isChangeLost = ({ review }: DraftPort, held: ReviewDraft | null, step: Step | null): boolean =>
  step?.at === 'confirmed' && step.changed?.review === review && (held?.changedAt ?? '') < step.changed.at;

function restoreChoices(
  { held, isLost }: { held: ReviewDraft | null; isLost: boolean },
  subject: ReviewSubject,
): Partial<Choices> {
  if (isLost) return createEmptyChoices(subject);
  return held?.choices ? fromDraftChoices(held.choices) : {};
}
