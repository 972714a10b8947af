import { Button } from '../../kit/button.tsx';
import type { Refusal } from '../../kit/http/refusal.ts';
import { Notice } from '../../kit/notice.tsx';
import { toFailure } from '../../patient/failure.ts';
import { formatFailure } from '../../patient/format-failure.ts';
import { isGone } from './person-query.ts';
import { useLanguage } from './words/use-words.ts';
import type { ReactNode } from 'react';
import type { Query } from '../../kit/query.ts';
import { Loading } from '../../patient/loading.tsx';

interface LoadedProps<Data> {
  of: Pick<Query<Data>, 'query' | 'load'>;
  /** What is said where there is no such thing, which another try does not change. */
  notFound?: string;
  children: (data: Data) => ReactNode;
}

/** What a query has loaded; until then that it loads, or why it failed and the way to try again. */
export function Loaded<Data>({ of: { query, load }, notFound, children }: LoadedProps<Data>) {
  if (query.state === 'loading') return <Loading />;
  if (query.state === 'error' && notFound !== undefined && isGone(query.refusal))
    return (
      <div role="alert">
        <Notice kind="warning">{notFound}</Notice>
      </div>
    );
  if (query.state === 'error') return <SectionError refusal={query.refusal} onRetry={() => void load()} />;
  return children(query.data);
}

/** One section could not be loaded; the rest of the page stays. */
function SectionError({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }) {
  const { words, language } = useLanguage();
  return (
    <div className="stack" role="alert">
      <Notice kind="warning">{formatFailure(toFailure(refusal), words, language)}</Notice>
      <div>
        <Button onPress={onRetry}>{words.common.tryAgain}</Button>
      </div>
    </div>
  );
}
