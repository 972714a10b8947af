import { Emblem } from '../kit/emblem.tsx';
import { Button } from '../kit/button.tsx';
import type { Failure } from './failure.ts';
import { Screen } from './screen.tsx';
import { formatFailure } from './format-failure.ts';
import { useLanguage } from './words/use-words.ts';

const TITLED_KINDS = [
  'expired',
  'unknown',
  'other-browser',
  'stale-page',
  'throttled',
  'unreachable',
] as const;

/** The screen for a failure that stops everything, with the way to continue where there is one. */
export function ErrorScreen({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const { words, language } = useLanguage();
  const kind = TITLED_KINDS.find((titled) => titled === failure.kind) ?? 'unreachable';
  const texts = words.errorScreens[kind];
  return (
    <Screen
      name={kind}
      title={texts.title}
      above={
        <Emblem icon={kind === 'expired' || kind === 'throttled' ? 'clock' : 'warning'} kind="warning" />
      }
      lead={'text' in texts ? texts.text : formatFailure(failure, words, language)}
    >
      {kind === 'stale-page' && (
        <Button variant="strong" onPress={() => location.reload()}>
          {words.errorScreens.reload}
        </Button>
      )}
      {(kind === 'unreachable' || kind === 'throttled') && onRetry && (
        <Button variant="strong" onPress={onRetry}>
          {words.common.tryAgain}
        </Button>
      )}
    </Screen>
  );
}
