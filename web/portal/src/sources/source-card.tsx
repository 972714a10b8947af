import type { IconName } from '../../../kit/icon.tsx';
import type { Source } from '../api.ts';
import { formatDateTime } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import { StateCard } from '../state-card.tsx';
import { toSourceReason } from './source-reason.ts';

const ICONS: Record<Source['state'], IconName> = {
  waiting: 'waiting',
  running: 'running',
  up_to_date: 'check',
  no_match: 'search',
  ambiguous_match: 'search',
  needs_organization_review: 'search',
  failed: 'warning',
  paused: 'minus',
};

const WARNING_STATES: ReadonlySet<Source['state']> = new Set([
  'no_match',
  'ambiguous_match',
  'needs_organization_review',
  'failed',
]);

/** A source of the record: its state, its last fetch, and what the person can do. */
export function SourceCard({ source }: { source: Source }) {
  const { words, language } = useLanguage();
  const { sources } = words.myData;
  const { state, name, organization, lastSynchronizedAt } = source;
  const reason = toSourceReason(source);
  return (
    <StateCard icon={ICONS[state]} hasWarning={WARNING_STATES.has(state)} title={name}>
      <p>{sources.states[state]}</p>
      {reason !== null && <p>{sources.reasons[reason](organization.name)}</p>}
      <p className="soft small">
        {lastSynchronizedAt === null
          ? sources.neverFetched
          : sources.lastFetched(formatDateTime(lastSynchronizedAt, language))}
      </p>
      <p className="soft small">{sources.connectedBy(organization.name)}</p>
    </StateCard>
  );
}
