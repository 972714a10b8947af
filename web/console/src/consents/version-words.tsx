import type { ConsentRecord } from '../../../../contract/organization/consent-records.ts';
import type { listProjectVersions } from '../../../../contract/organization/projects.ts';
import { useData } from '../api/use-data.ts';
import { States } from '../kit/states.tsx';
import { useConsentWords } from './use-consent-words.ts';

const MAX_VERSIONS = 1000;

/** What the patient read, in the words of that version and, where it has them, in the language of the page. */
export function VersionWords({ record }: { record: ConsentRecord }) {
  const { detail } = useConsentWords();
  const versions = useData<typeof listProjectVersions>(
    'GET /v1/organizations/{orgId}/projects/{projectId}/versions',
    { params: { projectId: record.studyId }, query: { limit: MAX_VERSIONS } },
  );
  return (
    <States query={versions}>
      {({ results }) => {
        const version = results.find(({ studySnapshotId }) => studySnapshotId === record.studySnapshotId);
        const own = version?.consentTypes.find(({ type }) => type === record.consentType)?.content;
        const content = own ?? version?.content;
        const language = record.language === 'es' && content?.es ? 'es' : content?.en ? 'en' : 'es';
        const text = content?.[language];
        if (!text) return <p className="soft">{detail.noWords}</p>;
        const parts = [
          [detail.contentTitle, text.title],
          [detail.purpose, text.purpose],
          [detail.benefits, text.benefits],
          [detail.risks, text.risks],
        ] as const;
        return (
          <dl className="facts-wide">
            {parts.map(([header, value]) =>
              value === null ? null : (
                <div key={header} className="fact">
                  <dt>{header}</dt>
                  <dd lang={language} className="version-text">
                    {value}
                  </dd>
                </div>
              ),
            )}
          </dl>
        );
      }}
    </States>
  );
}
