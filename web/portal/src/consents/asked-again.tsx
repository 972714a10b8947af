import { Section } from '../../../patient/section.tsx';
import type { EnrollmentRequest } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { usePersonQuery, type PersonProps } from '../person-query.ts';
import { useWords } from '../words/use-words.ts';

/** Organizations that ask for a decision now: a new one, or one again. Nothing is shown where none does. */
export function AskedAgain(props: PersonProps) {
  const { api } = useAppDeps();
  const { query } = usePersonQuery(api.listEnrollmentRequests, props);
  // A failure to load is shown by the sections below, which load as this one does.
  if (query.state !== 'loaded' || query.data.enrollments.length === 0) return null;
  return <Requests requests={query.data.enrollments} />;
}

function Requests({ requests }: { requests: EnrollmentRequest[] }) {
  const { asked } = useWords().myData;
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

function Request({ request: { studyId, organization, asked: consents } }: { request: EnrollmentRequest }) {
  const { asked } = useWords().myData;
  const reasons = [...new Set(consents.map(({ reason }) => reason))];
  return (
    <li className="stack">
      <h3>{organization.name}</h3>
      {reasons.map((reason) => (
        <p key={reason}>{asked.reasons[reason]}</p>
      ))}
      <a className="button button-strong" href={`#/patient-consent/${studyId}/enrollment/link`}>
        {asked.look(organization.name)}
      </a>
    </li>
  );
}
