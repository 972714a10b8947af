import { useCallback } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/format-number.ts';
import { useTask } from '../../../kit/task.ts';
import { FailureSummary } from '../../../patient/failure-summary.tsx';
import type { Batch } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { usePersonQuery, type PersonProps } from '../person-query.ts';
import { buildPartFragment } from '../route.ts';
import { useLanguage } from '../words/use-words.ts';
import { formatPerson } from './format-person.ts';
import { useBatchAction } from './use-batch-action.ts';
import type { FinishAction } from './use-finish.ts';
import { isAsked } from './use-batches.ts';

interface BatchQuestionProps {
  batch: Batch;
  /** Its files, by which several questions differ for those who do not see what each is beside. */
  subject: string;
  personProps: PersonProps;
  finish: FinishAction;
}

/** Asks about an upload that names somebody else: whom it names, beside what the account and the record say. */
export function BatchQuestion({ batch, subject, personProps, finish }: BatchQuestionProps) {
  const { api } = useAppDeps();
  const { words } = useLanguage();
  const { busy, refusal, run } = useTask();
  const act = useBatchAction({ personProps, finish });
  const { question: texts } = words.myData.documents;
  const answer = (send: (batchId: string) => Promise<unknown>, done: string) => () =>
    run(async () => act(() => send(batch.batchId), done));
  return (
    <div className="stack">
      {batch.question && <Persons question={batch.question} />}
      <p>{texts.until}</p>
      <FailureSummary refusal={refusal} />
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={answer(api.confirmMyUpload, texts.confirmed)}>
          <Answer text={texts.yes} subject={subject} />
        </Button>
        <Button busy={busy} onPress={answer(api.removeMyUpload, words.myData.documents.remove.done)}>
          <Answer text={texts.no} subject={subject} />
        </Button>
      </div>
      <Busy busy={busy} text={words.common.oneMoment} />
    </div>
  );
}

const Answer = ({ text, subject }: { text: string; subject: string }) => (
  <span>
    {text}
    <span className="hidden-visually"> {subject}</span>
  </span>
);

function Persons({ question }: { question: NonNullable<Batch['question']> }) {
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const { question: texts } = documents;
  const { persons, total, account, record } = question;
  const format = (person: typeof account): string => formatPerson(person, documents, language);
  /** Documents of one person may differ in what is not shown. */
  const formatEach = (several: readonly (typeof account)[]): string[] => [...new Set(several.map(format))];
  const more = total - persons.length;
  return (
    <>
      {formatEach(persons).map((who) => (
        <p key={who} className="asked-person">
          {texts.about(who)}
        </p>
      ))}
      {more > 0 && <p className="asked-person">{formatCount(more, texts.more, language)}</p>}
      <p className="soft">{texts.account(format(account))}</p>
      {formatEach(record).map((who) => (
        <p key={who} className="soft">
          {texts.record(who)}
        </p>
      ))}
    </>
  );
}

/** On the home page: that an upload waits for an answer, and the way to it; nothing where none does. */
export function AskedNotice(personProps: PersonProps) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const { question: texts } = words.myData.documents;
  const fetchUploads = useCallback(() => api.listMyUploads(), [api]);
  const { query } = usePersonQuery(fetchUploads, personProps);
  const count = query.state === 'loaded' ? query.data.results.filter(isAsked).length : 0;
  if (count === 0) return null;
  return (
    <p>
      {formatCount(count, texts.waiting, language)}.{' '}
      <a className="link-alone" href={buildPartFragment('documents')}>
        {texts.look}
      </a>
    </p>
  );
}
