import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { useWords } from '../../words/language.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { BulletList } from '../bullet-list.tsx';
import { SectionError } from '../section-error.tsx';
import type { PersonProps } from '../use-query.ts';
import { BatchCard } from './batch-card.tsx';
import { FileUpload } from './file-upload.tsx';
import { OriginalFiles } from './original-files.tsx';
import { isPending, useBatches } from './use-batches.ts';
import './documents.css';

/** What the person adds to their own record, what came of it, and the files themselves. */
export function Documents(props: PersonProps) {
  const { parts, documents } = useWords().myData;
  const { asked: query, load } = useBatches(props);
  const known = query.state === 'known' ? query.data : null;
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
      <FileUpload personProps={props} onSent={load} />
      <section className="aside">
        <h2>{documents.added}</h2>
        {query.state === 'loading' && <Loading />}
        {query.state === 'troubled' && <SectionError failure={query.failure} onRetry={() => void load()} />}
        {known?.batches.length === 0 && <p>{documents.none}</p>}
        {known && (
          <ul className="state-cards">
            {known.batches.map((batch) => (
              <BatchCard key={batch.batchId} batch={batch} names={known.names} />
            ))}
          </ul>
        )}
      </section>
      {known && known.batches.length > 0 && (
        <OriginalFiles
          personProps={props}
          {...known}
          finishedCount={known.batches.filter((batch) => !isPending(batch)).length}
        />
      )}
    </Screen>
  );
}
