import type { Mail } from '../../platform/mail/mail.ts';

type Language = 'en' | 'es';

interface InvitationMail {
  to: string;
  token: string;
  expiresAt: Date;
  /** A member chooses password and factor anew. */
  isReset: boolean;
  /** Where the invited sign in, and nowhere else; null: here. */
  providerHost: string | null;
  organization: string;
  baseUrl: string;
  language: Language;
}

/**
 * Renders the mail with the link of an invitation. Its secret stands in the fragment, which the browser sends to no server, so
 * that no log holds it.
 */
export function renderInvitationMail({ to, language, ...mail }: InvitationMail): Mail {
  const isElsewhere = mail.providerHost !== null;
  const { subject, text } = WORDS[language][mail.isReset ? 'reset' : isElsewhere ? 'elsewhere' : 'invited'];
  const values: Record<string, string> = {
    organization: mail.organization,
    host: mail.providerHost ?? '',
    url: `${mail.baseUrl}/console/invitation#${mail.token}`,
    day: mail.expiresAt.toISOString().slice(0, 10),
  };
  const fill = (template: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return { to, fromName: mail.organization, subject: fill(subject), text: fill(text) };
}

const WORDS: Readonly<
  Record<Language, Record<'invited' | 'elsewhere' | 'reset', { subject: string; text: string }>>
> = {
  en: {
    invited: {
      subject: '{organization} invites you to its console',
      text: `Hello,

{organization} invites you to its Chartgate console. Follow this link to become a member; it works once, until {day}:

{url}

You choose a password there, and a second factor: a passkey, or an authenticator app.

If you do not know {organization}, ignore this mail.
`,
    },
    elsewhere: {
      subject: '{organization} invites you to its console',
      text: `Hello,

{organization} invites you to its Chartgate console. Follow this link, until {day}, and sign in with your account of {organization} at {host}:

{url}

You need no other password.

If you do not know {organization}, ignore this mail.
`,
    },
    reset: {
      subject: '{organization}: choose your password again',
      text: `Hello,

Somebody at {organization} lets you choose the password and the second factor of your Chartgate console login again. Follow this link; it works once, until {day}:

{url}

Until you do, your present password stays.

If you did not ask for it, tell the others at {organization}.
`,
    },
  },
  es: {
    invited: {
      subject: '{organization} le invita a su consola',
      text: `Hola:

{organization} le invita a su consola de Chartgate. Siga este enlace para ser miembro; vale una sola vez, hasta el {day}:

{url}

Allí elige una contraseña y un segundo factor: una llave de acceso o una aplicación de autenticación.

Si no conoce {organization}, ignore este correo.
`,
    },
    elsewhere: {
      subject: '{organization} le invita a su consola',
      text: `Hola:

{organization} le invita a su consola de Chartgate. Siga este enlace, hasta el {day}, y entre con su cuenta de {organization} en {host}:

{url}

No necesita otra contraseña.

Si no conoce {organization}, ignore este correo.
`,
    },
    reset: {
      subject: '{organization}: elija de nuevo su contraseña',
      text: `Hola:

Alguien de {organization} le permite elegir de nuevo la contraseña y el segundo factor con los que entra en la consola de Chartgate. Siga este enlace; vale una sola vez, hasta el {day}:

{url}

Hasta entonces vale su contraseña actual.

Si no lo ha pedido, avise a los demás de {organization}.
`,
    },
  },
};
