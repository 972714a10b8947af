import { useEffect, useMemo, useRef, useState } from 'react';
import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Person } from '../../../patient/account-api.ts';
import { confirmPerson, getPersonKey } from '../../../patient/same-person.ts';
import type { Step } from '../../../patient/step.ts';
import type { ReviewDraft } from '../api.ts';
import { type Choices, applyChoices } from '../review/choices.ts';
import type { ReviewSubject } from '../review/review-subject.ts';
import { createEmptyChoices, fromDraftChoices, toDraftChoices } from './draft-choices.ts';
import type { DraftPort } from './draft-port.ts';
import { createDraftSaver, type DraftSaver } from './draft-saver.ts';

interface DraftOptions {
  port: DraftPort;
  /** What the service held when it was last asked. */
  held: ReviewDraft | null;
  subject: ReviewSubject;
  person: Person;
  navigation: StepNavigation<Step>;
}

export interface Draft {
  port: DraftPort;
  choices: Choices;
  updateChoices: (patch: Partial<Choices>) => void;
  /** When what stands there was chosen, by the clock of the browser; null: nothing was chosen yet. */
  changedAt: string | null;
  /** Nothing was chosen yet, also not before a reload: what stands there is preset. */
  isPreset: boolean;
  /** The last choice before a reload did not reach the service, so that nothing is chosen now. */
  isLost: boolean;
  /** The id of a picture that the service holds. */
  findScreen(screen: string): string | null;
}

/** What was chosen, here or in another tab. */
type Chosen = Pick<Draft, 'changedAt' | 'isPreset' | 'isLost'> & { patch: Partial<Choices> };

/**
 * The choices of a review, restored after a reload and sent to the service as they are made. What was chosen later in another
 * tab takes their place as soon as the page hears of it.
 */
export function useDraft(options: DraftOptions): Draft {
  const { port, held, subject, person, navigation } = options;
  const [chosen, setChosen] = useState(() => restoreChosen(options));
  const saver = useSaver(port);
  const latest = useRef(0);
  const { patch, changedAt, isPreset, isLost } = chosen;
  if (isLater(held?.changedAt ?? null, changedAt)) setChosen(restoreChosen(options));

  const updateChoices = (some: Partial<Choices>) => {
    // Later than any before, also where the clock was put back.
    latest.current = Math.max(Date.now(), latest.current + 1, parseTime(changedAt) + 1);
    const at = new Date(latest.current).toISOString();
    setChosen((before) => ({
      patch: { ...before.patch, ...some },
      changedAt: at,
      isPreset: false,
      isLost: false,
    }));
    navigation.replace({
      at: 'confirmed',
      person: getPersonKey(person),
      changed: { review: port.review, at },
    });
    saver.save({
      ...confirmPerson(person),
      changedAt: at,
      choices: toDraftChoices(applyChoices(subject, { ...patch, ...some })),
    });
  };
  return {
    port,
    choices: applyChoices(subject, patch),
    updateChoices,
    changedAt,
    isPreset,
    isLost,
    findScreen: (screen) => held?.screens.find((each) => each.screen === screen)?.id ?? null,
  };
}

/** Sends what waits when the page may be left, and when the connection is back. */
function useSaver(port: DraftPort): DraftSaver {
  const saver = useMemo(() => createDraftSaver(port), [port]);
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
  return saver;
}

/** Returns what the service holds; nothing that could be more than it was where the history knows a later change than that. */
function restoreChosen({ port, held, subject, navigation: { step } }: DraftOptions): Chosen {
  const changedAt = held?.changedAt ?? null;
  const changedHere =
    step?.at === 'confirmed' && step.changed?.review === port.review ? step.changed.at : null;
  if (isLater(changedHere, changedAt))
    return { patch: createEmptyChoices(subject), changedAt, isPreset: false, isLost: true };
  const choices = held?.choices ?? null;
  const patch = choices === null ? {} : fromDraftChoices(choices);
  return { patch, changedAt, isPreset: choices === null, isLost: false };
}

const parseTime = (at: string | null): number => (at === null ? 0 : Date.parse(at));

const isLater = (one: string | null, other: string | null): boolean => parseTime(one) > parseTime(other);
