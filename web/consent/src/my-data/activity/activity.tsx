import { useId, useState } from 'react';
import { Icon } from '../../../../kit/icon.tsx';
import { useAppDeps } from '../../app-deps.ts';
import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { useLanguage, useWords } from '../../words/language.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { LoadMore } from '../load-more.tsx';
import { SectionError } from '../section-error.tsx';
import type { PersonProps } from '../use-query.ts';
import { LogEntries } from './log-entries.tsx';
import { getActorName } from './sentence.ts';
import { useAccessLog } from './use-access-log.ts';

const PAGE_SIZE = 50;

/** Everything that was done with the record, in words. */
export function Activity(props: PersonProps) {
  const { activity } = useWords().myData;
  const { log, load, more: loadMore } = useAccessLog(props, PAGE_SIZE);
  return (
    <Screen name="my-data-activity" title={activity.title} above={<BackToMyData />} lead={activity.lead}>
      {log.state === 'loading' && <Loading />}
      {log.state === 'troubled' && <SectionError failure={log.failure} onRetry={() => void load()} />}
      {log.state === 'known' && <Log {...log} loadMore={loadMore} />}
      <Proof />
    </Screen>
  );
}

type LoadedLog = Extract<ReturnType<typeof useAccessLog>['log'], { state: 'known' }>;

function Log({
  entries,
  decisions,
  next,
  loadMore,
}: LoadedLog & { loadMore: (before: string) => Promise<number> }) {
  const { words, language } = useLanguage();
  const { activity } = words.myData;
  const [who, setWho] = useState('');
  const names = [...new Set(entries.map((entry) => getActorName(entry, { words, language, decisions })))];
  const shown = entries.filter(
    (entry) => who === '' || getActorName(entry, { words, language, decisions }) === who,
  );
  if (entries.length === 0) return <p>{activity.none}</p>;
  return (
    <>
      {names.length > 1 && <ActorFilter names={names} who={who} onChange={setWho} />}
      {shown.length === 0 && <p>{activity.noneOfThese}</p>}
      <LogEntries entries={shown} decisions={decisions} />
      {next === null ? (
        <p className="soft">{activity.end}</p>
      ) : (
        <LoadMore
          label={activity.older}
          formatShown={activity.olderShown}
          loadMore={async () => loadMore(next)}
        />
      )}
    </>
  );
}

interface ActorFilterProps {
  names: readonly string[];
  who: string;
  onChange: (who: string) => void;
}

/** The browser's own list: on a phone it opens the one people know. */
function ActorFilter({ names, who, onChange }: ActorFilterProps) {
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
  const { baseUrl } = useAppDeps();
  const { activity } = useWords().myData;
  return (
    <section className="aside">
      <h2>{activity.proofTitle}</h2>
      <p>{activity.proof}</p>
      <div>
        <a className="button button-plain" href={`${baseUrl}/account/access-log/proof`} download>
          <Icon name="download" />
          {activity.downloadProof}
        </a>
      </div>
    </section>
  );
}
