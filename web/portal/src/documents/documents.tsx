import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { StatusMessage } from '../status-message.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { BulletList } from '../bullet-list.tsx';
import { Loaded } from '../loaded.tsx';
import type { PersonProps } from '../person-query.ts';
import { BatchCard } from './batch-card.tsx';
import { FileUpload } from './file-upload.tsx';
import type { Batch } from '../api.ts';
import { UnreadDocuments } from './unread-documents.tsx';
import { OriginalFiles } from './original-files.tsx';
import { isPending, useBatches } from './use-batches.ts';
import { useFinish } from './use-finish.ts';
import './documents.css';

/** Changes when an upload has been read, or taken out. */
const countFinished = (batches: readonly Batch[]): number =>
  batches.filter((batch) => !isPending(batch)).length;

/** What the person adds to their own record, its outcome, and the original files. */
export function Documents(props: PersonProps) {
  const { parts, documents } = useWords().myData;
  const batches = useBatches(props);
  const { query, load } = batches;
  const { heading, done, finish } = useFinish(load);
  const loaded = query.state === 'loaded' ? query.data : null;
  return (
    <Screen
      name="my-data-documents"
      title={parts.documents.title}
      above={<BackToMyData />}
      lead={documents.lead}
    >
      <BulletList title={documents.readTitle} items={documents.read} icon="check" />
      <div className="stack">
        <p>{documents.notRead}</p>
        <p className="soft">{documents.limit}</p>
      </div>
      <FileUpload
        personProps={props}
        batches={loaded?.batches ?? []}
        onSent={load}
        focusAdded={() => heading.current?.focus()}
      />
      <section className="aside">
        <h2 ref={heading} tabIndex={-1}>
          {documents.added}
        </h2>
        <StatusMessage text={done} />
        <Loaded of={batches}>
          {({ batches, names }) =>
            batches.length === 0 ? (
              <p>{documents.none}</p>
            ) : (
              <ul className="state-cards">
                {batches.map((batch) => (
                  <BatchCard key={batch.batchId} {...{ batch, batches, names, finish }} personProps={props} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      {loaded && <UnreadDocuments personProps={props} finishedCount={countFinished(loaded.batches)} />}
      {loaded && loaded.batches.length > 0 && (
        <OriginalFiles personProps={props} {...loaded} finishedCount={countFinished(loaded.batches)} />
      )}
    </Screen>
  );
}
