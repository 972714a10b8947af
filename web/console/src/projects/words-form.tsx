import { type SubmitEvent, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { useTask } from '../../../kit/task.ts';
import { Busy } from '../../../kit/busy.tsx';
import type { getProject } from '../../../../contract/organization/projects.ts';
import { useConsole } from '../api/use-console.ts';
import { LeaveGuard } from '../kit/leave-guard.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useWords } from '../words/use-words.ts';
import { compareVersions } from './compare-versions.ts';
import { CategorySection, ContactSection, TextSection } from './content-sections.tsx';
import { LegalElements } from './legal-elements.tsx';
import { TypeSection } from './own-words.tsx';
import type { Device } from './preview/preview-frame.tsx';
import { PreviewPanel } from './preview/preview-panel.tsx';
import { PROJECT_TARGET, type ProjectData } from './project-data.ts';
import { PublishDialog, type Review } from './publish-dialog.tsx';
import { useProjectWords } from './use-project-words.ts';
import { useWordsForm, type WordsFormState } from './use-words-form.ts';
import { buildVersion, type WordsDraft } from './words-draft.ts';
import './projects.css';

/** The words for patients in two languages, beside the page that they are on. Publishing shows first what changes. */
export function WordsForm({ project }: { project: ProjectData }) {
  const words = useProjectWords();
  const { common } = useWords();
  const [review, setReview] = useState<Review | null>(null);
  const { busy, refusal, run } = useTask();
  const startReview = useStartReview(project, setReview);
  const form = useWordsForm(project);
  const { errors, attempt } = form;
  const written = buildVersion(form.draft);
  const [device, setDevice] = useState<Device>('phone');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy && form.check(form.draft)) run(() => startReview(form, form.draft));
  };
  return (
    <div className={`project-editor project-editor-${device}`}>
      <form className="project-words" noValidate onSubmit={submit}>
        <ErrorSummary {...{ errors, attempt }} title={common.problem} />
        <TextSection form={form} />
        <CategorySection form={form} />
        <ContactSection form={form} />
        <TypeSection form={form} />
        <LegalElements version={written} />
        {refusal && <RefusalNotice refusal={refusal} />}
        <div>
          <Button type="submit" variant="strong" busy={busy}>
            {words.review}
          </Button>
          <Busy busy={busy} text={common.oneMoment} />
        </div>
      </form>
      <div className="project-preview">
        <PreviewPanel written={written} projectName={project.name} {...{ device }} onDevice={setDevice} />
      </div>
      <LeaveGuard isUnfinished={compareVersions(buildVersion(form.base), written).isChanged} words={words} />
      {review && (
        <PublishDialog
          review={review}
          onPublished={(version) => form.settle(review.next, version)}
          onOvertaken={() => startReview(form, form.draft)}
          onRefusal={form.showRefusal}
          onClose={() => setReview(null)}
        />
      )}
    </div>
  );
}

/** Asks what is in force now: what a colleague has published since the page was loaded stays, where it was not changed here too. */
function useStartReview(project: ProjectData, onReview: (review: Review | null) => void) {
  const words = useProjectWords();
  const { call } = useConsole();
  const toast = useToast();
  return async (form: WordsFormState, draft: WordsDraft) => {
    const inForce = await call<typeof getProject>(PROJECT_TARGET, { params: { projectId: project.id } });
    const { draft: merged, conflicts, isNewer } = form.rebase(inForce, draft);
    const next = buildVersion(merged);
    const { isChanged } = compareVersions(inForce, next);
    // Two halves without a fault may have one together: a text in a language whose title the other took out.
    const isSound = !isNewer || form.check(merged);
    onReview(isChanged && isSound ? { inForce, next, conflicts, isNewer } : null);
    if (!isChanged) toast(words.unchanged);
    else if (!isSound) toast(words.overtaken(inForce.version ?? 0));
  };
}
