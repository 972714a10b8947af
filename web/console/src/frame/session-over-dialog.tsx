import { useState } from 'react';
import type { getConsoleSession } from '../../../../contract/console/console.ts';
import { Button } from '../../../kit/button.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { CodeForm, type Login, PasskeySignIn, PasswordForm } from '../sign-in/sign-in-forms.tsx';
import { startOidcSignIn } from '../sign-in/oidc.ts';
import { OidcButton } from '../sign-in/oidc-button.tsx';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { PROJECTS_TARGET } from './project-switcher.tsx';

/** Signs in again over the page, on which what was entered stays; the request that was refused is then sent again. */
export function SessionOverDialog({ onAnswer }: { onAnswer: (done: boolean) => void }) {
  const { sessionOver } = useWords();
  const signIn = useSignInWords();
  const { member, plainCall, oidc, reloadSession } = useConsole();
  const refresh = useRefresh();
  const [login, setLogin] = useState<Login | null>(null);
  const finish = async () => {
    const session = await plainCall<typeof getConsoleSession>('GET /console/session');
    // Something has to be chosen first, such as after a reset of the password: that is no dialog.
    if (session.setup.length > 0 || session.member?.id !== member.id) return location.reload();
    onAnswer(true);
    // A change of their role or their projects ended the session: what the new one lacks is not offered any more.
    await Promise.all([reloadSession(), refresh(PROJECTS_TARGET)]);
  };
  return (
    <Dialog title={sessionOver.title}>
      <p>{sessionOver.lead}</p>
      <div role="status">{login !== null && <p>{signIn.codeLead}</p>}</div>
      {oidc !== null && (member.isJoined || oidc.isOnly) ? (
        <OidcButton label={signIn.oidc.submit} variant="strong" start={() => startOidcSignIn(plainCall)} />
      ) : login === null ? (
        <PasswordForm {...{ plainCall }} email={member.email} onCodeRequired={setLogin} onSignedIn={finish} />
      ) : (
        <CodeForm {...{ plainCall, login }} takesFocus onSignedIn={finish} />
      )}
      {!(oidc?.isOnly ?? false) && !member.isJoined && <PasskeySignIn {...{ plainCall }} onDone={finish} />}
      <Button variant="quiet" onPress={() => location.reload()}>
        {sessionOver.leave}
      </Button>
    </Dialog>
  );
}
