import { buildMyDataFragment } from '../route.ts';
import { Loading } from '../screens/loading.tsx';
import { Section } from '../section.tsx';
import { useLanguage } from '../words/language.tsx';
import { LogEntryItem } from './activity/log-entries.tsx';
import { groupEntries } from './activity/group-entries.ts';
import { useAccessLog } from './activity/use-access-log.ts';
import { SectionError } from './section-error.tsx';
import type { PersonProps } from './use-query.ts';

const MAX_SHOWN = 3;
/** A record that was read page by page is many entries and one line. */
const PAGE_SIZE = 50;

/** The newest of what was done with the record, so that something odd is seen without looking for it. */
export function RecentActivity(props: PersonProps) {
  const { words, language } = useLanguage();
  const { activity } = words.myData;
  const { log, load } = useAccessLog(props, PAGE_SIZE);
  return (
    <Section icon="eye" title={activity.recent}>
      {log.state === 'loading' && <Loading />}
      {log.state === 'troubled' && <SectionError failure={log.failure} onRetry={() => void load()} />}
      {log.state === 'known' && log.entries.length === 0 && <p>{activity.none}</p>}
      {log.state === 'known' && log.entries.length > 0 && (
        <>
          <ul>
            {groupEntries(log.entries)
              .slice(0, MAX_SHOWN)
              .map((group) => (
                <LogEntryItem
                  key={group.entry.id}
                  {...group}
                  context={{ words, language, decisions: log.decisions }}
                  isDated
                />
              ))}
          </ul>
          <p>
            <a className="link-alone" href={buildMyDataFragment('activity')}>
              {activity.all}
            </a>
          </p>
        </>
      )}
    </Section>
  );
}
