import { Button } from '../../../kit/button.tsx';
import { Emblem } from '../../../kit/emblem.tsx';
import { formatDay, formatLastDay } from '../../../kit/format-date.ts';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import type { Person } from '../../../patient/account-api.ts';
import { Screen } from '../../../patient/screen.tsx';
import { Section } from '../../../patient/section.tsx';
import type { Enrollment, EnrollmentConsent } from '../api.ts';
import { MyDataLink } from '../my-data-link.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { ConnectApp } from './connect-app.tsx';

interface NextStepsProps {
  enrollment: Enrollment;
  person: Person;
  /** Opens the review of a consent again. */
  reopen: (consentType: EnrollmentConsent['consentType']) => void;
  onSignedOut: () => Promise<void>;
}

/** Shown when everything that is asked has been decided: what was decided, and what a person can do now. */
export function NextSteps({ enrollment, person, reopen, onSignedOut }: NextStepsProps) {
  const { invitation, start } = useWords();
  const { consents, organization, mcpUrl } = enrollment;
  return (
    <Screen
      name="next-steps"
      title={consents.length === 0 ? invitation.readyTitle : invitation.decidedTitle}
      above={<Emblem icon="check" />}
      lead={formatLead(enrollment, invitation)}
    >
      <div>
        {consents.length > 0 && (
          <Section icon="record" title={invitation.decisions(organization.name)}>
            <ul className="decided">
              {consents.map((consent) => (
                <DecidedConsent key={consent.consentType} consent={consent} reopen={reopen} />
              ))}
            </ul>
          </Section>
        )}
        <Section icon="folder" title={invitation.addRecordsTitle}>
          <p>{invitation.addRecords}</p>
          <a className="button button-plain" href="#/my-data/documents">
            {invitation.addRecordsLink}
          </a>
        </Section>
        {mcpUrl !== null && <ConnectApp mcpUrl={mcpUrl} />}
        <Section icon="lock" title={invitation.yourDataTitle}>
          <p>{invitation.yourData}</p>
          <MyDataLink />
        </Section>
      </div>
      <div className="aside">
        <p className="soft">{start.signedInAs(`${person.firstName} ${person.lastName}`, person.email)}</p>
        <SignOut onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}

type InvitationWords = ReturnType<typeof useWords>['invitation'];

function formatLead({ consents, organization }: Enrollment, invitation: InvitationWords): string {
  if (consents.length === 0) return invitation.ready(organization.name);
  return consents.some(({ status }) => status === 'active') ? invitation.shared : invitation.notShared;
}

/** One consent and how the person stands; they may look at it again, and share more. */
function DecidedConsent({
  consent: { consentType, status, decision },
  reopen,
}: {
  consent: EnrollmentConsent;
  reopen: NextStepsProps['reopen'];
}) {
  const { words, language } = useLanguage();
  const { invitation } = words;
  return (
    <li className="stack">
      <p>
        <strong>{invitation.types[consentType]}</strong>
      </p>
      {decision && (
        <p className="soft small">
          {status === 'active'
            ? invitation.until(formatLastDay(decision.expiresAt, language))
            : invitation.refusedOn(formatDay(decision.decidedAt, language))}
        </p>
      )}
      {decision && (
        <a className="link-alone" href={`#/my-data/receipts/${decision.consentRecordId}`}>
          {invitation.receipt}
          <span className="hidden-visually"> {invitation.types[consentType]}</span>
        </a>
      )}
      <Button variant="quiet" onPress={() => reopen(consentType)}>
        <span>
          {status === 'active' ? invitation.decideAgain : invitation.lookAgain}
          <span className="hidden-visually"> {invitation.types[consentType]}</span>
        </span>
      </Button>
    </li>
  );
}
