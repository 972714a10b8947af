import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import type { IconName } from '../../../kit/icon.tsx';
import type { Batch } from '../api.ts';
import { useLanguage } from '../words/use-words.ts';
import { StateCard } from '../state-card.tsx';
import { formatCount } from '../../../kit/format-number.ts';
import type { Words } from '../words/en.ts';
import { formatFiles } from './format-files.ts';
import { formatOrigin } from './origin.ts';
import type { FinishAction } from './use-finish.ts';
import { BatchQuestion } from './batch-question.tsx';
import { isEmptyArchive, isNothingRead } from './outcome.ts';
import { canBeReadAgain } from './can-be-read-again.ts';
import { ReadAgain } from './read-again.tsx';
import { RemoveBatch } from './remove-batch.tsx';
import { isAsked, isPending, type SourceNames } from './use-batches.ts';
import type { PersonProps } from '../person-query.ts';

const ICONS: Record<Batch['status'], IconName> = {
  queued: 'waiting',
  processing: 'running',
  needs_confirmation: 'person',
  completed: 'check',
  completed_with_errors: 'info',
  failed: 'warning',
};

interface BatchCardProps {
  batch: Batch;
  /** All of them, the newest first. */
  batches: readonly Batch[];
  names: SourceNames;
  personProps: PersonProps;
  finish: FinishAction;
}

/** A batch, uploaded or fetched: its files, its progress, its outcome, what could not be read, and the way to take it out. */
export function BatchCard({ batch, batches, names, personProps, finish }: BatchCardProps) {
  const { words, language } = useLanguage();
  const { documents: texts } = words.myData;
  const { status, documents, rejected } = batch;
  const isUnread = isNothingRead(batch);
  const isEmpty = isEmptyArchive(batch);
  // A node of the version before may have answered.
  const notes = 'notes' in batch ? batch.notes : [];
  const files = formatFiles(batch, texts);
  const origin = formatOrigin(batch, names, { words, language });
  const actionProps = { batch, subject: files || origin, personProps, finish };
  return (
    <StateCard
      icon={isEmpty ? 'info' : ICONS[isUnread ? 'failed' : status]}
      hasWarning={isUnread || status === 'completed_with_errors' || isAsked(batch)}
      title={isEmpty ? texts.emptyArchive : texts.statuses[isUnread ? 'failed' : status]}
    >
      {files !== '' && (
        <p className="batch-files">
          <bdi>{files}</bdi>
        </p>
      )}
      <p className="soft small">{origin}</p>
      {status === 'processing' && documents.total > 0 && (
        <p>{texts.progress(String(documents.processed), String(documents.total))}</p>
      )}
      {isAsked(batch) && <BatchQuestion {...actionProps} />}
      {isUnread && status !== 'failed' && <p>{texts.nothingRead}</p>}
      {!isPending(batch) && !isAsked(batch) && !isUnread && !isEmpty && <ResourceCounts batch={batch} />}
      {rejected.length > 0 && <Notices notices={rejected} title={texts.problems} />}
      {notes.length > 0 && <Notices notices={notes} title={texts.notes} />}
      {canBeReadAgain(batch, batches) && <ReadAgain {...actionProps} />}
      {!isPending(batch) && !isAsked(batch) && <RemoveBatch {...actionProps} />}
    </StateCard>
  );
}

function ResourceCounts({ batch: { resources } }: { batch: Batch }) {
  const { words, language } = useLanguage();
  const { documents: texts } = words.myData;
  const lines = [
    ...(resources.created > 0 ? [formatCount(resources.created, texts.created, language)] : []),
    ...(resources.updated > 0 ? [formatCount(resources.updated, texts.updated, language)] : []),
    ...(resources.unchanged > 0 ? [formatCount(resources.unchanged, texts.unchanged, language)] : []),
  ];
  if (lines.length === 0) return <p>{texts.noEntries}</p>;
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const MAX_SHOWN = 25;

interface NoticesProps {
  notices: Batch['rejected'];
  title: Words['myData']['documents']['problems'];
}

function Notices({ notices, title }: NoticesProps) {
  const { words, language } = useLanguage();
  const { documents: texts } = words.myData;
  const reasons = new Map(Object.entries(texts.reasons));
  return (
    <details className="rejected">
      <summary>{formatCount(notices.length, title, language)}</summary>
      <ul>
        {notices.slice(0, MAX_SHOWN).map(({ path, code, message }) => (
          <li key={`${path} ${code}`}>
            <p className="rejected-path">{path === '' ? texts.wholeUpload : revealInvisible(path)}</p>
            <p className="small">{reasons.get(code) ?? message}</p>
          </li>
        ))}
      </ul>
      {notices.length > MAX_SHOWN && (
        <p className="soft small">{texts.moreProblems(String(notices.length - MAX_SHOWN))}</p>
      )}
    </details>
  );
}
