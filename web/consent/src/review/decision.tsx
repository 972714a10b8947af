import { useState } from 'react';
import { Busy } from '../../../look/busy.tsx';
import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import { Icon } from '../../../look/icon.tsx';
import type { Trouble } from '../api/refusal.ts';
import type { Words } from '../words/en.ts';
import { failureText } from '../words/failure.ts';
import { type Language, useLanguage } from '../words/language.tsx';
import type { About } from './about.ts';
import { InShort } from './in-short.tsx';
import { Represented } from './represented.tsx';
import { Signed } from './signed.tsx';
import { useTask } from '../task.ts';

interface DecisionProps extends About {
  /** Counts the tries to say yes. */
  attempt: number;
  /** Answers whether anything is missing. */
  onTry: () => boolean;
  onAllow: () => Promise<void>;
  onDeny: () => Promise<void>;
}

export function Decision({ attempt, onTry, onAllow, onDeny, ...about }: DecisionProps) {
  const { words, language } = useLanguage();
  const { review, common } = words;
  const { busy, trouble, run } = useTask();
  const [pressed, setPressed] = useState<'allow' | 'deny'>('allow');
  const faults = trouble === null ? about.faults : [{ text: refusal(trouble, words, language) }];
  const press = (button: 'allow' | 'deny', work: () => Promise<void>) => {
    setPressed(button);
    run(work);
  };
  return (
    <section className="decision">
      <h2>{review.decision.title}</h2>
      <InShort {...about} />
      <div className="stack" data-element="164.508(c)(1)(vi)">
        <Represented {...about} />
        <p>
          <strong>
            <Signed {...about} />
          </strong>{' '}
          {review.decision.counts}
        </p>
      </div>
      {faults.length > 0 && <ErrorSummary key={attempt} title={common.problem} faults={faults} />}
      <TwoButtons
        busy={busy ? pressed : null}
        onAllow={() => onTry() && press('allow', onAllow)}
        onDeny={() => press('deny', onDeny)}
      />
      <Busy busy={busy} text={common.oneMoment} />
    </section>
  );
}

/** What can be filled in wrongly is checked here; a clock that is wrong is not, and the evidence tells its time. */
const refusal = (trouble: Trouble, words: Words, language: Language): string =>
  trouble.kind === 'invalid' ? words.failed.notTaken : failureText(trouble, words, language);

interface TwoButtonsProps {
  busy: 'allow' | 'deny' | null;
  onAllow: () => void;
  onDeny: () => void;
}

/**
 * Yes and no alike in size, weight and distance; neither is chosen before. The words stay while it works, since the
 * picture that is kept is taken then: it shows which of the two was pressed.
 */
function TwoButtons({ busy, onAllow, onDeny }: TwoButtonsProps) {
  const { review, common } = useLanguage().words;
  return (
    <div className="stack">
      <div className="buttons">
        <Button look="strong" busy={busy !== null} onPress={onAllow}>
          {busy === 'allow' && <Icon name="running" />}
          {review.allow}
        </Button>
        <Button look="strong" busy={busy !== null} onPress={onDeny}>
          {busy === 'deny' && <Icon name="running" />}
          {review.deny}
        </Button>
      </div>
      <p className="soft decision-moment" aria-hidden="true">
        {busy !== null && common.oneMoment}
      </p>
    </div>
  );
}
