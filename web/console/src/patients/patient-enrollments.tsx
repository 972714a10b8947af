import { useState } from 'react';
import type { endEnrollment, sendInvitation } from '../../../../contract/organization/enrolled-patient.ts';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { formatScope } from '../consents/format-scope.ts';
import { Parts } from '../consents/parts.tsx';
import { useConsentWords } from '../consents/use-consent-words.ts';
import { Badge } from '../kit/badge.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { PATIENT_TARGET, PATIENTS_TARGET, type PatientData } from './patient-data.ts';
import { isOver, StateBadge } from './patient-name.tsx';
import { usePatientWords } from './use-patient-words.ts';

type Enrollment = PatientData['enrollments'][number];

/** The projects of a patient, how far they have come with each, and what may be done about it. */
export function EnrollmentSection({ patient }: { patient: PatientData }) {
  const { details: words, columns } = usePatientWords();
  return (
    <Section title={words.enrollments}>
      <ul className="stack">
        {patient.enrollments.map((enrollment) => (
          <li key={enrollment.project.id} className="stack">
            <p>
              <strong>{enrollment.project.name}</strong> <StateBadge state={enrollment.state} />
            </p>
            <dl className="facts">
              {enrollment.externalId !== null && (
                <>
                  <dt>{columns.externalId}</dt>
                  <dd>{enrollment.externalId}</dd>
                </>
              )}
              {STEPS.map((step) => {
                const time = enrollment[step];
                if (time === null) return null;
                return [
                  <dt key={step}>{words.steps[step]}</dt>,
                  <dd key={`${step}-time`}>
                    <ExactTime time={time} />
                  </dd>,
                ];
              })}
            </dl>
            <EnrollmentActions {...{ patient, enrollment }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const STEPS = ['enrolledAt', 'invitedAt', 'openedAt', 'accountAt', 'decidedAt'] as const;

interface ActionProps {
  patient: PatientData;
  enrollment: Enrollment;
}

function useEnrollmentCalls({ patient, enrollment }: ActionProps) {
  const { details: words } = usePatientWords();
  const {
    words: { mails },
  } = useLanguage();
  const { call, keepsMails } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const params = { projectId: enrollment.project.id, patientId: patient.patientId };
  return {
    resend: async () => {
      await call<typeof sendInvitation>('POST /v1/projects/{projectId}/patients/{patientId}/invitation', {
        params,
      });
      toast(keepsMails ? mails.toast(patient.email ?? '') : words.resent);
      await refresh(PATIENTS_TARGET);
    },
    end: async () => {
      await call<typeof endEnrollment>('DELETE /v1/projects/{projectId}/patients/{patientId}', { params });
      toast(words.ended);
      await refresh(PATIENTS_TARGET, PATIENT_TARGET);
    },
  };
}

function EnrollmentActions({ patient, enrollment }: ActionProps) {
  const { details: words } = usePatientWords();
  const mayEnroll = usePermission('patients.enroll');
  const { busy, refusal, run } = useTask();
  const [isEnding, setIsEnding] = useState(false);
  const { resend, end } = useEnrollmentCalls({ patient, enrollment });
  if (!mayEnroll || isOver(enrollment.state)) return null;
  return (
    <>
      {refusal && (
        <RefusalNotice
          refusal={refusal}
          texts={{ too_many_mails: words.tooMany, test_patient: words.testPatient }}
        />
      )}
      <div className="page-actions">
        {!patient.isTestPatient && (
          <Button busy={busy} onPress={() => run(resend)}>
            {words.resend}
          </Button>
        )}
        <Button variant="quiet" onPress={() => setIsEnding(true)}>
          {words.end}
        </Button>
      </div>
      {isEnding && (
        <ConfirmDialog
          title={words.endTitle}
          confirm={words.end}
          danger
          onConfirm={() => end().then(() => setIsEnding(false))}
          onClose={() => setIsEnding(false)}
        >
          <p>{words.endLead(enrollment.project.name)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** What a patient has decided. */
export function ConsentSection({ patient }: { patient: PatientData }) {
  const { details: words } = usePatientWords();
  const scopeWords = useConsentWords();
  const { language } = useLanguage();
  const maySeeEvidence = usePermission('evidence.read');
  return (
    <Section title={words.consents}>
      {patient.consents.length === 0 ? (
        <p className="soft">{words.noConsents}</p>
      ) : (
        <ul className="stack">
          {patient.consents.map((consent) => (
            <li key={consent.consentRecordId} className="stack">
              <p>
                <strong>{words.consentTypes[consent.consentType]}</strong> · {consent.project.name}{' '}
                <Badge kind={consent.isInForce ? 'good' : 'danger'}>
                  {consent.isInForce ? words.inForce : words.notInForce}
                </Badge>
              </p>
              <dl className="facts">
                <dt>{words.decided}</dt>
                <dd>
                  <ExactTime time={consent.decidedAt} />{' '}
                  {maySeeEvidence && (
                    <PageLink to={`/consents/${consent.consentRecordId}`}>{words.evidenceOfConsent}</PageLink>
                  )}
                </dd>
                {consent.isInForce && (
                  <>
                    <dt>{words.covers}</dt>
                    <dd>{formatScope(consent, scopeWords, language)}</dd>
                    <dt>{words.until}</dt>
                    <dd>
                      {consent.parts ? (
                        <Parts parts={consent.parts} Time={ExactTime} />
                      ) : (
                        <ExactTime time={consent.expirationTimestamp} />
                      )}
                    </dd>
                  </>
                )}
              </dl>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
