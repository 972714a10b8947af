import type { IconName } from '../../../../look/icon.tsx';
import type { Batch } from '../../api/api.ts';
import { useLanguage } from '../../words/language.tsx';
import { StateCard } from '../state-card.tsx';
import { countText } from './numbers.ts';
import { originOf } from './origin.ts';
import type { SourceNames } from './use-batches.ts';

const ICONS: Record<Batch['status'], IconName> = {
  queued: 'waiting',
  processing: 'running',
  completed: 'check',
  completed_with_errors: 'info',
  failed: 'warning',
};

/** One upload, or what was fetched at a time: how far it is, what came of it, and what could not be read. */
export function BatchCard({ batch, names }: { batch: Batch; names: SourceNames }) {
  const { words, language } = useLanguage();
  const { documents: said } = words.myData;
  const { status, documents } = batch;
  const atWork = status === 'queued' || status === 'processing';
  return (
    <StateCard
      icon={ICONS[status]}
      warns={status === 'failed' || status === 'completed_with_errors'}
      title={said.statuses[status]}
    >
      <p className="soft small">{originOf(batch, names, { words, language })}</p>
      {status === 'processing' && documents.total > 0 && (
        <p>{said.progress(String(documents.processed), String(documents.total))}</p>
      )}
      {!atWork && status !== 'failed' && <Gained batch={batch} />}
      {batch.rejected.length > 0 && <Rejected batch={batch} />}
    </StateCard>
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
