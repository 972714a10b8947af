import type { updateProject } from '../../../../contract/organization/projects.ts';
import { Checkbox } from '../../../kit/choice.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { PROJECTS_TARGET } from '../frame/project-switcher.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { PROJECT_TARGET, type ProjectData } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';

/** Which apps may ask for consent: all, or those that the organization vouches for. */
export function AppSwitch({ project: { id, onlyVouchedApps } }: { project: ProjectData }) {
  const words = useProjectWords();
  const mayWrite = usePermission('projects.write');
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const { busy, refusal, run } = useTask();
  const change = async (only: boolean) => {
    await call<typeof updateProject>('PATCH /v1/organizations/{orgId}/projects/{projectId}', {
      params: { projectId: id },
      body: { onlyVouchedApps: only },
    });
    await refresh(PROJECT_TARGET, PROJECTS_TARGET);
    toast(only ? words.onlyVouchedNow : words.anyAppNow);
  };
  return (
    <Section title={words.appsTitle}>
      {mayWrite ? (
        <Checkbox
          label={words.onlyVouched}
          hint={words.onlyVouchedHint}
          checked={onlyVouchedApps}
          onChange={(only) => {
            if (!busy) run(() => change(only));
          }}
        />
      ) : (
        <p>{onlyVouchedApps ? words.onlyVouchedNow : words.anyAppNow}</p>
      )}
      {refusal && <RefusalNotice refusal={refusal} />}
    </Section>
  );
}
