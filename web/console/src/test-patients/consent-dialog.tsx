import { type SubmitEvent, useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { Dialog } from '../kit/dialog.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useWords } from '../words/use-words.ts';
import { ScopeFields } from './scope-fields.tsx';
import { useRefreshCase } from './use-agent-data.ts';
import { useScopes } from './use-scopes.ts';
import { useTestCase } from './use-test-agent.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';
import { isEmptyConsent, toScopesBody, type Withheld } from './withheld.ts';

/** Gives a consent for the person, by the endpoint that test patients have for it. */
export function ConsentDialog({ initial, onClose }: { initial: Withheld; onClose: () => void }) {
  const { consent: words } = useTestPatientWords();
  const { common } = useWords();
  const { names } = useScopes();
  const { agent } = useTestCase();
  const refresh = useRefreshCase();
  const toast = useToast();
  const { busy, refusal, run } = useTask();
  const [withheld, setWithheld] = useState(initial);
  const isEmpty = isEmptyConsent(withheld, names);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isEmpty) return;
    run(async () => {
      await agent.decide({ consentStatus: 'OPTED_IN', ...toScopesBody(withheld, names) });
      await refresh('consent');
      toast(words.given);
      onClose();
    });
  };
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      <form className="stack" noValidate onSubmit={submit}>
        <p className="soft">{words.dialogLead}</p>
        <ScopeFields checked="shared" withheld={withheld} onChange={setWithheld} />
        <div role="alert">{isEmpty && <p className="field-error">{words.emptyError}</p>}</div>
        {refusal && <RefusalNotice refusal={refusal} />}
        <div className="dialog-buttons">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="strong" busy={busy} disabled={isEmpty}>
            {words.submit}
          </Button>
        </div>
        <Busy busy={busy} text={common.oneMoment} />
      </form>
    </Dialog>
  );
}
