import { FailureSummary } from '../../../patient/failure-summary.tsx';
import { useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import type { Source } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { buildPartFragment } from '../route.ts';
import { Section } from '../../../patient/section.tsx';
import { useTask } from '../../../kit/task.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { StatusMessage } from '../status-message.tsx';
import { formatCount } from '../../../kit/format-number.ts';
import { Loaded } from '../loaded.tsx';
import { useGuardedAction, type PersonProps } from '../person-query.ts';
import { SourceCard } from './source-card.tsx';
import { isSyncing, useSources } from './use-sources.ts';

/** The sources that the record is fetched from; nothing for a person whose organizations have connected none. */
export function Sources(personProps: PersonProps) {
  const { sources } = useWords().myData;
  const sourcesQuery = useSources(personProps);
  if (sourcesQuery.query.state === 'loading') return null;
  if (sourcesQuery.query.state === 'loaded' && sourcesQuery.query.data.results.length === 0) return null;
  return (
    <Section icon="building" title={sources.title}>
      <Loaded of={sourcesQuery}>
        {({ results }) => <SourceList {...{ personProps, load: sourcesQuery.load }} sources={results} />}
      </Loaded>
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
        <a className="link-alone" href={buildPartFragment('documents')}>
          {texts.what}
        </a>
      </p>
    </>
  );
}

/** Starts a fetch, and says when all sources have answered; each card shows the state of its own. */
function RefreshButton({ personProps, sources, load }: SourceListProps) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const texts = words.myData.sources;
  const runGuarded = useGuardedAction(personProps);
  const { busy, refusal, run } = useTask();
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
      <FailureSummary refusal={refusal} />
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
