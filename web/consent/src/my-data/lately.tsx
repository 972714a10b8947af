import { myDataFragment } from '../route.ts';
import { Loading } from '../screens/loading.tsx';
import { Section } from '../section.tsx';
import { useLanguage } from '../words/language.tsx';
import { Entry } from './activity/entries.tsx';
import { useLog } from './activity/use-log.ts';
import { SectionFailed } from './section-failed.tsx';
import type { Mine } from './use-mine.ts';

const FEW = 3;

/** The newest of what was done with the record, so that something odd is seen without looking for it. */
export function Lately(mine: Mine) {
  const { words, language } = useLanguage();
  const { activity } = words.myData;
  const { log, load } = useLog(mine, FEW);
  return (
    <Section icon="eye" title={activity.lately}>
      {log.state === 'loading' && <Loading />}
      {log.state === 'troubled' && <SectionFailed trouble={log.trouble} onRetry={() => void load()} />}
      {log.state === 'known' && log.entries.length === 0 && <p>{activity.none}</p>}
      {log.state === 'known' && log.entries.length > 0 && (
        <>
          <ul>
            {log.entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
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
