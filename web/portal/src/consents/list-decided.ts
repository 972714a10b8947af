import type { z } from 'zod';
import type {
  EnrollmentInvitation,
  listEnrollmentRequests,
} from '../../../../contract/account/enrollments.ts';

type Asked = z.infer<(typeof listEnrollmentRequests)['response']>['enrollments'][number];

/** Leaves out the invitations of which nothing is decided: they stand among what is asked now, and nobody looks at them again. */
export const listDecided = <Invitation extends Pick<EnrollmentInvitation, 'studyId' | 'consentTypes'>>(
  invitations: readonly Invitation[],
  requests: readonly Pick<Asked, 'studyId' | 'asked'>[],
): Invitation[] =>
  invitations.filter(({ studyId, consentTypes }) => {
    const asked = requests.find((request) => request.studyId === studyId)?.asked ?? [];
    const undecided = new Set(
      asked.flatMap(({ consentType, reason }) => (reason === 'new' ? [consentType] : [])),
    );
    return undecided.size === 0 || consentTypes.some((type) => !undecided.has(type));
  });
