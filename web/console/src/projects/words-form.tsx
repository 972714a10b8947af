import { type SubmitEvent, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { useTask } from '../../../kit/task.ts';
import { Busy } from '../../../kit/busy.tsx';
import type { getProject } from '../../../../contract/organization/projects.ts';
import { useConsole } from '../api/use-console.ts';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useWords } from '../words/use-words.ts';
import { compareVersions } from './compare-versions.ts';
import { buildContent } from './content-fields.ts';
import { CategorySection, ContactSection, TextSection } from './content-sections.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { LegalElements } from './legal-elements.tsx';
import { OwnWords } from './own-words.tsx';
import { CONSENT_TYPES, PROJECT_TARGET, type ProjectData, type VersionContent } from './project-data.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { useProjectWords } from './use-project-words.ts';
import { useWordsForm, type WordsDraft, type WordsFormState } from './use-words-form.ts';
import './projects.css';

/** What is compared and published: the version in force when somebody asked to publish, and what they wrote. */
interface Review {
  inForce: ProjectData;
  next: VersionContent;
}

/** The words for patients, in two languages side by side. Publishing shows first what changes. */
export function WordsForm({ project }: { project: ProjectData }) {
  const words = useProjectWords();
  const { common } = useWords();
  const [review, setReview] = useState<Review | null>(null);
  const { busy, refusal, run } = useTask();
  const startReview = useStartReview(project, setReview);
  const form = useWordsForm(project, (draft) => run(() => startReview(draft)));
  const { errors, attempt, draft } = form;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy) form.onSubmit();
  };
  return (
    <>
      <form className="project-words" noValidate onSubmit={submit}>
        {errors.length > 0 && <ErrorSummary key={attempt} errors={errors} title={common.problem} />}
        <TextSection form={form} />
        <CategorySection form={form} />
        <ContactSection form={form} />
        <TypeSection form={form} project={project} />
        <LegalElements texts={draft.texts} />
        {refusal && <RefusalNotice refusal={refusal} />}
        <div>
          <Button type="submit" variant="strong" busy={busy}>
            {words.review}
          </Button>
          <Busy busy={busy} text={common.oneMoment} />
        </div>
      </form>
      <LeaveGuard isChanged={compareVersions(project, buildNext(project, draft)).isChanged} />
      {review && <PublishDialog {...review} onRefusal={form.showRefusal} onClose={() => setReview(null)} />}
    </>
  );
}

/** Words of a consent's own are kept as they are. */
const buildNext = (project: VersionContent, { texts, types }: WordsDraft): VersionContent => ({
  content: buildContent(texts),
  consentTypes: types.map((type) => ({
    type,
    content: project.consentTypes.find((asked) => asked.type === type)?.content ?? null,
  })),
});

/** Asks what is in force now: a colleague may have published since the page was loaded. */
function useStartReview(project: ProjectData, onReview: (review: Review) => void) {
  const words = useProjectWords();
  const { call } = useConsole();
  const toast = useToast();
  return async (draft: WordsDraft) => {
    const inForce = await call<typeof getProject>(PROJECT_TARGET, { params: { projectId: project.id } });
    const next = buildNext(inForce, draft);
    if (compareVersions(inForce, next).isChanged) onReview({ inForce, next });
    else toast(words.unchanged);
  };
}

function TypeSection({ form, project }: { form: WordsFormState; project: ProjectData }) {
  const words = useProjectWords();
  return (
    <Section title={words.typesTitle}>
      <p className="soft">{words.typesLead}</p>
      <div className="stack">
        {CONSENT_TYPES.map((type) => (
          <Checkbox
            key={type}
            label={words.types[type]}
            checked={form.draft.types.includes(type)}
            onChange={(isAsked) => form.toggleType(type, isAsked)}
          />
        ))}
      </div>
      <OwnWords project={project} />
    </Section>
  );
}
