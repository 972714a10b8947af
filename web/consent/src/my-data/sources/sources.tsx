import { useState } from 'react';
import { Busy } from '../../../../kit/busy.tsx';
import { Button } from '../../../../kit/button.tsx';
import { ErrorSummary } from '../../../../kit/form.tsx';
import type { Source } from '../../api/api.ts';
import { useAppDeps } from '../../app-deps.ts';
import { buildMyDataFragment } from '../../route.ts';
import { Section } from '../../section.tsx';
import { useTask } from '../../task.ts';
import { formatFailure } from '../../words/format-failure.ts';
import { useLanguage, useWords } from '../../words/language.tsx';
import { StatusMessage } from '../status-message.tsx';
import { formatCount } from '../documents/format-number.ts';
import { SectionError } from '../section-error.tsx';
import { useGuardedAction, type PersonProps } from '../use-query.ts';
import { SourceCard } from './source-card.tsx';
import { isSyncing, useSources } from './use-sources.ts';

/** Where the record is fetched from, for those whose organizations have connected something. */
export function Sources(personProps: PersonProps) {
  const { sources } = useWords().myData;
  const { asked: query, load } = useSources(personProps);
  if (query.state === 'loading') return null;
  if (query.state === 'known' && query.data.results.length === 0) return null;
  return (
    <Section icon="building" title={sources.title}>
      {query.state === 'troubled' && <SectionError failure={query.failure} onRetry={() => void load()} />}
      {query.state === 'known' && <SourceList {...{ personProps, load }} sources={query.data.results} />}
    </Section>
  );
}

interface SourceListProps {
  personProps: PersonProps;
  sources: readonly Source[];
  load: () => Promise<void>;
}

function SourceList({ sources, ...refreshProps }: SourceListProps) {
  const texts = useWords().myData.sources;
  return (
    <>
      <p>{texts.lead}</p>
      <ul className="state-cards">
        {sources.map((source) => (
          <SourceCard key={source.sourceId} source={source} />
        ))}
      </ul>
      {sources.some(({ state }) => state !== 'paused') && (
        <RefreshButton {...refreshProps} sources={sources} />
      )}
      <p>
        <a className="link-alone" href={buildMyDataFragment('documents')}>
          {texts.what}
        </a>
      </p>
    </>
  );
}

/** Sets it off, and says when all have answered; how each of them stands is in its card. */
function RefreshButton({ personProps, sources, load }: SourceListProps) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const texts = words.myData.sources;
  const runGuarded = useGuardedAction(personProps);
  const { busy, failure, run } = useTask();
  const [requestedCount, setRequestedCount] = useState<number | null>(null);
  const refresh = async (): Promise<void> => {
    setRequestedCount(null);
    let count = 0;
    const work = async (): Promise<void> => {
      ({ sources: count } = await api.refreshMySources());
    };
    if (!(await runGuarded(work))) return;
    await load();
    setRequestedCount(count);
  };
  const formatOutcome = (count: number): string => {
    if (count === 0) return texts.noneRequested;
    return sources.some(isSyncing) ? formatCount(count, texts.requested, language) : texts.finished;
  };
  return (
    <div className="stack">
      {failure && (
        <ErrorSummary
          title={words.common.problem}
          errors={[{ text: formatFailure(failure, words, language) }]}
        />
      )}
      <div>
        <Button busy={busy} onPress={() => run(refresh)}>
          {texts.get}
        </Button>
      </div>
      <Busy busy={busy} text={words.common.oneMoment} />
      <StatusMessage text={requestedCount === null ? null : formatOutcome(requestedCount)} />
    </div>
  );
}
