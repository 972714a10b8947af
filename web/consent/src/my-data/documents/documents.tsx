import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { useWords } from '../../words/language.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { Listed } from '../listed.tsx';
import { SectionFailed } from '../section-failed.tsx';
import type { Mine } from '../use-mine.ts';
import { BatchCard } from './batch-card.tsx';
import { ChooseFiles } from './choose-files.tsx';
import { KeptFiles } from './kept-files.tsx';
import { isAtWork, useBatches } from './use-batches.ts';
import './documents.css';

/** What the person adds to their own record, what came of it, and the files themselves. */
export function Documents(mine: Mine) {
  const { parts, documents } = useWords().myData;
  const { asked, load } = useBatches(mine);
  const known = asked.state === 'known' ? asked.answer : null;
  return (
    <Screen
      name="my-data-documents"
      title={parts.documents.title}
      above={<BackToMyData />}
      lead={documents.lead}
    >
      <Listed title={documents.readTitle} items={documents.read} icon="check" />
      <div className="stack">
        <p>{documents.notRead}</p>
        <p className="soft">{documents.limit}</p>
      </div>
      <ChooseFiles mine={mine} onSent={load} />
      <section className="aside">
        <h2>{documents.added}</h2>
        {asked.state === 'loading' && <Loading />}
        {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
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
        <KeptFiles mine={mine} {...known} read={known.batches.filter((batch) => !isAtWork(batch)).length} />
      )}
    </Screen>
  );
}
