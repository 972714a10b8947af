import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { getConsoleSession } from '../../../contract/console/console.ts';
import { LanguageProvider } from '../../kit/language.tsx';
import { useQuery } from '../../kit/query.ts';
import { createPlainCall, getBaseUrl } from './api/console-call.ts';
import { createQueryClient } from './api/query-client.ts';
import { EntryError, EntryLoading } from './sign-in/entry-screen.tsx';
import { SignedIn } from './signed-in.tsx';
import { TimeZoneProvider } from './kit/time-zone.tsx';
import { frame as en } from './words/en/frame.ts';
import { frame as es } from './words/es/frame.ts';

const baseUrl = getBaseUrl();
const plainCall = createPlainCall(baseUrl);
const client = createQueryClient();
const basePath = new URL(`${baseUrl}/console`).pathname;

/** Whoever has no session meets these; whoever has one does not load them. */
const SignIn = lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignIn }));
const Setup = lazy(async () => ({ default: (await import('./sign-in/setup.tsx')).Setup }));
const Invitation = lazy(async () => ({ default: (await import('./sign-in/invitation.tsx')).Invitation }));

const NewPassword = lazy(async () => ({ default: (await import('./sign-in/new-password.tsx')).NewPassword }));

const OidcReturn = lazy(async () => ({ default: (await import('./sign-in/oidc-return.tsx')).OidcReturn }));

/** The pages that mails lead to, with their secret in the fragment, which no server and no log sees, and that of the provider. */
const OUTER_PAGES = new Map([
  [`${basePath}/oidc`, OidcReturn],
  [`${basePath}/invitation`, Invitation],
  [`${basePath}/new-password`, NewPassword],
]);

export function renderConsole(): void {
  const container = document.getElementById('page');
  if (container === null) throw new Error('index.html has no #page.');
  const OuterPage = OUTER_PAGES.get(location.pathname);
  createRoot(container).render(
    <StrictMode>
      <LanguageProvider dictionaries={{ en, es }}>
        <TimeZoneProvider>
          <QueryClientProvider client={client}>
            <Suspense fallback={<EntryLoading />}>
              {OuterPage ? <OuterPage {...{ plainCall, basePath }} /> : <Console />}
            </Suspense>
          </QueryClientProvider>
        </TimeZoneProvider>
      </LanguageProvider>
    </StrictMode>,
  );
}

const fetchSession = () => plainCall<typeof getConsoleSession>('GET /console/session');

function Console() {
  const { query, load, refresh } = useQuery(fetchSession);
  /** Kept from signing in until the set-up has asked for a new one, and nowhere else. */
  const [password, setPassword] = useState<string | null>(null);
  if (query.state === 'loading') return <EntryLoading />;
  if (query.state === 'error') return <EntryError refusal={query.refusal} onRetry={() => void load()} />;
  const { member, organization, setup, oidc, keepsMails } = query.data;
  if (member === null || organization === null) {
    const onSignedIn = async (typed: string | null) => {
      setPassword(typed);
      await load();
    };
    return <SignIn {...{ plainCall, baseUrl, oidc, keepsMails, onSignedIn }} />;
  }
  if (setup.length > 0)
    return <Setup {...{ plainCall, member, setup, password }} onDone={async () => load()} />;
  const reloadSession = async () => void (await refresh());
  return (
    <SignedIn
      key={member.id}
      {...{ baseUrl, basePath, plainCall, member, organization, oidc, keepsMails, reloadSession }}
    />
  );
}
