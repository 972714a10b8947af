import { formatFullName } from '../../../../contract/account/person-name.ts';
import { Button } from '../../../kit/button.tsx';
import { Emblem } from '../../../kit/emblem.tsx';
import { formatDay, formatWhenEnds } from '../../../kit/format-date.ts';
import { useTask } from '../../../kit/task.ts';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import type { Person } from '../../../patient/account-api.ts';
import type { Loss } from '../../../patient/lost-action.tsx';
import { Screen } from '../../../patient/screen.tsx';
import { Section } from '../../../patient/section.tsx';
import type { Enrollment, EnrollmentConsent } from '../api.ts';
import { MyDataLink } from '../my-data-link.tsx';
import type { Language } from '../../../kit/languages.ts';
import { quoteReadings } from '../review/other-readings.ts';
import type { Words } from '../words/en.ts';
import { useLanguage } from '../words/use-words.ts';
import { ConnectApp } from './connect-app.tsx';

type NewestDecision = NonNullable<EnrollmentConsent['decision']>;

interface NextStepsProps {
  enrollment: Enrollment;
  person: Person;
  /** What was not done; null where the last decision was made. */
  lost: Loss | null;
  /** Opens the review of a consent again. */
  reopen: (consentType: EnrollmentConsent['consentType']) => Promise<void>;
  onSignedOut: () => Promise<void>;
}

/** Shown when everything that is asked has been decided: what was decided, and what a person can do now. */
export function NextSteps({ enrollment, person, lost, reopen, onSignedOut }: NextStepsProps) {
  const { words, language } = useLanguage();
  const { invitation, start } = words;
  const { consents, organization, mcpUrl } = enrollment;
  const isDecidedBefore = lost?.reason === 'decided-before';
  const decidedTitle = isDecidedBefore ? invitation.countsTitle : invitation.decidedTitle;
  return (
    <Screen
      name="next-steps"
      title={consents.length === 0 ? invitation.readyTitle : decidedTitle}
      above={<Emblem icon={isDecidedBefore ? 'info' : 'check'} />}
      lead={isDecidedBefore ? invitation.counts : formatLead(enrollment, words, language)}
    >
      <div>
        {consents.length > 0 && (
          <Section icon="record" title={invitation.decisions(organization.name)}>
            <ul className="decided">
              {consents.map((consent) => (
                <DecidedConsent key={consent.consentType} {...{ enrollment, consent, reopen }} />
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
        {mcpUrl !== null && !refusedApps(enrollment) && <ConnectApp mcpUrl={mcpUrl} />}
        <Section icon="lock" title={invitation.yourDataTitle}>
          <p>{invitation.yourData}</p>
          <MyDataLink />
        </Section>
      </div>
      <div className="aside">
        <p className="soft">{start.signedInAs(formatFullName(person), person.email)}</p>
        <SignOut onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}

/** The newest answer was a no, or ended what was shared. */
const isOptedOut = ({ status }: EnrollmentConsent): boolean => status === 'refused' || status === 'withdrawn';

/** Whoever has just said no to apps is not asked to connect one. */
const refusedApps = ({ consents }: Enrollment): boolean =>
  consents.some((consent) => consent.consentType === 'PATIENT_DIRECTED_DATA_EXCHANGE' && isOptedOut(consent));

function formatLead(
  { consents, organization, reading }: Enrollment,
  words: Words,
  language: Language,
): string {
  const { invitation } = words;
  if (consents.length === 0) return invitation.ready(organization.name);
  if (consents.some(({ status }) => status === 'active')) return invitation.shared;
  return reading.length === 0
    ? invitation.notShared
    : invitation.notSharedHere(organization.name, quoteReadings(reading, words, language));
}

function formatDecision(
  { status, decision }: Pick<EnrollmentConsent, 'status'> & { decision: NewestDecision },
  { invitation }: Words,
  language: Language,
): string {
  if (status === 'active')
    return invitation.until(formatWhenEnds({ end: decision.expiresAt, since: decision.decidedAt }, language));
  const decided = formatDay(decision.decidedAt, language);
  return status === 'withdrawn' ? invitation.withdrawnOn(decided) : invitation.refusedOn(decided);
}

/** One consent and how the person stands; they may look at it again, and share more. */
function DecidedConsent({
  enrollment: { organization, reading, consents },
  consent,
  reopen,
}: Pick<NextStepsProps, 'enrollment' | 'reopen'> & { consent: EnrollmentConsent }) {
  const { words, language } = useLanguage();
  const { invitation } = words;
  const { consentType, status, decision } = consent;
  const { busy, run } = useTask();
  const sharesSome = consents.some((each) => each.status === 'active');
  return (
    <li className="stack">
      <p>
        <strong>{invitation.types[consentType]}</strong>
      </p>
      {decision && <p className="soft small">{formatDecision({ status, decision }, words, language)}</p>}
      {/* Where nothing is shared by these answers, the page begins with that. */}
      {isOptedOut(consent) && consentType !== 'FUTURE_DATA_USE' && sharesSome && reading.length > 0 && (
        <p className="small">
          {invitation.stillReads(organization.name, quoteReadings(reading, words, language))}
        </p>
      )}
      {decision && (
        <a className="link-alone" href={`#/my-data/receipts/${decision.consentRecordId}`}>
          {invitation.receipt}
          <span className="hidden-visually"> {invitation.types[consentType]}</span>
        </a>
      )}
      <Button variant="quiet" busy={busy} onPress={() => run(async () => reopen(consentType))}>
        <span>
          {status === 'active' ? invitation.decideAgain : invitation.lookAgain}
          <span className="hidden-visually"> {invitation.types[consentType]}</span>
        </span>
      </Button>
    </li>
  );
}
