import { useState } from 'react';
import { Busy } from '../../../../look/busy.tsx';
import { Button } from '../../../../look/button.tsx';
import { ErrorSummary } from '../../../../look/form.tsx';
import type { Source } from '../../api/api.ts';
import { usePage } from '../../page.ts';
import { myDataFragment } from '../../route.ts';
import { Section } from '../../section.tsx';
import { useTask } from '../../task.ts';
import { failureText } from '../../words/failure.ts';
import { useLanguage, useWords } from '../../words/language.tsx';
import { Done } from '../done.tsx';
import { countText } from '../documents/numbers.ts';
import { SectionFailed } from '../section-failed.tsx';
import { useAsMe, type Mine } from '../use-mine.ts';
import { SourceCard } from './source-card.tsx';
import { isBeingAsked, useSources } from './use-sources.ts';

/** Where the record is fetched from, for those whose organizations have connected something. */
export function Sources(mine: Mine) {
  const { sources } = useWords().myData;
  const { asked, load } = useSources(mine);
  if (asked.state === 'loading') return null;
  if (asked.state === 'known' && asked.answer.results.length === 0) return null;
  return (
    <Section icon="building" title={sources.title}>
      {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
      {asked.state === 'known' && <Connected {...{ mine, load }} sources={asked.answer.results} />}
    </Section>
  );
}

interface ConnectedProps {
  mine: Mine;
  sources: readonly Source[];
  load: () => Promise<void>;
}

function Connected({ sources, ...refreshing }: ConnectedProps) {
  const said = useWords().myData.sources;
  return (
    <>
      <p>{said.lead}</p>
      <ul className="state-cards">
        {sources.map((source) => (
          <SourceCard key={source.sourceId} source={source} />
        ))}
      </ul>
      {sources.some(({ state }) => state !== 'paused') && <Refresh {...refreshing} sources={sources} />}
      <p>
        <a className="link-alone" href={myDataFragment('documents')}>
          {said.what}
        </a>
      </p>
    </>
  );
}

/** Sets it off, and says when all have answered; how each of them stands is in its card. */
function Refresh({ mine, sources, load }: ConnectedProps) {
  const { api } = usePage();
  const { words, language } = useLanguage();
  const said = words.myData.sources;
  const asMe = useAsMe(mine);
  const { busy, trouble, run } = useTask();
  const [asked, setAsked] = useState<number | null>(null);
  const refresh = async (): Promise<void> => {
    setAsked(null);
    let count = 0;
    const work = async (): Promise<void> => {
      ({ sources: count } = await api.refreshSources());
    };
    if (!(await asMe(work))) return;
    await load();
    setAsked(count);
  };
  const outcome = (count: number): string => {
    if (count === 0) return said.noneAsked;
    return sources.some(isBeingAsked) ? countText(count, said.asked, language) : said.finished;
  };
  return (
    <div className="stack">
      {trouble && (
        <ErrorSummary
          title={words.common.problem}
          faults={[{ text: failureText(trouble, words, language) }]}
        />
      )}
      <div>
        <Button busy={busy} onPress={() => run(refresh)}>
          {said.get}
        </Button>
      </div>
      <Busy busy={busy} text={words.common.oneMoment} />
      <Done text={asked === null ? null : outcome(asked)} />
    </div>
  );
}
