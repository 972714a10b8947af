import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { useWords } from '../../words/language.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { SectionFailed } from '../section-failed.tsx';
import type { Mine } from '../use-mine.ts';
import { BatchCard } from './batch-card.tsx';
import { ChooseFiles } from './choose-files.tsx';
import { useBatches } from './use-batches.ts';
import './documents.css';

/** What the person adds to their own record. */
export function Documents(mine: Mine) {
  const { parts, documents } = useWords().myData;
  const { asked, load } = useBatches(mine);
  return (
    <Screen
      name="my-data-documents"
      title={parts.documents.title}
      above={<BackToMyData />}
      lead={documents.lead}
    >
      <div className="stack">
        <p>{documents.kinds}</p>
        <p className="soft">{documents.limit}</p>
      </div>
      <ChooseFiles mine={mine} onSent={load} />
      <section className="aside">
        <h2>{documents.added}</h2>
        {asked.state === 'loading' && <Loading />}
        {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
        {asked.state === 'known' && asked.answer.results.length === 0 && <p>{documents.none}</p>}
        {asked.state === 'known' && (
          <ul className="batches">
            {asked.answer.results.map((batch) => (
              <BatchCard key={batch.batchId} batch={batch} />
            ))}
          </ul>
        )}
      </section>
    </Screen>
  );
}
