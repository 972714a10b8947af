import { type ReactNode, useEffect } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { PersonCard } from '../../../patient/account/person-card.tsx';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import type { Person } from '../../../patient/account-api.ts';
import type { DraftPort } from '../draft/draft-port.ts';
import { preloadCapture } from '../evidence/capture-element.ts';
import { useAppDeps } from '../app-deps.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useTask } from '../../../kit/task.ts';
import type { AgainReason } from './use-identity.ts';
import { useWords } from '../words/use-words.ts';

interface ConfirmIdentityProps {
  person: Person;
  /** Whose evidence this screen belongs to. */
  evidenceOwner: string;
  port: DraftPort;
  /** Why this screen is shown once more; null where it is not. */
  again: AgainReason | null;
  /** Which of several decisions it is for. */
  above?: ReactNode;
  onConfirmed: () => Promise<void>;
  onSignedOut: () => Promise<void>;
}

/** Asks whether the signed-in person is the one at the screen, since browsers are shared. */
export function ConfirmIdentity(props: ConfirmIdentityProps) {
  const { person, evidenceOwner, port, again, above, onConfirmed, onSignedOut } = props;
  const { interactionLog, evidence } = useAppDeps();
  const { confirmIdentity } = useWords();
  const { busy, run } = useTask();
  useEffect(preloadCapture, []);
  const confirm = async () => {
    interactionLog.add('who-is-this', 'confirm');
    // A denial needs no screenshot, so a failed one must not block the next screen; a consent is checked there.
    await evidence
      .capture(evidenceOwner, 'who-is-this')
      .catch(() => interactionLog.add('who-is-this', 'no-picture'));
    // On a slow line it arrives while the next screen is read; what fails is sent again with the decision.
    evidence.send(evidenceOwner, 'who-is-this', { port, person }).catch(() => undefined);
    await onConfirmed();
  };
  return (
    <Screen name="who-is-this" title={confirmIdentity.title} above={above} lead={confirmIdentity.lead}>
      {again !== null && (
        <Notice kind={again === 'next' ? 'note' : 'warning'}>{confirmIdentity.again[again]}</Notice>
      )}
      <PersonCard person={person} />
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={() => run(confirm)}>
          {confirmIdentity.yes}
        </Button>
        <SignOut label={confirmIdentity.no} onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}
