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

/** Of what a page begins with nothing is filled in: what the service finds invalid there is the address, which was cut off. */
const toTitledKind = ({ kind }: Failure): (typeof TITLED_KINDS)[number] =>
  kind === 'invalid' ? 'unknown' : (TITLED_KINDS.find((titled) => titled === kind) ?? 'unreachable');

interface ErrorScreenProps {
  failure: Failure;
  onRetry?: () => void;
  /** What the address leads to: the way on from a link that leads nowhere. */
  about?: 'request' | 'invitation';
}

/** The screen for a failure that stops everything, with the way to continue where there is one. */
export function ErrorScreen({ failure, onRetry, about = 'request' }: ErrorScreenProps) {
  const { words, language } = useLanguage();
  const kind = toTitledKind(failure);
  const texts: { title: string; text?: string } =
    kind === 'unknown' && about === 'invitation'
      ? words.errorScreens.unknownInvitation
      : words.errorScreens[kind];
  return (
    <Screen
      name={kind}
      title={texts.title}
      above={
        <Emblem icon={kind === 'expired' || kind === 'throttled' ? 'clock' : 'warning'} kind="warning" />
      }
      lead={texts.text ?? formatFailure(failure, words, language)}
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
