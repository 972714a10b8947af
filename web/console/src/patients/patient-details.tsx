import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { getPatient } from '../../../../contract/organization/patients.ts';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { buildQueryKey } from '../api/use-data.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { Id } from '../kit/copy-button.tsx';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Page, Section } from '../kit/page.tsx';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { CorrectPatient } from './correct-patient.tsx';
import { PATIENT_TARGET, type PatientData } from './patient-data.ts';
import { formatName, isOver } from './patient-name.tsx';
import { ConsentSection, EnrollmentSection } from './patient-enrollments.tsx';
import { SourceSection, TimelineSection, UploadSection, WebhookSection } from './patient-history.tsx';
import { usePatientWords } from './use-patient-words.ts';

/** Whose details this tab has shown: nobody is asked twice. */
const shown = new Set<string>();

/** One patient. Each look is an entry of the patient's log, so it is loaded by a press, once, and never by itself. */
export function PatientDetails() {
  const { details: words } = usePatientWords();
  const patientId = usePathParameter('patientId');
  const { call } = useConsole();
  const gone = useGone(patientId);
  const [isShown, setIsShown] = useState(shown.has(patientId));
  const query = useQuery({
    queryKey: buildQueryKey(PATIENT_TARGET, { patientId }),
    queryFn: () => call<typeof getPatient>(PATIENT_TARGET, { params: { patientId } }),
    enabled: isShown,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
  const above = (
    <p>
      <PageLink to="/patients">{words.back}</PageLink>
    </p>
  );
  if (!isShown) {
    const show = () => {
      shown.add(patientId);
      setIsShown(true);
    };
    return <Unopened above={above} onShow={show} />;
  }
  const title = (query.data && formatName(query.data)) ?? words.unnamed;
  return (
    <Page
      name="patient"
      title={title}
      above={above}
      lead={words.seen}
      actions={<PatientAsCurl patientId={patientId} />}
    >
      <States query={query} gone={gone}>
        {(patient) => <Details patient={patient} />}
      </States>
    </Page>
  );
}

function Unopened({ above, onShow }: { above: ReactNode; onShow: () => void }) {
  const { details: words } = usePatientWords();
  return (
    <Page name="patient-before" title={words.unopened} above={above}>
      <Notice>
        <p>{words.before}</p>
      </Notice>
      <div>
        <Button variant="strong" onPress={onShow}>
          {words.show}
        </Button>
      </div>
    </Page>
  );
}

function PatientAsCurl({ patientId }: { patientId: string }) {
  const curl = useCurl();
  return <AsCurl command={curl<typeof getPatient>(PATIENT_TARGET, { params: { patientId } })} />;
}

/** What stays of somebody who is not there: the evidence of what they decided. */
function useGone(patientId: string) {
  const { details: words } = usePatientWords();
  const mayRead = usePermission('consents.read');
  const evidence = (
    <PageLink to="/consents" search={{ patientId }}>
      {words.evidence}
    </PageLink>
  );
  return { title: words.goneTitle, text: words.goneText, ...(mayRead && { action: evidence }) };
}

function Details({ patient }: { patient: PatientData }) {
  const { details: words, ...all } = usePatientWords();
  const mayEnroll = usePermission('patients.enroll');
  const [isCorrecting, setIsCorrecting] = useState(false);
  const current = patient.enrollments.find(({ state }) => !isOver(state));
  const isGone = patient.enrollments.every(({ state }) => state === 'deleted');
  const actions = mayEnroll && current && (
    <Button onPress={() => setIsCorrecting(true)}>{words.correct}</Button>
  );
  return (
    <div className="page">
      {isGone && (
        <Notice>
          <p>{words.gone}</p>
        </Notice>
      )}
      <Section title={words.identity} actions={actions || undefined}>
        <dl className="facts">
          <dt>{all.columns.name}</dt>
          <dd>
            {formatName(patient) ??
              (patient.enrollments.some(({ state }) => isOver(state)) ? '–' : all.byApp)}
          </dd>
          <dt>{all.columns.email}</dt>
          <dd>{patient.email}</dd>
          <dt>{words.phones}</dt>
          <dd>{patient.phones.join(', ') || '–'}</dd>
          <dt>{words.id}</dt>
          <dd>
            <Id id={patient.patientId} subject={words.id} />
          </dd>
        </dl>
      </Section>
      <EnrollmentSection patient={patient} />
      <ConsentSection patient={patient} />
      <UploadSection patient={patient} />
      <SourceSection patient={patient} />
      <WebhookSection patient={patient} />
      <TimelineSection patient={patient} />
      {isCorrecting && current && (
        <CorrectPatient {...{ patient, current }} onClose={() => setIsCorrecting(false)} />
      )}
    </div>
  );
}
