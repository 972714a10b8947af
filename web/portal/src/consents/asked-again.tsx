import { Section } from '../../../patient/section.tsx';
import { formatClientName } from '../../../patient/client-name.ts';
import type { EnrollmentRequest, Invitation } from '../api.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { formatAskReasons } from './ask-reasons.ts';
import { formatTitle } from './consent-name.ts';

/** Organizations that ask for a decision now: a new one, or one again. Nothing is shown where none does. */
export function AskedAgain({ requests }: { requests: readonly EnrollmentRequest[] }) {
  const { asked } = useWords().myData;
  if (requests.length === 0) return null;
  return (
    <Section icon="pen" title={asked.title}>
      <ul className="stack consents-ended">
        {requests.map((request) => (
          <Request key={request.studyId} request={request} />
        ))}
      </ul>
    </Section>
  );
}

function Request({ request }: { request: EnrollmentRequest }) {
  const { words, language } = useLanguage();
  const { studyId, organization } = request;
  return (
    <li className="stack">
      <h3>{organization.name}</h3>
      {formatAskReasons(request, { words, language }).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <a className="button button-strong" href={buildInvitationFragment(studyId)}>
        {words.myData.asked.look(organization.name)}
      </a>
    </li>
  );
}

/** The way back to what was decided on the page of an invitation, also where the answer was no. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const { myData } = useWords();
  if (invitations.length === 0) return null;
  return (
    <div className="stack">
      <h3 className="minor-title">{myData.consents.invitations.title}</h3>
      <ul className="consents-ended">
        {invitations.map((invitation) => (
          <li key={invitation.studyId}>
            <InvitationLink invitation={invitation} />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function InvitationLink({ invitation }: { invitation: Invitation }) {
  const { words, language } = useLanguage();
  const { studyId, organization, project } = invitation;
  return (
    <a className="link-alone" href={buildInvitationFragment(studyId)}>
      {words.myData.consents.invitations.look(
        formatClientName(organization, words),
        formatTitle(project, { words, language }),
      )}
    </a>
  );
}

const buildInvitationFragment = (studyId: string): string => `#/patient-consent/${studyId}/enrollment/link`;
