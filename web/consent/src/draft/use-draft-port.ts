import { useMemo } from 'react';
import type { EnrollmentConsent } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import type { DraftPort } from './draft-port.ts';

/** The draft of what an app requests. */
export function useRequestDraft(requestId: string): DraftPort {
  const { api } = useAppDeps();
  return useMemo(
    () => ({
      review: requestId,
      save: (body) => api.saveInteractionDraft(requestId, body),
      addScreen: (body) => api.addInteractionScreen(requestId, body),
    }),
    [api, requestId],
  );
}

/** The draft of one consent that an organization asks for. */
export function useEnrollmentDraft(
  studyId: string,
  consentType: EnrollmentConsent['consentType'],
): DraftPort {
  const { api } = useAppDeps();
  return useMemo(
    () => ({
      review: `${studyId} ${consentType}`,
      save: (body) => api.saveEnrollmentDraft(studyId, { ...body, consentType }),
      addScreen: (body) => api.addEnrollmentScreen(studyId, { ...body, consentType }),
    }),
    [api, studyId, consentType],
  );
}
