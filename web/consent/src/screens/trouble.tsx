import { Emblem } from '../../../look/emblem.tsx';
import { Button } from '../../../look/button.tsx';
import type { Trouble } from '../api/refusal.ts';
import { Screen } from '../screen.tsx';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';

const TITLED = ['expired', 'unknown', 'other-browser', 'stale-page', 'throttled', 'unreachable'] as const;

/** What stops a request altogether, each with its way on. */
export function TroubleScreen({ trouble, onRetry }: { trouble: Trouble; onRetry?: () => void }) {
  const { words, language } = useLanguage();
  const kind = TITLED.find((titled) => titled === trouble.kind) ?? 'unreachable';
  const said = words.trouble[kind];
  return (
    <Screen
      name={kind}
      title={said.title}
      above={
        <Emblem icon={kind === 'expired' || kind === 'throttled' ? 'clock' : 'warning'} kind="warning" />
      }
      lead={'text' in said ? said.text : failureText(trouble, words, language)}
    >
      {kind === 'stale-page' && (
        <Button look="strong" onPress={() => location.reload()}>
          {words.trouble.reload}
        </Button>
      )}
      {(kind === 'unreachable' || kind === 'throttled') && onRetry && (
        <Button look="strong" onPress={onRetry}>
          {words.common.tryAgain}
        </Button>
      )}
    </Screen>
  );
}
