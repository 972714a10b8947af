import {
  localizeContent,
  type LocalizedContent,
  type LocalizedText,
} from '../../../../contract/organization/localize-content.ts';
import type { ConsentRecord } from '../../../../contract/organization/consent-records.ts';
import type { listProjectVersions } from '../../../../contract/organization/projects.ts';
import { useData } from '../api/use-data.ts';
import { States } from '../kit/states.tsx';
import { listCategories } from './format-scope.ts';
import { useConsentWords } from './use-consent-words.ts';

const MAX_VERSIONS = 1000;

/** What the patient read, in the words of that version: each text in the language of the page, where it has it. */
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
        const language = record.language === 'es' ? 'es' : 'en';
        const content = localizeContent(own ?? version?.content ?? null, language);
        return content === null ? <p className="soft">{detail.noWords}</p> : <Texts content={content} />;
      }}
    </States>
  );
}

function Texts({ content }: { content: LocalizedContent }) {
  const words = useConsentWords();
  const { detail, categories } = words;
  const parts: readonly (readonly [string, LocalizedText | null | undefined])[] = [
    [detail.contentTitle, content.title],
    [detail.purpose, content.purpose],
    [detail.benefits, content.benefits],
    [detail.risks, content.risks],
    ...listCategories(words).map(
      (category) => [detail.neededFor(categories[category]), content.categoryPurposes.get(category)] as const,
    ),
  ];
  return (
    <dl className="facts-wide">
      {parts.map(([header, text]) =>
        text ? (
          <div key={header} className="fact">
            <dt>{header}</dt>
            <dd lang={text.lang} className="version-text">
              {text.text}
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
