import { useId, useState } from 'react';
import { Icon } from '../../../../look/icon.tsx';
import { usePage } from '../../page.ts';
import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { useLanguage, useWords } from '../../words/language.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { Older } from '../older.tsx';
import { SectionFailed } from '../section-failed.tsx';
import type { Mine } from '../use-mine.ts';
import { Entries } from './entries.tsx';
import { whoIn } from './sentence.ts';
import { useLog } from './use-log.ts';

const PAGE = 50;

/** Everything that was done with the record, in words. */
export function Activity(mine: Mine) {
  const { activity } = useWords().myData;
  const { log, load, more } = useLog(mine, PAGE);
  return (
    <Screen name="my-data-activity" title={activity.title} above={<BackToMyData />} lead={activity.lead}>
      {log.state === 'loading' && <Loading />}
      {log.state === 'troubled' && <SectionFailed trouble={log.trouble} onRetry={() => void load()} />}
      {log.state === 'known' && <Log {...log} more={more} />}
      <Proof />
    </Screen>
  );
}

type Known = Extract<ReturnType<typeof useLog>['log'], { state: 'known' }>;

function Log({ entries, decisions, next, more }: Known & { more: (before: string) => Promise<number> }) {
  const { words, language } = useLanguage();
  const { activity } = words.myData;
  const [who, setWho] = useState('');
  const names = [...new Set(entries.map((entry) => whoIn(entry, { words, language, decisions })))];
  const shown = entries.filter((entry) => who === '' || whoIn(entry, { words, language, decisions }) === who);
  if (entries.length === 0) return <p>{activity.none}</p>;
  return (
    <>
      {names.length > 1 && <ChooseWho names={names} who={who} onChange={setWho} />}
      {shown.length === 0 && <p>{activity.noneOfThese}</p>}
      <Entries entries={shown} decisions={decisions} />
      {next === null ? (
        <p className="soft">{activity.end}</p>
      ) : (
        <Older button={activity.older} shown={activity.olderShown} more={async () => more(next)} />
      )}
    </>
  );
}

interface ChooseWhoProps {
  names: readonly string[];
  who: string;
  onChange: (who: string) => void;
}

/** The browser's own list: on a phone it opens the one people know. */
function ChooseWho({ names, who, onChange }: ChooseWhoProps) {
  const { activity } = useWords().myData;
  const id = useId();
  return (
    <div className="choose-who">
      <label className="field-label" htmlFor={id}>
        {activity.filter}
      </label>
      <select id={id} className="field-input" value={who} onChange={(event) => onChange(event.target.value)}>
        <option value="">{activity.everyone}</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}

function Proof() {
  const { root } = usePage();
  const { activity } = useWords().myData;
  return (
    <section className="aside">
      <h2>{activity.proofTitle}</h2>
      <p>{activity.proof}</p>
      <div>
        <a className="button button-plain" href={`${root}/account/access-log/proof`} download>
          <Icon name="download" />
          {activity.downloadProof}
        </a>
      </div>
    </section>
  );
}
