import { Icon, type IconName } from '../../../../look/icon.tsx';
import type { Batch } from '../../api/api.ts';
import { momentOf } from '../../words/day.ts';
import { useLanguage } from '../../words/language.tsx';
import { countText } from './numbers.ts';

const ICONS: Record<Batch['status'], IconName> = {
  queued: 'waiting',
  processing: 'running',
  completed: 'check',
  completed_with_errors: 'info',
  failed: 'warning',
};

/** One upload: how far it is, what came of it, and what could not be read. */
export function BatchCard({ batch }: { batch: Batch }) {
  const { words, language } = useLanguage();
  const { documents: said } = words.myData;
  const { status, receivedAt, documents } = batch;
  const atWork = status === 'queued' || status === 'processing';
  return (
    <li className={`batch batch-${status}`}>
      <span className="batch-icon">
        <Icon name={ICONS[status]} />
      </span>
      <div className="batch-words">
        <p className="batch-status">{said.statuses[status]}</p>
        <p className="soft small">{momentOf(receivedAt, language)}</p>
        {status === 'processing' && documents.total > 0 && (
          <p>{said.progress(String(documents.processed), String(documents.total))}</p>
        )}
        {!atWork && status !== 'failed' && <Gained batch={batch} />}
        {batch.rejected.length > 0 && <Rejected batch={batch} />}
      </div>
    </li>
  );
}

function Gained({ batch: { resources } }: { batch: Batch }) {
  const { words, language } = useLanguage();
  const { documents: said } = words.myData;
  const lines = [
    ...(resources.created > 0 ? [countText(resources.created, said.created, language)] : []),
    ...(resources.updated > 0 ? [countText(resources.updated, said.updated, language)] : []),
    ...(resources.unchanged > 0 ? [countText(resources.unchanged, said.unchanged, language)] : []),
  ];
  if (lines.length === 0) return <p>{said.noEntries}</p>;
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const SHOWN = 25;

function Rejected({ batch: { rejected } }: { batch: Batch }) {
  const { words, language } = useLanguage();
  const { documents: said } = words.myData;
  const reasons = new Map(Object.entries(said.reasons));
  return (
    <details className="rejected">
      <summary>{countText(rejected.length, said.problems, language)}</summary>
      <ul>
        {rejected.slice(0, SHOWN).map(({ path, code, message }) => (
          <li key={`${path} ${code}`}>
            <p className="rejected-path">{path === '' ? said.wholeUpload : path}</p>
            <p className="small">{reasons.get(code) ?? message}</p>
          </li>
        ))}
      </ul>
      {rejected.length > SHOWN && (
        <p className="soft small">{said.moreProblems(String(rejected.length - SHOWN))}</p>
      )}
    </details>
  );
}
