import { useEffect, useState } from 'react';
import { Icon, type IconName } from '../../../kit/icon.tsx';
import { formatList } from '../../../kit/format-list.ts';
import { Notice } from '../../../kit/notice.tsx';
import type { Interaction } from '../api.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import './processing.css';

type Source = Interaction['progress'][number];

interface ProcessingProps {
  interaction: Interaction;
  /** Returns whether the service answered. */
  refresh: () => Promise<boolean>;
}

export function Processing({ interaction, refresh }: ProcessingProps) {
  const { words, language } = useLanguage();
  const { processing } = words;
  const isConnectionLost = usePolling(refresh);
  const { progress } = interaction;
  const late = listLateSources(interaction);
  const done = progress.filter(({ state }) => state === 'done').length;
  return (
    <Screen
      name="processing"
      title={processing.title}
      lead={processing.lead(formatClientName(interaction.client, words))}
    >
      <ul className="sources">
        {progress.map((source) => (
          <SourceLine key={source.source} {...source} />
        ))}
      </ul>
      <div role="status" className="stack">
        {progress.length > 0 && (
          <p className="hidden-visually">{processing.summary(done, progress.length)}</p>
        )}
        {late.length > 0 && <Notice>{processing.later(formatList(late, language))}</Notice>}
        {progress.some(({ state }) => state === 'failed') && <Notice>{processing.failed}</Notice>}
        {isConnectionLost && <Notice kind="warning">{processing.lost}</Notice>}
      </div>
      <p className="soft">{processing.wait}</p>
    </Screen>
  );
}

/** The sources that are not waited for: they are fetched when they answer. */
export const listLateSources = ({ progress }: Interaction): string[] =>
  progress.filter(({ state }) => state === 'later').map(({ source }) => source);

const ICONS: Record<Source['state'], IconName> = {
  waiting: 'waiting',
  running: 'running',
  done: 'check',
  later: 'waiting',
  failed: 'warning',
};

function SourceLine({ source, state }: Source) {
  const { processing } = useWords();
  return (
    <li className={`source source-${state}`}>
      <Icon name={ICONS[state]} />
      <span className="source-name">{source === 'uploads' ? processing.uploads : source}</span>
      <span className="source-state">{processing.states[state]}</span>
    </li>
  );
}

/**
 * Polls each second at first, since most records are ready soon, then every three. Returns whether the connection is
 * lost.
 */
function usePolling(refresh: () => Promise<boolean>): boolean {
  const [misses, setMisses] = useState(0);
  useEffect(() => {
    let polls = 0;
    let stopped = false;
    let timer = setTimeout(() => void poll(), 1000);
    async function poll() {
      const answered = await refresh();
      if (stopped) return;
      setMisses((misses) => (answered ? 0 : misses + 1));
      polls += 1;
      timer = setTimeout(() => void poll(), answered && polls < 20 ? 1000 : 3000);
    }
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [refresh]);
  return misses >= 2;
}
