import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';

interface OidcButtonProps {
  label: string;
  variant?: 'strong' | 'plain';
  /** Asks the service where to go, and leaves the page. */
  start: () => Promise<void>;
}

/** Leads to the identity provider of the organization. */
export function OidcButton({ label, variant = 'plain', start }: OidcButtonProps) {
  const { oidc } = useSignInWords();
  const { common } = useWords();
  const { busy, refusal, run } = useTask();
  return (
    <div className="stack">
      {refusal && <RefusalNotice refusal={refusal} texts={oidc.refusals} />}
      <Button variant={variant} busy={busy} onPress={() => run(start)}>
        {label}
      </Button>
      <Busy busy={busy} text={common.oneMoment} />
    </div>
  );
}
