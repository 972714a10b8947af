import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import type { Failure } from '../api/refusal.ts';
import { formatFailure } from '../words/format-failure.ts';
import { useLanguage } from '../words/language.tsx';

/** One section could not be asked for; the rest of the page stands. */
export function SectionError({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const { words, language } = useLanguage();
  return (
    <div className="stack" role="alert">
      <Notice kind="warning">{formatFailure(failure, words, language)}</Notice>
      <div>
        <Button onPress={onRetry}>{words.common.tryAgain}</Button>
      </div>
    </div>
  );
}
