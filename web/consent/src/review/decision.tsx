import { useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { type Failure, toFailure } from '../../../patient/failure.ts';
import type { Words } from '../words/en.ts';
import { formatFailure } from '../../../patient/format-failure.ts';
import type { Language } from '../../../kit/languages.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { ReviewSummary } from './review-summary.tsx';
import { RepresentativeFields } from './representative-fields.tsx';
import { SignatureLine } from './signature-line.tsx';
import { useTask } from '../../../kit/task.ts';

interface DecisionProps extends ReviewProps {
  /** Counts the tries to say yes. */
  attempt: number;
  /** Answers whether anything is missing. */
  onValidate: () => boolean;
  onAllow: () => Promise<void>;
  onDeny: () => Promise<void>;
}

export function Decision({ attempt, onValidate, onAllow, onDeny, ...props }: DecisionProps) {
  const { words, language } = useLanguage();
  const { review, common } = words;
  const { busy, refusal, run } = useTask();
  const [pressed, setPressed] = useState<'allow' | 'deny'>('allow');
  const errors =
    refusal === null ? props.errors : [{ text: formatDecisionFailure(toFailure(refusal), words, language) }];
  const press = (button: 'allow' | 'deny', work: () => Promise<void>) => {
    setPressed(button);
    run(work);
  };
  return (
    <section className="decision">
      <h2>{review.decision.title}</h2>
      <ReviewSummary {...props} />
      <div className="stack" data-element="164.508(c)(1)(vi)">
        <RepresentativeFields {...props} />
        <p>
          <strong>
            <SignatureLine {...props} />
          </strong>{' '}
          {review.decision.counts}
        </p>
      </div>
      {errors.length > 0 && <ErrorSummary key={attempt} title={common.problem} errors={errors} />}
      <DecisionButtons
        busy={busy ? pressed : null}
        onAllow={() => onValidate() && press('allow', onAllow)}
        onDeny={() => press('deny', onDeny)}
      />
      <Busy busy={busy} text={common.oneMoment} />
    </section>
  );
}

/** What can be filled in wrongly is checked here; a clock that is wrong is not, and the evidence tells its time. */
const formatDecisionFailure = (failure: Failure, words: Words, language: Language): string =>
  failure.kind === 'invalid' ? words.errors.notTaken : formatFailure(failure, words, language);

interface DecisionButtonsProps {
  busy: 'allow' | 'deny' | null;
  onAllow: () => void;
  onDeny: () => void;
}

/**
 * Yes and no alike in size, weight and distance; neither is chosen before. The words stay while it works, since the
 * picture that is kept is taken then: it shows which of the two was pressed.
 */
function DecisionButtons({ busy, onAllow, onDeny }: DecisionButtonsProps) {
  const { review, common } = useLanguage().words;
  return (
    <div className="stack">
      <div className="buttons">
        <Button variant="strong" busy={busy !== null} onPress={onAllow}>
          {busy === 'allow' && <Icon name="running" />}
          {review.allow}
        </Button>
        <Button variant="strong" busy={busy !== null} onPress={onDeny}>
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
