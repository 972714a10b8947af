import { myDataFragment } from '../route.ts';
import { Loading } from '../screens/loading.tsx';
import { Section } from '../section.tsx';
import { useLanguage } from '../words/language.tsx';
import { Entry } from './activity/entries.tsx';
import { joined } from './activity/joined.ts';
import { useLog } from './activity/use-log.ts';
import { SectionFailed } from './section-failed.tsx';
import type { Mine } from './use-mine.ts';

const FEW = 3;
/** A record that was read page by page is many entries and one line. */
const ASKED = 50;

/** The newest of what was done with the record, so that something odd is seen without looking for it. */
export function Lately(mine: Mine) {
  const { words, language } = useLanguage();
  const { activity } = words.myData;
  const { log, load } = useLog(mine, ASKED);
  return (
    <Section icon="eye" title={activity.lately}>
      {log.state === 'loading' && <Loading />}
      {log.state === 'troubled' && <SectionFailed trouble={log.trouble} onRetry={() => void load()} />}
      {log.state === 'known' && log.entries.length === 0 && <p>{activity.none}</p>}
      {log.state === 'known' && log.entries.length > 0 && (
        <>
          <ul>
            {joined(log.entries)
              .slice(0, FEW)
              .map((shown) => (
                <Entry
                  key={shown.entry.id}
                  {...shown}
                  telling={{ words, language, decisions: log.decisions }}
                  dated
                />
              ))}
          </ul>
          <p>
            <a className="link-alone" href={myDataFragment('activity')}>
              {activity.all}
            </a>
          </p>
        </>
      )}
    </Section>
  );
}
