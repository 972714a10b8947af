import { useId, useState } from 'react';
import { Icon } from '../../../kit/icon.tsx';
import { Screen } from '../../../patient/screen.tsx';
import { DownloadLink } from '../download-link.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { BackToMyData } from '../back-to-my-data.tsx';
import { LoadMore } from '../load-more.tsx';
import { Loaded } from '../loaded.tsx';
import type { PersonProps } from '../person-query.ts';
import type { AccountEvent, LogEntry } from '../api.ts';
import type { Decision } from './decisions.ts';
import { LogEntries } from './log-entries.tsx';
import { getActorName } from './sentence.ts';
import { useAccessLog } from './use-access-log.ts';

const PAGE_SIZE = 50;

/** The whole access log, in sentences. */
export function Activity(props: PersonProps) {
  const { activity } = useWords().myData;
  const log = useAccessLog(props, PAGE_SIZE);
  return (
    <Screen name="my-data-activity" title={activity.title} above={<BackToMyData />} lead={activity.lead}>
      <Loaded of={log}>{(page) => <Log {...page} loadMore={log.loadMore} />}</Loaded>
      <Proof />
    </Screen>
  );
}

interface LogProps {
  results: readonly LogEntry[];
  decisions: ReadonlyMap<string, Decision>;
  events: readonly AccountEvent[];
  next: string | null;
  keptMonths: number | null;
  loadMore: () => Promise<number>;
}

function Log({ results: entries, decisions, events, next, keptMonths, loadMore }: LogProps) {
  const { words, language } = useLanguage();
  const { activity } = words.myData;
  const [who, setWho] = useState('');
  const entryNames = entries.map((entry) => getActorName(entry, { words, language, decisions }));
  const oldest = next === null ? undefined : entries.at(-1)?.at;
  const known = events.filter(({ at }) => oldest === undefined || at >= oldest);
  const names = [...new Set([...entryNames, ...known.map(() => activity.you)])];
  const shown = entries.filter(
    (entry) => who === '' || getActorName(entry, { words, language, decisions }) === who,
  );
  const shownEvents = known.filter(() => who === '' || who === activity.you);
  if (entries.length === 0 && events.length === 0) return <p>{activity.none}</p>;
  return (
    <>
      {names.length > 1 && <ActorFilter names={names} who={who} onChange={setWho} />}
      {entries.length === 0 && <p>{activity.none}</p>}
      {shown.length + shownEvents.length === 0 && <p>{activity.noneOfThese}</p>}
      <LogEntries entries={shown} events={shownEvents} decisions={decisions} />
      {next === null ? (
        <p className="soft">{keptMonths === null ? activity.end : activity.keptFor(keptMonths)}</p>
      ) : (
        <LoadMore label={activity.older} formatShown={activity.olderShown} loadMore={loadMore} />
      )}
    </>
  );
}

interface ActorFilterProps {
  names: readonly string[];
  who: string;
  onChange: (who: string) => void;
}

/** The browser's own list: a phone opens the one that people know. */
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
  const words = useWords();
  const { activity } = words.myData;
  return (
    <section className="aside">
      <h2>{activity.proofTitle}</h2>
      <p>{activity.proof}</p>
      <div>
        <DownloadLink
          path="/account/access-log/proof"
          className="button button-plain"
          begins={words.myData.download.begins}
        >
          <Icon name="download" />
          {activity.downloadProof}
        </DownloadLink>
      </div>
    </section>
  );
}
