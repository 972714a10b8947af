import { Emblem } from '../../../kit/emblem.tsx';
import type { Step } from '../../../patient/step.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { SignInButtons } from './sign-in-buttons.tsx';

/** Opened from a mail. The address names a project, but an address proves nothing, so the screen names none. */
export function Invitation({ go }: { go: (step: Step) => void }) {
  const { invitation } = useWords();
  return (
    <Screen name="invitation" title={invitation.title} above={<Emblem icon="mail" />} lead={invitation.lead}>
      <SignInButtons go={go} />
    </Screen>
  );
}
