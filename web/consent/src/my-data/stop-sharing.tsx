import { useEffect, useId, useRef, useState } from 'react';
import { Busy } from '../../../look/busy.tsx';
import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import type { Consent } from '../api/api.ts';
import { clientName } from '../request/client-name.ts';
import { useTask } from '../task.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage, useWords } from '../words/language.tsx';

interface StopSharingProps {
  consent: Consent;
  stop: () => Promise<void>;
}

/** Two clicks: the question opens in the place of the button, below the apps that it is about. */
export function StopSharing({ consent, stop }: StopSharingProps) {
  const { myData } = useWords();
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (wasAsking.current && !asking) button.current?.focus();
    wasAsking.current = asking;
  }, [asking]);
  if (asking) return <Question consent={consent} stop={stop} onKeep={() => setAsking(false)} />;
  return (
    <div>
      <Button ref={button} onPress={() => setAsking(true)}>
        <span>
          {myData.stop}
          <span className="hidden-visually">
            {' '}
            {myData.stopWith(consent.organization.name, consent.project.name)}
          </span>
        </span>
      </Button>
    </div>
  );
}

/** Says what happens before it does; takes the focus, so that it is read out. */
function Question({ consent, stop, onKeep }: StopSharingProps & { onKeep: () => void }) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const { busy, trouble, run } = useTask();
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.focus(), []);
  const names = [...new Set(consent.apps.map((app) => clientName(app, words)))];
  return (
    <div
      ref={group}
      className="consent-stop"
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
    >
      <p id={`${id}title`} className="consent-stop-title">
        {myData.stopTitle(consent.organization.name)}
      </p>
      <div id={`${id}text`} className="stack">
        <p>{names.length === 0 ? myData.noneReads : myData.appsStop(listOf(names, language))}</p>
        <p>{myData.notTakenBack}</p>
      </div>
      {trouble && (
        <ErrorSummary
          title={words.common.problem}
          faults={[{ text: failureText(trouble, words, language) }]}
        />
      )}
      <div className="buttons">
        <Button look="strong" busy={busy} onPress={() => run(stop)}>
          {myData.yesStop}
        </Button>
        <Button busy={busy} onPress={onKeep}>
          {myData.keep}
        </Button>
      </div>
      <Busy busy={busy} text={words.common.oneMoment} />
    </div>
  );
}

const listOf = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
