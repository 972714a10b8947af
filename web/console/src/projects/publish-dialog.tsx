import type { updateProject } from '../../../../contract/organization/projects.ts';
import { formatCount, formatNumber } from '../../../kit/format-number.ts';
import { Refusal } from '../../../kit/http/refusal.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { PROJECTS_TARGET } from '../frame/project-switcher.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { compareVersions } from './compare-versions.ts';
import { ComparisonView } from './comparison-view.tsx';
import { MissingTranslations } from './missing-translations.tsx';
import {
  FIGURES_TARGET,
  PROJECT_TARGET,
  type ProjectData,
  type VersionContent,
  VERSIONS_TARGET,
} from './project-data.ts';
import { useDescribeField } from './use-describe-field.ts';
import type { TextName } from './words-draft.ts';
import { useLanguage } from '../words/use-words.ts';
import { useProjectFigures } from './use-project-figures.ts';
import { useProjectWords } from './use-project-words.ts';

/** What is compared and published. */
export interface Review {
  /** The version in force when somebody asked to publish. */
  inForce: ProjectData;
  /** What they wrote, in that version. */
  next: VersionContent;
  /** The texts that a version which was published meanwhile changed in another way. */
  conflicts: readonly TextName[];
  /** The version in force was published meanwhile. */
  isNewer: boolean;
}

interface PublishDialogProps {
  review: Review;
  onPublished: (version: number | null) => void;
  /** Another version was published since the review began: it begins anew. */
  onOvertaken: () => Promise<void>;
  /** The service found faults in texts, which are shown at their fields. */
  onRefusal: (refusal: Refusal) => void;
  onClose: () => void;
}

/** Shows how the words differ from those in force, and what that means for consents, before they are published. */
export function PublishDialog({ review, onClose, ...on }: PublishDialogProps) {
  const { inForce, next } = review;
  const words = useProjectWords();
  const publish = usePublish(inForce, next);
  const version = (inForce.version ?? 0) + 1;
  const confirm = async () => {
    try {
      on.onPublished(await publish());
    } catch (error) {
      if (error instanceof Refusal && error.code === 'content_changed') return on.onOvertaken();
      // A node of the version before refuses what it does not know.
      if (error instanceof Refusal && error.errors.some(({ path }) => path === 'basedOnVersion'))
        throw new Refusal(503, 'older_node');
      if (!(error instanceof Refusal) || error.errors.length === 0) throw error;
      on.onRefusal(error);
    }
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.publishTitle(version)}
      confirm={words.publish}
      wide
      onConfirm={confirm}
      onClose={onClose}
    >
      <Overtaken {...review} />
      {inForce.version === null ? (
        <p>{words.publishFirst}</p>
      ) : (
        <>
          <p>{words.publishText}</p>
          <ConsentsKept project={inForce} />
        </>
      )}
      <MissingTranslations version={next} />
      <ComparisonView
        comparison={compareVersions(inForce, next)}
        labels={[
          inForce.version === null ? words.noVersion : words.versionNumber(inForce.version),
          words.versionNumber(version),
        ]}
        onlyChanges
      />
    </ConfirmDialog>
  );
}

/** Says that another version was published meanwhile, and what of it these words replace. */
function Overtaken({ inForce: { version }, conflicts, isNewer }: Review) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  const isShown = version !== null && (isNewer || conflicts.length > 0);
  return (
    // It comes while the review is open, too.
    <div role="alert">
      {isShown && (
        <Notice kind="warning">
          <p>{words.overtaken(version)}</p>
          {conflicts.length > 0 && (
            <>
              <p>{words.bothChanged}</p>
              <ul>
                {conflicts.map(({ field, type }) => (
                  <li key={`${type ?? ''} ${field}`}>{describeField(field, type)}</li>
                ))}
              </ul>
            </>
          )}
        </Notice>
      )}
    </div>
  );
}

/** How many consents stay with which words. */
function ConsentsKept({ project: { id, version: before } }: { project: ProjectData }) {
  const words = useProjectWords();
  const { language } = useLanguage();
  const { data } = useProjectFigures(id);
  const [figures] = data?.results ?? [];
  if (figures === undefined) return <p role="status">{data === undefined && words.counting}</p>;
  return (
    <div role="status" className="stack">
      <p>{formatCount(figures.consentsInForce, words.kept, language)}</p>
      <ul className="project-kept">
        {figures.consentsByVersion.map(({ version, consents }) => (
          <li key={version}>
            {version === null ? words.noVersion : words.versionNumber(version)}:{' '}
            {formatNumber(consents, language)}
          </li>
        ))}
      </ul>
      {before !== null && figures.consentsInForce > 0 && <p>{words.publishAgain(before)}</p>}
    </div>
  );
}

function usePublish(inForce: ProjectData, { content, consentTypes }: VersionContent) {
  const words = useProjectWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  return async () => {
    const { version } = await call<typeof updateProject>(
      'PATCH /v1/organizations/{orgId}/projects/{projectId}',
      {
        params: { projectId: inForce.id },
        body: {
          ...(content !== null && { content }),
          consentTypes: [...consentTypes],
          basedOnVersion: inForce.version,
        },
      },
    );
    await refresh(PROJECT_TARGET, PROJECTS_TARGET, VERSIONS_TARGET, FIGURES_TARGET);
    toast(words.published(version ?? 1));
    return version;
  };
}
