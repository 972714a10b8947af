import { useState } from 'react';
import { formatNumber } from '../../../kit/format-number.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useAccountApi } from '../../../patient/account-api.ts';
import { EmptyRecord } from '../../../patient/data/empty-record.tsx';
import { CATEGORY_GROUPS, type Category } from '../../../patient/data/groups.ts';
import { toRecordCounts, type RecordCounts } from '../../../patient/data/use-record-counts.ts';
import { Screen } from '../../../patient/screen.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { Loaded } from '../loaded.tsx';
import { type PersonProps, usePersonQuery } from '../person-query.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { CategoryFacts } from './category-facts.tsx';
import { SearchForm, SearchResults } from './record-search.tsx';
import './record.css';

/** What the person's own record holds, by the groups in which they choose what to share. */
export function Record(props: PersonProps) {
  const { parts, record } = useWords().myData;
  const [query, setQuery] = useState('');
  return (
    <Screen name="my-data-record" title={parts.record.title} above={<BackToMyData />} lead={record.lead}>
      <SearchForm onSearch={setQuery} />
      {query === '' ? (
        <WholeRecord {...props} />
      ) : (
        <SearchResults key={query} query={query} onBack={() => setQuery('')} personProps={props} />
      )}
    </Screen>
  );
}

function WholeRecord(props: PersonProps) {
  const { data, myData } = useWords();
  const { countMyRecord } = useAccountApi();
  const counted = usePersonQuery(countMyRecord, props);
  return (
    <Loaded of={counted}>
      {(answer) => {
        const counts = toRecordCounts(answer);
        if (counts.total === 0) return <EmptyRecord counts={counts} />;
        return (
          <div className="stack stack-wide">
            {counts.isArriving && <p role="status">{data.emptyRecord.arriving}</p>}
            {CATEGORY_GROUPS.map(({ name, categories }) => (
              <section key={name} className="record-group">
                <h2>{data.groups[name]}</h2>
                <ul className="record-kinds">
                  {categories.map((category) => (
                    <CategoryItem key={category} {...{ category, counts, personProps: props }} />
                  ))}
                </ul>
              </section>
            ))}
            <p className="soft small">{myData.record.privacy}</p>
          </div>
        );
      }}
    </Loaded>
  );
}

interface CategoryItemProps {
  category: Category;
  counts: RecordCounts;
  personProps: PersonProps;
}

/** A category: opened in place, so that the others stay where they are. */
function CategoryItem({ category, counts, personProps }: CategoryItemProps) {
  const { words, language } = useLanguage();
  const [isOpen, setIsOpen] = useState(false);
  const { name, means } = words.data.categories[category];
  const count = counts.byCategory.get(category) ?? 0;
  if (count === 0)
    return (
      <li className="record-none">
        <h3 className="record-name">{name}</h3>
        <p className="soft small">{words.myData.record.noneHere}</p>
      </li>
    );
  return (
    <li>
      <h3>
        <button
          type="button"
          className="record-open"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span>
            <span className="record-name">{name}</span>{' '}
            <span className="soft small record-means">{means}</span>
          </span>{' '}
          <span className="record-count">{formatNumber(count, language)}</span>
          <Icon name="more" />
        </button>
      </h3>
      {isOpen && <CategoryFacts category={category} personProps={personProps} />}
    </li>
  );
}
