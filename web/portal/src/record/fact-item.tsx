import { type SyntheticEvent, useState } from 'react';
import type { Language } from '../../../kit/languages.ts';
import type { RecordFact } from '../api.ts';
import type { Words } from '../words/en.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { FactDetails, FactMeasurements } from './fact-details.tsx';
import { formatWrittenDay } from './format-written-day.ts';
import { formatFactStatus } from './fact-status.ts';
import { formatTimes } from './format-times.ts';
import { formatSourceName } from './source-name.ts';

/**
 * One fact: what it is and says, when, and from where; the rest when it is opened. What a search found comes with the words
 * around it.
 */
export function FactItem({ fact, around }: { fact: RecordFact; around?: string }) {
  const { words, language } = useLanguage();
  const { record } = words.myData;
  const { title, measurements, laterWithoutValue, details, isNotDone, status, text, isCut } = fact;
  const beginning = around ?? text;
  const dosage = details.find(({ name }) => name === 'dosage');
  const site = details.find(({ name }) => name === 'bodySite');
  return (
    <li className="fact">
      <p className="fact-title">
        <bdi>{title}</bdi>
      </p>
      <FactMeasurements measurements={measurements} />
      {dosage !== undefined && <p>{dosage.text}</p>}
      {site !== undefined && <p>{site.text}</p>}
      {laterWithoutValue && (
        <p className="small">
          {record.laterWithoutValue(
            laterWithoutValue.day === null
              ? record.undated
              : formatWrittenDay(laterWithoutValue.day, language),
            laterWithoutValue.reason ?? '',
          )}
        </p>
      )}
      {isNotDone && <p className="fact-flag">{record.notDone}</p>}
      <EndedBy endedBy={fact.endedBy} />
      <Beginning begins={fact.begins} next={fact.next} />
      {status === 'refuted' && <p className="fact-flag">{record.statuses.refuted}</p>}
      <p className="soft small">
        {around !== undefined && `${words.data.categories[fact.category].name} · `}
        {formatFacts(fact, words, language)}
      </p>
      {beginning !== null && beginning !== '' && <p className="fact-text small">{beginning}</p>}
      {isCut && around === undefined && <p className="soft small">{record.beginning}</p>}
      <More fact={fact} />
    </li>
  );
}

/** A drug that is active in the record, though a later entry stops it. */
function EndedBy({ endedBy }: Pick<RecordFact, 'endedBy'>) {
  const { words, language } = useLanguage();
  const { record } = words.myData;
  if (!endedBy) return null;
  const { status, day, reason } = endedBy;
  const state = formatFactStatus(status ?? '', words);
  return (
    <p className="fact-flag">
      {record.endedBy(
        day === null ? record.undated : formatWrittenDay(day, language),
        reason === null ? state : `${state}: ${reason}`,
      )}
    </p>
  );
}

/** A drug that is not taken yet, or what follows it. */
function Beginning({ begins, next }: Pick<RecordFact, 'begins' | 'next'>) {
  const { words, language } = useLanguage();
  const { record } = words.myData;
  if (begins) return <p className="fact-flag">{record.notBegun(formatWrittenDay(begins, language))}</p>;
  if (!next) return null;
  return <p>{record.next(formatWrittenDay(next.day, language), next.dosage ?? '')}</p>;
}

/** When, in which state and how sure, from where. */
function formatFacts(fact: RecordFact, words: Words, language: Language): string {
  const { day, end, status, details, source } = fact;
  const { record } = words.myData;
  const format = (written: string) => formatWrittenDay(written, language);
  const doubt = details.find(({ name }) => name === 'verification')?.text ?? null;
  const why = details.find(({ name }) => name === 'statusReason')?.text ?? '';
  const parts = [
    ...formatTimes(fact, words, language),
    end !== null && end !== day ? record.ended(format(end)) : '',
    status === null || UNSAID.has(status)
      ? ''
      : [formatFactStatus(status, words), why].filter((part) => part !== '').join(': '),
    doubt === null || UNSAID.has(doubt) ? '' : formatFactStatus(doubt, words),
    formatSourceName(source),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** That a result is final, a visit over or a note the current one says nothing to anybody; what is refuted has a line of its own. */
const UNSAID: ReadonlySet<string> = new Set(['final', 'finished', 'current', 'completed', 'refuted']);

function More({ fact }: { fact: RecordFact }) {
  const { record } = useWords().myData;
  const [isOpened, setIsOpened] = useState(false);
  const onToggle = (event: SyntheticEvent<HTMLDetailsElement>) =>
    setIsOpened(isOpened || event.currentTarget.open);
  return (
    <details className="fact-more" onToggle={onToggle}>
      <summary>
        {record.more}
        <span className="hidden-visually">{record.moreOf(fact.title)}</span>
      </summary>
      {isOpened && <FactDetails fact={fact} />}
    </details>
  );
}
