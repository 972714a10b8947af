import { useRef, useState } from 'react';
import { isTransient, Refusal } from '../../../kit/http/refusal.ts';
import type { Person } from '../../../patient/account-api.ts';
import type { DecisionTerms } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { generateKey } from '../draft/generate-key.ts';
import { retryWhileLost } from '../draft/retry.ts';
import type { Draft } from '../draft/use-draft.ts';
import type { Decide } from '../request/use-decide.ts';
import { NOT_SENT } from './format-decision-failure.ts';
import { useLanguage } from '../words/use-words.ts';
import { toDecisionBody } from './choices.ts';
import type { ReviewSubject } from './review-subject.ts';

/** What is under way between the press of a button and the next screen. */
export type DecisionProgress = 'picture' | 'sending-picture' | 'sending-answer' | 'lost';

interface DecisionOptions {
  interaction: ReviewSubject;
  person: Person;
  draft: Draft;
  decide: Decide;
  evidenceOwner: string;
  confirmAgain: () => void;
}

interface DecisionSteps {
  allow(): Promise<void>;
  deny(): Promise<void>;
  progress: DecisionProgress | null;
}

const IDENTITY = 'who-is-this';
const REVIEW = 'review';
export const SHORT_REVIEW = 'review-short';

/** From the press of a button to the decision: the picture of what is decided, its way to the service, the answer. */
export function useDecisionSteps(options: DecisionOptions, screen: string = REVIEW): DecisionSteps {
  const { interaction, draft, decide, evidenceOwner, confirmAgain } = options;
  const { evidence, interactionLog } = useAppDeps();
  const { language } = useLanguage();
  const [step, setStep] = useState<DecisionProgress | null>(null);
  const [isLost, setIsLost] = useState(false);
  const getKey = useDecisionKey();
  const getDenialKey = useDecisionKey();
  const pictures = usePictures(options, screen);
  const { studySnapshotId } = interaction.project;

  const allow = async () => {
    const terms: DecisionTerms = { ...toDecisionBody(draft.choices), studySnapshotId, language };
    setStep('picture');
    await evidence.capture(evidenceOwner, screen, terms);
    setStep('sending-picture');
    const screens = await retryWhileLost(pictures.sendAll, setIsLost).catch(returnIfRefused);
    // What refused the pictures refuses the decision, whose refusals lead on: to sign in, say.
    if (screens === null) return decide('grant', screen, { ...terms, screens: [], onLost: setIsLost });
    if (screens.length < 2) return confirmAgain();
    setStep('sending-answer');
    // An organization's consent names the decision that it replaces, whatever that was.
    const replaced = interaction.client === null ? {} : { replaces: getConsentInForce(interaction) };
    try {
      const shown = { draftChangedAt: draft.changedAt, decisionKey: getKey(terms) };
      const details = { ...terms, ...replaced, ...shown, screens };
      await decide('grant', screen, { ...details, onLost: setIsLost });
      evidence.endDraft(draft.port.review);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'evidence_required') throw error;
      // Its pictures are gone there, or of an older page.
      evidence.forget(evidenceOwner);
      confirmAgain();
    }
  };
  /** A no to an organization is a record with its screens, as a yes is; it needs no pictures. */
  const deny = async () => {
    setStep('sending-answer');
    const sent = { decisionKey: getDenialKey({ studySnapshotId }), onLost: setIsLost };
    if (interaction.client !== null) return decide('deny', screen, sent);
    const screens = await evidence
      .capture(evidenceOwner, screen)
      .then(pictures.sendAll)
      .catch(() => {
        interactionLog.add(screen, 'no-picture');
        return [];
      });
    await decide('deny', screen, { studySnapshotId, language, screens, ...sent });
    evidence.endDraft(draft.port.review);
  };
  const run = (work: () => Promise<void>) => () => work().finally(() => setStep(null));
  return { allow: run(allow), deny: run(deny), progress: isLost ? 'lost' : step };
}

/** Returns null for a refusal that another try does not change: the person signed out, or the request is over. */
function returnIfRefused(error: unknown): null {
  if (error instanceof Refusal && [401, 403, 404, 409, 410].includes(error.status)) return null;
  // The decision was not sent, so that it is known not to be made.
  if (error instanceof Refusal && isTransient(error))
    throw new Refusal(error.status, NOT_SENT, { retryAt: error.retryAt });
  throw error;
}

/** Sends what is not there yet of the two screens of a decision; returns the ids of those that are. */
function usePictures(
  { person, draft, evidenceOwner }: DecisionOptions,
  review: string,
): { sendAll(): Promise<string[]> } {
  const { evidence } = useAppDeps();
  const send = (screen: string): Promise<string | null> =>
    evidence.send(evidenceOwner, screen, { port: draft.port, person });
  return {
    async sendAll() {
      const identity = (await send(IDENTITY)) ?? draft.findScreen(IDENTITY);
      return [identity, await send(review)].flatMap((id) => id ?? []);
    },
  };
}

/** Returns the key of a decision: the same for the same choices, however often they are sent. */
function useDecisionKey(): (terms: object) => string {
  const kept = useRef({ terms: '', key: '' });
  return (terms) => {
    const text = JSON.stringify(terms);
    if (kept.current.terms !== text) kept.current = { terms: text, key: generateKey() };
    return kept.current.key;
  };
}

const getConsentInForce = ({ previous }: ReviewSubject): string | null =>
  previous?.inForce === true ? previous.consentRecordId : null;
