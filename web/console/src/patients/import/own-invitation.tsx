import { useTask } from '../../../../kit/task.ts';
import type { sendInvitation } from '../../../../../contract/organization/enrolled-patient.ts';
import type { enrollPatients } from '../../../../../contract/organization/enrollment.ts';
import { Button } from '../../../../kit/button.tsx';
import { useConsole } from '../../api/use-console.ts';
import { RefusalNotice } from '../../kit/refusal-notice.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { createWords } from '../../words/create-words.ts';
import { useWords } from '../../words/use-words.ts';
import { usePatientWords } from '../use-patient-words.ts';
import { ownInvitation as en } from '../words/en/own-invitation.ts';
import { ownInvitation as es } from '../words/es/own-invitation.ts';

const useOwnInvitationWords = createWords({ en, es });

/** Sends the invitation to the member who imports: they see what everybody gets. */
export function OwnInvitation({ projectId }: { projectId: string }) {
  const words = useOwnInvitationWords();
  const { details } = usePatientWords();
  const { member } = useConsole();
  const { busy, refusal, run } = useTask();
  const send = useSendToSelf(projectId);
  return (
    <>
      {refusal && <RefusalNotice refusal={refusal} texts={{ too_many_mails: details.tooMany }} />}
      <p className="soft small">{words.hint}</p>
      <div className="page-actions">
        <Button busy={busy} onPress={() => run(send)}>
          {words.send(member.email)}
        </Button>
      </div>
    </>
  );
}

/** Who is enrolled already gets the invitation again. */
function useSendToSelf(projectId: string): () => Promise<void> {
  const words = useOwnInvitationWords();
  const { mails } = useWords();
  const { call, member, keepsMails } = useConsole();
  const toast = useToast();
  return async () => {
    const { email, name } = member;
    const [firstName = email, ...rest] = name.split(' ');
    const patient = { email, firstName, lastName: rest.join(' ') || firstName };
    const { duplicates } = await call<typeof enrollPatients>('POST /v1/projects/{projectId}/patients', {
      params: { projectId },
      body: { patients: [patient] },
    });
    const patientId = duplicates[0]?.referenceId;
    if (patientId)
      await call<typeof sendInvitation>('POST /v1/projects/{projectId}/patients/{patientId}/invitation', {
        params: { projectId, patientId },
      });
    toast(keepsMails ? mails.toast(email) : words.sent(email));
  };
}
