import type { ProjectId } from '../../../contract/brands.ts';
import { formatPersonName } from '../../../contract/account/person-name.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { MAIL_JOB, type Mail } from '../../platform/mail/mail.ts';
import type { Tx } from '../../platform/db/db.ts';
import { chooseLanguage, type MailSender } from '../organizations/mail-sender.ts';

/** `invited`: for the first time, or again; `asked-again`: to renew a decision; `ended`: they take part no more. */
export type EnrollmentNotice = 'invited' | 'asked-again' | 'ended';

/** Of the end: they had said yes; they had not, and have a page of their own; they never came. */
export type EnrollmentEnding = 'ended' | 'endedUnshared' | 'endedUnopened';

export interface EnrollmentMail {
  notice: EnrollmentNotice;
  /** Of an invitation: there is something to decide on the page that it leads to. */
  isAsking?: boolean;
  ending?: EnrollmentEnding;
  to: { email: string; firstName: string; language: string | null | undefined };
  projectId: ProjectId;
  sender: MailSender;
  consentAppUrl: string;
}

/** Enqueues a mail to an enrolled person, in the caller's transaction. */
export const enqueueEnrollmentMail = (tx: Tx, jobs: Jobs, mail: EnrollmentMail): Promise<void> =>
  jobs.enqueue<Mail>(tx, { kind: MAIL_JOB, uniqueKey: generateId(), payload: renderEnrollmentMail(mail) });

/**
 * Renders a mail in the organization's name. It says nothing about the person's health and does not name the project, whose name
 * may: only what the organization itself calls public.
 */
export function renderEnrollmentMail(mail: EnrollmentMail): Mail {
  const { notice, isAsking = true, ending = 'ended', to, projectId, sender, consentAppUrl } = mail;
  const language = chooseLanguage(to.language, sender);
  const words = WORDS[language][notice === 'ended' ? ending : notice];
  const page = notice === 'ended' ? '/#/my-data' : `/#/patient-consent/${projectId}/enrollment/link`;
  const subject = words.subject.replace('{organization}', () => sender.name);
  return {
    to: to.email,
    sentFor: { organizationId: sender.organizationId, projectId, name: notice },
    fromName: sender.name,
    subject: sender.publicName === null ? subject : `${subject}: ${sender.publicName}`,
    text: words.text
      .replace('{page}', () => PAGE[language][isAsking ? 'asking' : 'notAsking'])
      .replace('{name}', () => formatPersonName(to.firstName))
      .replaceAll('{organization}', () => sender.name)
      .replace('{link}', () => consentAppUrl + page)
      .replace('{contact}', () => formatContact(sender, language)),
  };
}

/** Returns the line that says who answers questions; empty where the organization names nobody. */
function formatContact({ contact }: MailSender, language: 'en' | 'es'): string {
  const ways = [contact?.name, contact?.phone, contact?.email].filter(Boolean);
  if (ways.length === 0) return '';
  return `${language === 'es' ? '¿Preguntas?' : 'Questions?'} ${ways.join(', ')}\n\n`;
}

/** What an invitation says of the page that it leads to. */
const PAGE = {
  en: {
    asking:
      'This page tells you what is asked for and lets you decide. You share nothing unless you say yes there, and you can take it back at any time:',
    notAsking:
      'This page shows you how to take part. It asks you for no decision now, and you share nothing by opening it:',
  },
  es: {
    asking:
      'En esta página verá lo que se le pide y podrá decidir. No comparte nada si no acepta allí, y puede cambiar de opinión en cualquier momento:',
    notAsking:
      'En esta página verá cómo participar. Por ahora no se le pide ninguna decisión, y no comparte nada al abrirla:',
  },
} as const;

interface Words {
  subject: string;
  text: string;
}

const WORDS: Readonly<Record<'en' | 'es', Readonly<Record<EnrollmentNotice | EnrollmentEnding, Words>>>> = {
  en: {
    invited: {
      subject: '{organization} invites you',
      text: `Hello {name},

{organization} invites you to take part in one of its projects.

{page}

{link}

Create an account there with the address that this mail came to, or sign in if you have one.

{contact}If you did not expect this message, you can ignore it.
`,
    },
    'asked-again': {
      subject: '{organization} asks you to decide again',
      text: `Hello {name},

{organization} asks you for a decision: what it tells you has changed, it asks for something new, or your earlier yes ends soon.

This page shows you what is different and lets you decide:

{link}

Until then nothing changes: what you share goes on until the day you chose, and nothing new is shared.

{contact}You can see and stop what you share on your own page at any time.
`,
    },
    ended: {
      subject: '{organization}: you no longer take part',
      text: `Hello {name},

{organization} has ended your part in one of its projects. It can no longer read your health record for it.

Your record stays yours. You find it, and your decisions, on your own page:

{link}

{contact}You need not do anything.
`,
    },
    endedUnshared: {
      subject: '{organization}: you no longer take part',
      text: `Hello {name},

{organization} has ended your part in one of its projects. You had not said yes to it, so it could not read your health record for it.

Whatever is yours here stays on your own page:

{link}

{contact}You need not do anything.
`,
    },
    endedUnopened: {
      subject: '{organization}: you no longer take part',
      text: `Hello {name},

{organization} has ended your part in one of its projects. You had decided nothing, so nothing of yours was shared for it. The
invitation to it no longer counts.

{contact}You need not do anything.
`,
    },
  },
  es: {
    invited: {
      subject: '{organization} le invita',
      text: `Hola, {name}:

{organization} le invita a participar en uno de sus proyectos.

{page}

{link}

Cree allí una cuenta con la dirección en la que recibió este mensaje, o inicie sesión si ya tiene una.

{contact}Si no esperaba este mensaje, puede ignorarlo.
`,
    },
    'asked-again': {
      subject: '{organization} le pide que decida de nuevo',
      text: `Hola, {name}:

{organization} le pide una decisión: ha cambiado lo que le cuenta, pide algo nuevo o su sí anterior termina pronto.

En esta página verá qué es distinto y podrá decidir:

{link}

Hasta entonces no cambia nada: lo que comparte sigue hasta el día que usted eligió, y no se comparte nada nuevo.

{contact}En su propia página puede ver y detener en cualquier momento lo que comparte.
`,
    },
    ended: {
      subject: '{organization}: ya no participa',
      text: `Hola, {name}:

{organization} ha puesto fin a su participación en uno de sus proyectos. Ya no puede leer para él su historial de salud.

Su historial sigue siendo suyo. Lo encontrará, junto con sus decisiones, en su propia página:

{link}

{contact}No tiene que hacer nada.
`,
    },
    endedUnshared: {
      subject: '{organization}: ya no participa',
      text: `Hola, {name}:

{organization} ha puesto fin a su participación en uno de sus proyectos. Usted no lo había aceptado, así que no podía leer para él su
historial de salud.

Lo que sea suyo aquí sigue en su propia página:

{link}

{contact}No tiene que hacer nada.
`,
    },
    endedUnopened: {
      subject: '{organization}: ya no participa',
      text: `Hola, {name}:

{organization} ha puesto fin a su participación en uno de sus proyectos. Usted no había decidido nada, así que no se compartió nada
suyo para él. La invitación ya no vale.

{contact}No tiene que hacer nada.
`,
    },
  },
};
