import type { Mail } from '../../platform/mail/mail.ts';

type Language = 'en' | 'es';

interface InvitationMail {
  to: string;
  token: string;
  expiresAt: Date;
  /** A member chooses password and factor anew. */
  isReset: boolean;
  organization: string;
  baseUrl: string;
  language: Language;
}

/** Renders the mail with the secret of an invitation; it names the address that accepts it, until a page does. */
export function renderInvitationMail({ to, language, ...mail }: InvitationMail): Mail {
  const { subject, text } = WORDS[language][mail.isReset ? 'reset' : 'invited'];
  const values: Record<string, string> = {
    organization: mail.organization,
    token: mail.token,
    url: `${mail.baseUrl}/console/invitations/accept`,
    day: mail.expiresAt.toISOString().slice(0, 10),
  };
  const fill = (template: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return { to, fromName: mail.organization, subject: fill(subject), text: fill(text) };
}

const WORDS: Readonly<Record<Language, Record<'invited' | 'reset', { subject: string; text: string }>>> = {
  en: {
    invited: {
      subject: '{organization} invites you to its console',
      text: `Hello,

{organization} invites you to sign in to its Chartgate console. This code makes you a member, once, until {day}:

{token}

Send it with your name and a password of at least 12 characters to {url}. Whoever runs the service for your organization can help.

If you do not know {organization}, ignore this mail.
`,
    },
    reset: {
      subject: '{organization}: choose your password again',
      text: `Hello,

Somebody at {organization} lets you choose the password and the second factor of your Chartgate console login again. This code does it, once, until {day}:

{token}

Send it with a new password of at least 12 characters to {url}. Until you do, your present password stays.

If you did not ask for it, tell the others at {organization}.
`,
    },
  },
  es: {
    invited: {
      subject: '{organization} le invita a su consola',
      text: `Hola:

{organization} le invita a iniciar sesión en su consola de Chartgate. Este código le da acceso, una sola vez, hasta el {day}:

{token}

Envíelo con su nombre y una contraseña de al menos 12 caracteres a {url}. Puede ayudarle quien administra el servicio en su organización.

Si no conoce {organization}, ignore este correo.
`,
    },
    reset: {
      subject: '{organization}: elija de nuevo su contraseña',
      text: `Hola:

Alguien de {organization} le permite elegir de nuevo la contraseña y el segundo factor con los que entra en la consola de Chartgate. Este código lo permite, una sola vez, hasta el {day}:

{token}

Envíelo con una contraseña nueva de al menos 12 caracteres a {url}. Hasta entonces vale su contraseña actual.

Si no lo ha pedido, avise a los demás de {organization}.
`,
    },
  },
};
