import { type FormEvent, useCallback, useId, useState } from 'react';
import { MAX_QUESTION_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';
import { formatCount } from '../../../kit/format-number.ts';
import { useAppDeps } from '../app-deps.ts';
import { Loaded } from '../loaded.tsx';
import { type PersonProps, usePersonQuery } from '../person-query.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { FactItem } from './fact-item.tsx';

/** One field and its button: nothing is asked for while somebody types. */
export function SearchForm({ onSearch }: { onSearch: (query: string) => void }) {
  const { search } = useWords().myData.record;
  const [id, hintId] = [useId(), useId()];
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <search>
      <form className="record-search" onSubmit={submit}>
        <label className="field-label" htmlFor={id}>
          {search.label}
        </label>
        <span id={hintId} className="field-hint">
          {search.hint}
        </span>
        <div className="record-search-row">
          <input
            id={id}
            type="search"
            className="field-input"
            aria-describedby={hintId}
            autoComplete="off"
            enterKeyHint="search"
            maxLength={MAX_QUESTION_LENGTH}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" variant="strong">
            {search.submit}
          </Button>
        </div>
      </form>
    </search>
  );
}

/** By the names of the reader's language; the vocabulary has some in English alone. */
const formatConcepts = (
  names: readonly string[],
  spanish: readonly (string | null)[],
  language: Language,
): string =>
  formatList(
    names.slice(0, 4).map((name, index) => (language === 'es' ? (spanish[index] ?? name) : name)),
    language,
  );

interface SearchResultsProps {
  query: string;
  onBack: () => void;
  personProps: PersonProps;
}

/** The best of what was found, best first. */
export function SearchResults({ query, onBack, personProps }: SearchResultsProps) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const { search } = words.myData.record;
  const found = usePersonQuery(
    useCallback(() => api.searchMyRecord(query), [api, query]),
    personProps,
  );
  return (
    <section className="stack">
      <h2>{search.title(query)}</h2>
      <div>
        <Button onPress={onBack}>{search.back}</Button>
      </div>
      <Loaded of={found}>
        {({ results, hasMore, isRelated = false, readAs }) => (
          <>
            {readAs
              .filter(
                ({ phrase, names, spanishNames = [] }) =>
                  ![...names, ...spanishNames].some((name) => name?.toLowerCase() === phrase.toLowerCase()),
              )
              .map(({ phrase, names, spanishNames = [] }) => (
                <p key={phrase} className="soft small">
                  {search.readAs(phrase, formatConcepts(names, spanishNames, language))}
                </p>
              ))}
            <p role="status">
              {results.length === 0 ? search.none : formatCount(results.length, search.found, language)}
            </p>
            {isRelated && <p>{search.related}</p>}
            <ul>
              {results.map(({ around, ...fact }) => (
                <FactItem key={fact.id} fact={fact} around={around} />
              ))}
            </ul>
            {hasMore && <p className="soft small">{search.hasMore}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}
