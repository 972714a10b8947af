import { RouterProvider } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { type ConsoleCall, createConsoleCall } from './api/console-call.ts';
import { createPrompt, type Prompt } from './api/prompt.ts';
import { type Console, ConsoleProvider } from './api/use-console.ts';
import { PresenceDialog } from './frame/presence-dialog.tsx';
import { SessionOverDialog } from './frame/session-over-dialog.tsx';
import { Toasts } from './kit/toasts.tsx';
import { createConsoleRouter } from './router.tsx';

type SignedInProps = Omit<Console, 'call' | 'download'> & { basePath: string };

/** The console of a member, with the questions that stand over any page of it. */
export function SignedIn({ basePath, ...session }: SignedInProps) {
  const [{ router, prompts, calls }] = useState(() => createSession(basePath, session));
  const isAsking = useIsOpen(prompts.presence);
  const isOver = useIsOpen(prompts.session);
  return (
    <ConsoleProvider value={{ ...session, ...calls }}>
      <Toasts>
        <RouterProvider router={router} />
        {isAsking && <PresenceDialog onAnswer={prompts.presence.answer} />}
        {isOver && <SessionOverDialog onAnswer={prompts.session.answer} />}
      </Toasts>
    </ConsoleProvider>
  );
}

const useIsOpen = (prompt: Prompt): boolean => useSyncExternalStore(prompt.subscribe, prompt.isOpen);

function createSession(
  basePath: string,
  { baseUrl, plainCall, organization }: Omit<SignedInProps, 'basePath'>,
) {
  const prompts = { presence: createPrompt(), session: createPrompt() };
  const calls: { call: ConsoleCall; download: Console['download'] } = createConsoleCall({
    baseUrl,
    plainCall,
    prompts,
    organizationId: organization.id,
  });
  return { router: createConsoleRouter(basePath), prompts, calls };
}
