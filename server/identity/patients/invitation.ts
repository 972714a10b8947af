import type { EnrollmentEntry } from '../../../contract/organization/enrollment.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { MAIL_JOB, type Mail } from '../../platform/mail/mail.ts';
import type { Tx } from '../../platform/db/db.ts';

interface Invitation {
  entry: EnrollmentEntry;
  project: { projectId: ProjectId; name: string };
  consentAppUrl: string;
}

/** Queues the mail that invites an enrolled person to the consent page; the mail says nothing about their health. */
export async function inviteToProject(
  tx: Tx,
  jobs: Jobs,
  { entry, project, consentAppUrl }: Invitation,
): Promise<void> {
  const link = `${consentAppUrl}/#/patient-consent/${project.projectId}/enrollment/link`;
  const words = entry.languagePreference?.toLowerCase().startsWith('es') ? SPANISH : ENGLISH;
  await jobs.enqueue<Mail>(tx, {
    kind: MAIL_JOB,
    uniqueKey: generateId(),
    payload: {
      to: entry.email,
      subject: words.subject.replace('{project}', () => project.name),
      text: words.text
        .replace('{name}', () => entry.firstName)
        .replace('{project}', () => project.name)
        .replace('{link}', () => link),
    },
  });
}

const ENGLISH = {
  subject: 'You are invited: {project}',
  text: `Hello {name},

You are invited to take part in {project}.

This page tells you what is asked for and lets you decide. You share nothing unless you say yes there, and you can take it back at any time:

{link}

If you did not expect this message, you can ignore it.
`,
};

const SPANISH = {
  subject: 'Le invitamos: {project}',
  text: `Hola, {name}:

Le invitamos a participar en {project}.

En esta página verá lo que se le pide y podrá decidir. No comparte nada si no acepta allí, y puede cambiar de opinión en cualquier momento:

{link}

Si no esperaba este mensaje, puede ignorarlo.
`,
};
