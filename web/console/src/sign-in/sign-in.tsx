import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import type { Call } from '../../../kit/http/call.ts';
import type { Session } from '../api/console-call.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { EntryScreen } from './entry-screen.tsx';
import { ForgottenPassword } from './forgotten-password.tsx';
import { startOidcSignIn } from './oidc.ts';
import { OidcButton } from './oidc-button.tsx';
import { CodeForm, type Login, PasskeySignIn, PasswordForm } from './sign-in-forms.tsx';

interface SignInProps {
  plainCall: Call;
  baseUrl: string;
  /** The identity provider of the organization; null: none. */
  oidc: Session['oidc'];
  /** No mail server is configured: a link by mail reaches nobody. */
  keepsMails: boolean;
  /** The password, where it was typed. */
  onSignedIn: (password: string | null) => Promise<void>;
}

/** Signing in at whatever address somebody came to: it stays, and is where they are afterwards. */
export function SignIn({ plainCall, baseUrl, oidc, keepsMails, onSignedIn }: SignInProps) {
  const words = useSignInWords();
  /** The password was right, and a code is asked for. */
  const [login, setLogin] = useState<Login | null>(null);
  const [isForgotten, setIsForgotten] = useState(false);
  if (isForgotten)
    return <ForgottenPassword {...{ plainCall, keepsMails }} onBack={() => setIsForgotten(false)} />;
  if (login !== null)
    return (
      <EntryScreen name="sign-in-code" title={words.codeTitle} lead={words.codeLead}>
        <CodeForm {...{ plainCall, login }} onSignedIn={async () => onSignedIn(login.password)} />
        <PasskeySignIn {...{ plainCall }} onDone={async () => onSignedIn(login.password)} />
        <Button variant="quiet" onPress={() => setLogin(null)}>
          {words.back}
        </Button>
        <p className="soft small">{words.lockedOut}</p>
      </EntryScreen>
    );
  return (
    <EntryScreen name="sign-in" title={words.title} lead={words.lead}>
      {oidc !== null && (
        <OidcButton label={words.oidc.submit} variant="strong" start={() => startOidcSignIn(plainCall)} />
      )}
      {oidc?.isOnly ? (
        <p className="soft">{words.oidc.only(oidc.host)}</p>
      ) : (
        <>
          <PasswordForm
            plainCall={plainCall}
            onCodeRequired={setLogin}
            onSignedIn={async ({ password }) => onSignedIn(password)}
          />
          <PasskeySignIn {...{ plainCall }} onDone={async () => onSignedIn(null)} />
          <Button variant="quiet" onPress={() => setIsForgotten(true)}>
            {words.forgotten.link}
          </Button>
        </>
      )}
      <p className="small">
        <a href={`${baseUrl}/consent/#/my-data`}>{words.patients}</a>
      </p>
    </EntryScreen>
  );
}
