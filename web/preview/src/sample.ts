import type { Person } from '../../patient/account-api.ts';
import type { ReviewSubject } from '../../consent/src/review/review-subject.ts';
import type { PreviewShown } from './preview-message.ts';
import { PREVIEW_WORDS } from './words.ts';

/** Who reads the preview: nobody. */
export const SAMPLE_PERSON: Person = {
  id: '' as Person['id'],
  firstName: 'Ana',
  lastName: 'Ruiz',
  email: 'ana@example.org',
  isTestPatient: false,
};

const HOST = 'app.example';

/** Builds what the review is about: the words as they are written now, asked for by the app that is shown, by a sample app or by the organization. */
export function toReviewSubject(shown: PreviewShown): ReviewSubject {
  const { requester, organization, projectName, content, language } = shown;
  return {
    client:
      requester === 'app'
        ? {
            name: PREVIEW_WORDS[language].app,
            verifiedHost: HOST,
            redirectHost: HOST,
            onThisDevice: false,
            registeredAt: null,
            looksLike: null,
            about: null,
            knownBy: null,
            ...shown.client,
            letIn: true,
          }
        : null,
    organization,
    project: { id: '', name: projectName, purpose: null, studySnapshotId: '', content },
    previous: null,
    offlineAccess: true,
  };
}
