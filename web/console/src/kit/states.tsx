import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Refusal } from '../../../kit/http/refusal.ts';
import { useConsole } from '../api/use-console.ts';
import { useWords } from '../words/use-words.ts';
import { Blank } from './blank.tsx';
import { NoPermission } from './no-permission.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import './states.css';

interface StatesProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'>;
  /** What stands here while nothing is known: lines of the real layout. */
  skeleton?: ReactNode;
  /** What is said of something that is not there, and where to go then. */
  gone?: { title: string; text: string; action?: ReactNode } | undefined;
  children: (data: Data) => ReactNode;
}

/**
 * What a query has loaded, or the state that it is in: loading, not permitted, gone, or failed with the way to try again. What
 * was loaded before stays while it is asked anew, and when that fails.
 */
export function States<Data>({ query, skeleton = <Skeleton />, gone, children }: StatesProps<Data>) {
  const { data, error, isPlaceholderData, isFetching } = query;
  if (data === undefined)
    return error === null ? (
      skeleton
    ) : (
      <Failed error={error} gone={gone} onRetry={() => void query.refetch()} />
    );
  return (
    <div className={isPlaceholderData ? 'states states-outdated' : 'states'}>
      {isFetching && <div className="states-bar" aria-hidden="true" />}
      {error !== null && <Failed error={error} onRetry={() => void query.refetch()} />}
      {children(data)}
    </div>
  );
}

/** Of an id that nothing of the organization has: whoever sees all of it needs no other role for it. */
const FOREIGN: ReadonlySet<string> = new Set(['wrong_organization', 'wrong_project']);

const ASKED: ReadonlySet<string> = new Set(['confirmation_required', 'csrf']);

interface FailedProps extends Pick<StatesProps<unknown>, 'gone'> {
  error: Error;
  onRetry: () => void;
}

/** What an error of a query is to the person who looks at the page. An error of our own code is thrown on. */
export function Failed({ error, gone, onRetry }: FailedProps) {
  const { states, common } = useWords();
  const { member } = useConsole();
  if (!(error instanceof Refusal)) throw error;
  const isGone = error.status === 404 || (member.projectIds === null && FOREIGN.has(error.code));
  if (error.status === 403 && !isGone && !ASKED.has(error.code)) return <NoPermission />;
  if (isGone) return <Blank {...(gone ?? { title: states.goneTitle, text: states.gone })} isAlert />;
  return (
    <div className="stack states-failed">
      <h2>{states.errorTitle}</h2>
      <RefusalNotice refusal={error} />
      <div>
        <Button onPress={onRetry}>{common.tryAgain}</Button>
      </div>
    </div>
  );
}

/** Lines where text will be; a short wait shows none. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  const { states } = useWords();
  return (
    <div className="skeleton" role="status">
      <span className="hidden-visually">{states.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  );
}
