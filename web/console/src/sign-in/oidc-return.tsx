import { useCallback, useEffect } from 'react';
import type { completeOidc } from '../../../../contract/console/oidc.ts';
import type { Call } from '../../../kit/http/call.ts';
import { useQuery } from '../../../kit/query.ts';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { EntryLoading, EntryScreen } from './entry-screen.tsx';
import { takeReturnPath } from './oidc.ts';

interface OidcReturnProps {
  plainCall: Call;
  /** The path of the console. */
  basePath: string;
}

/** Taken once for the document, out of the address, where the history would keep the code. */
const parameters = takeParameters();

function takeParameters(): Record<string, string> {
  const taken = Object.fromEntries(new URLSearchParams(location.search));
  if (location.pathname.endsWith('/console/oidc')) history.replaceState(null, '', location.pathname);
  return taken;
}

/** The page that the identity provider sends browsers back to: it hands on what it got, and goes where the person was. */
export function OidcReturn({ plainCall, basePath }: OidcReturnProps) {
  const { oidc } = useSignInWords();
  const complete = useCallback(
    () => plainCall<typeof completeOidc>('POST /console/sign-in/oidc/complete', { body: { parameters } }),
    [plainCall],
  );
  const { query } = useQuery(complete);
  const isDone = query.state === 'loaded';
  useEffect(() => {
    if (isDone) location.replace(takeReturnPath(basePath));
  }, [isDone, basePath]);
  if (query.state !== 'error') return <EntryLoading />;
  return (
    <EntryScreen name="oidc-refused" title={oidc.refusedTitle}>
      <RefusalNotice refusal={query.refusal} texts={oidc.refusals} />
      <a href={`${basePath}/`}>{oidc.back}</a>
    </EntryScreen>
  );
}
