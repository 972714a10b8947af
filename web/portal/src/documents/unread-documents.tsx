import { useCallback } from 'react';
import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import { formatDateTime } from '../../../kit/format-date.ts';
import { formatCount } from '../../../kit/format-number.ts';
import type { UnreadDocument } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { Loaded } from '../loaded.tsx';
import { isGone, useGuardedAction, usePersonQuery, type PersonProps } from '../person-query.ts';
import { buildPartFragment } from '../route.ts';
import { StateCard } from '../state-card.tsx';
import { StatusMessage } from '../status-message.tsx';
import { useLanguage } from '../words/use-words.ts';
import { type FinishAction, useFinish } from './use-finish.ts';

/** The documents of the record that could not be read. */
function useUnreadDocuments(personProps: PersonProps) {
  const { api } = useAppDeps();
  const fetchUnread = useCallback(() => api.listMyUnreadDocuments(), [api]);
  return usePersonQuery(fetchUnread, personProps);
}

interface UnreadList {
  total: number;
  results: readonly UnreadDocument[];
}

/** Those of which the person has said nothing are left out of what is shared. */
const countLeftOut = ({ total, results }: UnreadList): number =>
  total - results.filter(({ statedAt }) => statedAt !== null).length;

/** On the home page: how many are left out, and the way to them; nothing where none is. */
export function UnreadNotice(personProps: PersonProps) {
  const { words, language } = useLanguage();
  const { unread } = words.myData.documents;
  const { query } = useUnreadDocuments(personProps);
  const count = query.state === 'loaded' ? countLeftOut(query.data) : 0;
  if (count === 0) return null;
  return (
    <p>
      {formatCount(count, unread.count, language)}.{' '}
      <a className="link-alone" href={buildPartFragment('documents')}>
        {unread.look}
      </a>
    </p>
  );
}

/** On the page of uploads: each document that could not be read, and what the person says of it. */
export function UnreadDocuments({
  personProps,
  finishedCount,
}: {
  personProps: PersonProps;
  /** Shown anew when another upload has been read. */
  finishedCount: number;
}) {
  return <UnreadSection key={finishedCount} {...personProps} />;
}

function UnreadSection(personProps: PersonProps) {
  const { words, language } = useLanguage();
  const { unread } = words.myData.documents;
  const documents = useUnreadDocuments(personProps);
  const { heading, done, finish } = useFinish(documents.load);
  if (documents.query.state === 'loading') return null;
  if (documents.query.state === 'loaded' && documents.query.data.total === 0) return null;
  return (
    <section className="aside">
      <h2 ref={heading} tabIndex={-1}>
        {unread.title}
      </h2>
      <StatusMessage text={done} />
      <Loaded of={documents}>
        {(list) => (
          <>
            <p>{formatCount(countLeftOut(list), unread.count, language)}.</p>
            <p>{unread.lead}</p>
            <ul className="state-cards">
              {list.results.map((document) => (
                <UnreadCard
                  key={document.digest}
                  document={document}
                  personProps={personProps}
                  finish={finish}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}

interface UnreadCardProps {
  document: UnreadDocument;
  personProps: PersonProps;
  finish: FinishAction;
}

/** Keeps what the person says of a document, or takes it back. */
function useStatement({ document: { digest }, personProps, finish }: UnreadCardProps) {
  const { api } = useAppDeps();
  const { myData } = useLanguage().words;
  const { saved, takenBack } = myData.documents.unread;
  const runGuarded = useGuardedAction(personProps);
  return async (nothingPrivate: boolean): Promise<void> => {
    try {
      if (await runGuarded(() => api.stateMyUnreadDocument({ digest, nothingPrivate })))
        await finish(nothingPrivate ? saved : takenBack);
    } catch (error) {
      // Its upload was taken out in another tab.
      if (!isGone(error)) throw error;
      await finish(myData.changedMeanwhile);
    }
  };
}

function UnreadCard(props: UnreadCardProps) {
  const { words, language } = useLanguage();
  const { unread } = words.myData.documents;
  const state = useStatement(props);
  const { title, description, path, statedAt } = props.document;
  const name = title === null ? unread.untitled : revealInvisible(title);
  return (
    <StateCard icon="record" hasWarning={statedAt === null} title={name}>
      <p className="soft small">
        {description} · <bdi>{revealInvisible(path)}</bdi>
      </p>
      {statedAt === null ? (
        <ConfirmButton
          label={unread.state}
          subject={name}
          title={unread.stateTitle}
          confirmLabel={unread.yes}
          cancelLabel={unread.no}
          onConfirm={() => state(true)}
        >
          <p>{unread.stateText}</p>
          <p>{unread.kept}</p>
        </ConfirmButton>
      ) : (
        <>
          <p>{unread.stated(formatDateTime(statedAt, language))}</p>
          <ConfirmButton
            label={unread.takeBack}
            subject={name}
            title={unread.takeBackTitle}
            confirmLabel={unread.yesTakeBack}
            cancelLabel={unread.noTakeBack}
            onConfirm={() => state(false)}
          >
            <p>{unread.takeBackText}</p>
          </ConfirmButton>
        </>
      )}
    </StateCard>
  );
}
