import type { updateProject } from '../../../../contract/organization/projects.ts';
import { formatCount, formatNumber } from '../../../kit/format-number.ts';
import { Refusal } from '../../../kit/http/refusal.ts';
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
import { useLanguage } from '../words/use-words.ts';
import { useProjectFigures } from './use-project-figures.ts';
import { useProjectWords } from './use-project-words.ts';

interface PublishDialogProps {
  inForce: ProjectData;
  next: VersionContent;
  /** The service found faults in texts, which are shown at their fields. */
  onRefusal: (refusal: Refusal) => void;
  onClose: () => void;
}

/** Shows how the words differ from those in force, and what that means for consents, before they are published. */
export function PublishDialog({ inForce, next, onRefusal, onClose }: PublishDialogProps) {
  const words = useProjectWords();
  const publish = usePublish(inForce, next);
  const version = (inForce.version ?? 0) + 1;
  const confirm = async () => {
    try {
      await publish();
    } catch (error) {
      if (!(error instanceof Refusal) || error.errors.length === 0) throw error;
      onRefusal(error);
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
        body: { ...(content !== null && { content }), consentTypes: [...consentTypes] },
      },
    );
    await refresh(PROJECT_TARGET, PROJECTS_TARGET, VERSIONS_TARGET, FIGURES_TARGET);
    toast(words.published(version ?? 1));
  };
}
