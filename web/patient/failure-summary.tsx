import { ErrorSummary } from '../kit/form.tsx';
import type { Refusal } from '../kit/http/refusal.ts';
import { toFailure } from './failure.ts';
import { formatFailure } from './format-failure.ts';
import { useLanguage } from './words/use-words.ts';

/** Says why what a person started has failed; nothing while it has not. */
export function FailureSummary({ refusal }: { refusal: Refusal | null }) {
  const { words, language } = useLanguage();
  if (refusal === null) return null;
  const text = formatFailure(toFailure(refusal), words, language);
  return <ErrorSummary title={words.common.problem} errors={[{ text }]} />;
}
