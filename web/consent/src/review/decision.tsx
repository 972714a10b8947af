import { useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { Compared } from './compared.tsx';
import { formatDecisionFailure } from './format-decision-failure.ts';
import { ReviewSummary } from './review-summary.tsx';
import { RepresentativeFields } from './representative-fields.tsx';
import { SignatureLine } from './signature-line.tsx';
import { useTask } from '../../../kit/task.ts';
import type { DecisionProgress } from './use-decision-steps.ts';

interface DecisionProps extends ReviewProps {
  /** Of the short form: what is decided on is chosen already. */
  isShort?: boolean;
  /** What is under way. */
  progress: DecisionProgress | null;
  /** Returns whether the choices are complete. */
  onValidate: () => boolean;
  onAllow: () => Promise<void>;
  onDeny: () => Promise<void>;
}

export function Decision({
  isShort = false,
  progress,
  onValidate,
  onAllow,
  onDeny,
  ...props
}: DecisionProps) {
  const { words, language } = useLanguage();
  const { review, common } = words;
  const { busy, refusal, run } = useTask();
  const [pressed, setPressed] = useState<{ button: 'allow' | 'deny'; count: number }>({
    button: 'allow',
    count: 0,
  });
  const errors =
    refusal === null ? props.errors : [{ text: formatDecisionFailure(refusal, words, language) }];
  const moment = progress === null || progress === 'picture' ? common.oneMoment : review.progress[progress];
  const press = (button: 'allow' | 'deny', work: () => Promise<void>) => {
    setPressed(({ count }) => ({ button, count: count + 1 }));
    if (button === 'deny' || onValidate()) run(work);
  };
  return (
    <section className="decision">
      <h2>{review.decision.title}</h2>
      <ReviewSummary {...props} isShort={isShort} />
      {!isShort && <Compared {...props} />}
      <div className="stack" data-element="164.508(c)(1)(vi)">
        {!isShort && <RepresentativeFields {...props} />}
        <p>
          <strong>
            <SignatureLine {...props} />
          </strong>{' '}
          {review.decision.counts}
        </p>
      </div>
      <ErrorSummary title={common.problem} errors={errors} attempt={pressed.count} />
      <DecisionButtons
        busy={busy ? pressed.button : null}
        moment={moment}
        onAllow={() => press('allow', onAllow)}
        onDeny={() => press('deny', onDeny)}
      />
      <Busy busy={busy} text={moment} />
    </section>
  );
}

interface DecisionButtonsProps {
  busy: 'allow' | 'deny' | null;
  /** What is under way, in words. */
  moment: string;
  onAllow: () => void;
  onDeny: () => void;
}

/**
 * The two answers look different and stand apart, so that nobody presses one for the other; both are as large and as near, and
 * neither is preset. Their texts stay while the request runs, since the screenshot is taken then: it shows which was pressed.
 */
function DecisionButtons({ busy, moment, onAllow, onDeny }: DecisionButtonsProps) {
  const { review } = useLanguage().words;
  return (
    <div className="stack">
      <div className="buttons answers">
        <Button variant="strong" busy={busy !== null} onPress={onAllow}>
          {busy === 'allow' && <Icon name="running" />}
          {review.allow}
        </Button>
        <Button variant="plain" busy={busy !== null} onPress={onDeny}>
          {busy === 'deny' && <Icon name="running" />}
          {review.deny}
        </Button>
      </div>
      <p className="soft decision-moment" aria-hidden="true">
        {busy !== null && moment}
      </p>
    </div>
  );
}
