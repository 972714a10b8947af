import { buildPartFragment } from './route.ts';
import { Section } from '../../patient/section.tsx';
import { useLanguage, useWords } from './words/use-words.ts';
import type { LogEntry } from './api.ts';
import type { Decision } from './activity/decisions.ts';
import { LogEntryItem } from './activity/log-entries.tsx';
import { groupEntries } from './activity/group-entries.ts';
import { useAccessLog } from './activity/use-access-log.ts';
import { Loaded } from './loaded.tsx';
import type { PersonProps } from './person-query.ts';

const MAX_SHOWN = 3;
/** A record that was read page by page is many entries and one line. */
const PAGE_SIZE = 50;

/** The newest entries of the access log, so that something odd is seen without looking for it. */
export function RecentActivity(props: PersonProps) {
  const { activity } = useWords().myData;
  const log = useAccessLog(props, PAGE_SIZE);
  return (
    <Section icon="eye" title={activity.recent}>
      <Loaded of={log}>
        {({ results, decisions }) =>
          results.length === 0 ? <p>{activity.none}</p> : <NewestEntries {...{ results, decisions }} />
        }
      </Loaded>
    </Section>
  );
}

interface NewestEntriesProps {
  results: readonly LogEntry[];
  decisions: ReadonlyMap<string, Decision>;
}

function NewestEntries({ results, decisions }: NewestEntriesProps) {
  const { words, language } = useLanguage();
  const groups = groupEntries(results).slice(0, MAX_SHOWN);
  return (
    <>
      <ul>
        {groups.map((group) => (
          <LogEntryItem key={group.entry.id} {...group} context={{ words, language, decisions }} isDated />
        ))}
      </ul>
      <p>
        <a className="link-alone" href={buildPartFragment('activity')}>
          {words.myData.activity.all}
        </a>
      </p>
    </>
  );
}
