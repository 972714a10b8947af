import type { ClientApp } from '../../../../contract/organization/clients.ts';
import { Badge } from '../kit/badge.tsx';
import type { AppWords } from './words/en.ts';
import { useAppWords } from './use-app-words.ts';

/** The name that an app gives itself. */
export const formatAppName = ({ name }: Pick<ClientApp, 'name'>, words: AppWords): string =>
  name ?? words.unnamed;

/** The same on a page: it may be in letters that run the other way. */
export function AppName({ app }: { app: Pick<ClientApp, 'name'> }) {
  const words = useAppWords();
  return <bdi>{formatAppName(app, words)}</bdi>;
}

/** What an app cannot choose freely. */
export function formatStanding(
  { documentUrl, redirectHost }: Pick<ClientApp, 'documentUrl' | 'redirectHost'>,
  { standsOn }: AppWords,
): string {
  if (documentUrl !== null) return standsOn.document(new URL(documentUrl).hostname);
  return redirectHost === null ? standsOn.device : standsOn.redirect(redirectHost);
}

/** Whether anybody can vouch for it: a program on a device without a document is whatever takes its name, as the service has it. */
export const canBeVouchedFor = ({
  documentUrl,
  redirectHost,
}: Pick<ClientApp, 'documentUrl' | 'redirectHost'>) => documentUrl !== null || redirectHost !== null;

const KINDS = { new: 'plain', vouched: 'good', blocked: 'danger' } as const;

export function JudgementBadge({ judgement }: Pick<ClientApp, 'judgement'>) {
  const { judgements } = useAppWords();
  return <Badge kind={KINDS[judgement]}>{judgements[judgement]}</Badge>;
}
