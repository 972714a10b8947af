import { useNavigate } from '@tanstack/react-router';
import type { createProject, updateProject } from '../../../../contract/organization/projects.ts';
import { MAX_PLAIN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { PROJECTS_TARGET } from '../frame/project-switcher.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useForm } from '../kit/use-form.ts';
import { useWords } from '../words/use-words.ts';
import { PROJECT_TARGET, type ProjectData } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';

/** Creates a project by its name, and leads to where its words are written. */
export function CreateProjectDialog({ onClose }: { onClose: () => void }) {
  const words = useProjectWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const send = async (name: string) => {
    const { id } = await call<typeof createProject>('POST /v1/organizations/{orgId}/projects', {
      body: { name },
    });
    await refresh(PROJECTS_TARGET);
    onClose();
    await navigate({ to: `/projects/${id}` });
  };
  return (
    <Dialog title={words.create} onClose={onClose}>
      <p>{words.createText}</p>
      <NameForm submit={words.create} send={send} />
    </Dialog>
  );
}

interface RenameProps {
  project: Pick<ProjectData, 'id' | 'name'>;
  onClose: () => void;
}

/** Changes the name, which the organization alone reads: no version comes of it. */
export function RenameProjectDialog({ project, onClose }: RenameProps) {
  const words = useProjectWords();
  const { common } = useWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const send = async (name: string) => {
    await call<typeof updateProject>('PATCH /v1/organizations/{orgId}/projects/{projectId}', {
      params: { projectId: project.id },
      body: { name },
    });
    await refresh(PROJECTS_TARGET, PROJECT_TARGET);
    toast(words.renamed(name));
    onClose();
  };
  return (
    <Dialog title={words.renameTitle(project.name)} onClose={onClose}>
      <NameForm initial={project.name} submit={common.save} send={send} />
    </Dialog>
  );
}

interface NameFormProps {
  initial?: string;
  submit: string;
  send: (name: string) => Promise<void>;
}

function NameForm({ initial = '', submit, send }: NameFormProps) {
  const words = useProjectWords();
  const validate = (name: string) => {
    if (name.trim() === '') return words.nameMissing;
    return name.trim().length > MAX_PLAIN_NAME_LENGTH ? words.nameLong : null;
  };
  const { form, field } = useForm({
    validators: { name: validate },
    initial: { name: initial },
    send: ({ name }) => send(name.trim()),
  });
  return (
    <Form {...form} submit={submit}>
      <Field
        {...field('name')}
        label={words.name}
        hint={words.nameHint}
        autoComplete="off"
        maxLength={null}
      />
    </Form>
  );
}
