import { Button } from '../../../look/button.tsx';
import { Notice } from '../../../look/notice.tsx';
import type { Trouble } from '../api/refusal.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';

/** One section could not be asked for; the rest of the page stands. */
export function SectionFailed({ trouble, onRetry }: { trouble: Trouble; onRetry: () => void }) {
  const { words, language } = useLanguage();
  return (
    <div className="stack" role="alert">
      <Notice kind="warning">{failureText(trouble, words, language)}</Notice>
      <div>
        <Button onPress={onRetry}>{words.common.tryAgain}</Button>
      </div>
    </div>
  );
}
