import { useCallback } from 'react';
import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useQuery } from '../../../kit/query.ts';
import type { RecordFact } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { Loaded } from '../loaded.tsx';
import { DownloadLink } from '../download-link.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { formatWrittenDay } from './format-written-day.ts';
import { formatFactStatus } from './fact-status.ts';
import { formatSourceName } from './source-name.ts';

/** All that is known of one fact; what a list leaves out is asked for. */
export function FactDetails({ fact }: { fact: RecordFact }) {
  return fact.isCut || fact.times > 1 ? (
    <LoadedDetails id={fact.id} />
  ) : (
    <Details fact={fact} recorded={[]} />
  );
}

function LoadedDetails({ id }: { id: string }) {
  const { api } = useAppDeps();
  const loaded = useQuery(useCallback(() => api.getMyFact(id), [api, id]));
  return <Loaded of={loaded}>{(answer) => <Details {...answer} hasText />}</Loaded>;
}

interface DetailsProps {
  fact: RecordFact;
  /** Each time that it was written down. */
  recorded: readonly RecordFact[];
  hasText?: boolean;
}

function Details({ fact, recorded, hasText = false }: DetailsProps) {
  const { record } = useWords().myData;
  const { details, text, elsewhere, source } = fact;
  return (
    <div className="fact-opened">
      {hasText && text !== null && <p className="fact-whole-text">{text}</p>}
      <DetailList details={details} />
      {recorded.length > 1 && <Recorded facts={recorded} />}
      {recorded.length > 1 && recorded.length < fact.times && (
        <p className="soft small">{record.notAllRecorded}</p>
      )}
      <p className="fact-heading">{record.from}</p>
      <SourceLine source={source} />
      <Elsewhere facts={elsewhere.filter(({ isSame }) => isSame)} title={record.same} />
      <Elsewhere facts={elsewhere.filter(({ isSame }) => !isSame)} title={record.differs} />
    </div>
  );
}

function DetailList({ details }: Pick<RecordFact, 'details'>) {
  const { words, language } = useLanguage();
  if (details.length === 0) return null;
  return (
    <dl className="fact-details">
      {details.map(({ name, text }) => (
        <div key={`${name} ${text}`}>
          <dt>{words.myData.record.details[name]}</dt>
          <dd>{name === 'begins' ? formatWrittenDay(text, language) : text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Recorded({ facts }: { facts: readonly RecordFact[] }) {
  const { words, language } = useLanguage();
  const { record } = words.myData;
  return (
    <>
      <p className="fact-heading">{record.recordedTitle}</p>
      <ul className="fact-times">
        {facts.map(({ id, day, title, source, details, measurements }) => (
          <li key={id}>
            <bdi>{title}</bdi>
            <FactMeasurements measurements={measurements} />
            <span className="soft small">
              {[
                day === null ? record.undated : formatWrittenDay(day, language),
                formatSourceName(source),
                details.find(({ name }) => name === 'dosage' || name === 'reason')?.text,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Elsewhere({ facts, title }: { facts: RecordFact['elsewhere']; title: string }) {
  const { words, language } = useLanguage();
  const { record } = words.myData;
  if (facts.length === 0) return null;
  return (
    <>
      <p className="fact-heading">{title}</p>
      <ul className="fact-times">
        {facts.map((each) => (
          <li key={each.reference}>
            <bdi>{each.title}</bdi>
            <FactMeasurements measurements={each.measurements} />
            {/* A node of the version before does not send them. */}
            <DetailList details={each.details ?? []} />
            <span className="soft small">
              {[
                each.day === null ? '' : formatWrittenDay(each.day, language),
                each.end && each.end !== each.day ? record.ended(formatWrittenDay(each.end, language)) : '',
                each.isSame || each.status === null ? '' : formatFactStatus(each.status, words),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <SourceLine source={each} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The organization, the file, and the way to open it where it is kept. */
function SourceLine({ source }: { source: RecordFact['source'] }) {
  const { record } = useWords().myData;
  const file = revealInvisible(source.path.slice(source.path.lastIndexOf('/') + 1));
  return (
    <>
      <p className="small fact-source">
        {source.organization !== null && <bdi>{source.organization} · </bdi>}
        <bdi>{file}</bdi>
      </p>
      {source.documentId !== null && (
        <p>
          <DownloadLink className="link-alone" path={`/account/documents/${source.documentId}`}>
            <Icon name="download" />
            {record.original}
            <span className="hidden-visually">{record.originalOf(file)}</span>
          </DownloadLink>
        </p>
      )}
    </>
  );
}

/** Values in the middle of what is usual, and a word where they are not. */
export function FactMeasurements({ measurements }: Pick<RecordFact, 'measurements'>) {
  const { record } = useWords().myData;
  if (measurements.length === 0) return null;
  return (
    <ul className="fact-values">
      {measurements.map(({ name, text, range, flag }, index) => (
        <li key={`${name} ${index}`}>
          {name !== null && <span className="soft">{name}: </span>}
          <span className="fact-value">{text}</span>
          {flag !== null && flag !== 'normal' && <span className="fact-flag">{record.flags[flag]}</span>}
          {range !== null && <span className="soft small">{record.usual(range)}</span>}
        </li>
      ))}
    </ul>
  );
}
