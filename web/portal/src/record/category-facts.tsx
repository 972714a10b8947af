import { useCallback } from 'react';
import type { Category } from '../../../patient/data/groups.ts';
import type { PersonDetail, RecordFact } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { LoadMore } from '../load-more.tsx';
import { Loaded } from '../loaded.tsx';
import { type PersonProps, usePersonPages } from '../person-query.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { FactItem } from './fact-item.tsx';
import { formatPersonDetail } from './format-person-detail.ts';

const PAGE_SIZE = 40;

interface CategoryFactsProps {
  category: Category;
  personProps: PersonProps;
}

/** What the record holds of one category, newest first. */
export function CategoryFacts({ category, personProps }: CategoryFactsProps) {
  const { api } = useAppDeps();
  const { record } = useWords().myData;
  const fetchPage = useCallback(
    (before?: string) =>
      api.listMyFacts({
        category,
        limit: PAGE_SIZE,
        ...(before !== undefined && { offset: Number(before) }),
      }),
    [api, category],
  );
  const facts = usePersonPages(fetchPage, personProps);
  return (
    <div className="record-facts">
      <Loaded of={facts}>
        {({ person, results, next }) => (
          <>
            <PersonDetailList details={person} />
            <FactsByYear facts={results} />
            {next !== null && (
              <LoadMore label={record.older} formatShown={record.olderShown} loadMore={facts.loadMore} />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Facts under the years in which they were last written down. */
export function FactsByYear({ facts }: { facts: readonly RecordFact[] }) {
  const { record } = useWords().myData;
  const years = Map.groupBy(facts, ({ lastDay }) => lastDay?.slice(0, 4) ?? '');
  return [...years].map(([year, some]) => (
    <section key={year}>
      <h4 className="record-year">{year === '' ? record.undated : year}</h4>
      <ul>
        {some.map((fact) => (
          <FactItem key={fact.id} fact={fact} />
        ))}
      </ul>
    </section>
  ));
}

function PersonDetailList({ details }: { details: readonly PersonDetail[] }) {
  const { words, language } = useLanguage();
  const { record } = words.myData;
  if (details.length === 0) return null;
  return (
    <dl className="fact-details">
      {details.map(({ name, text }) => (
        <div key={`${name} ${text}`}>
          <dt>{record.person[name]}</dt>
          <dd>{formatPersonDetail({ name, text }, record, language)}</dd>
        </div>
      ))}
    </dl>
  );
}
