import type { MailSender } from '../organizations/mail-sender.ts';
import type { Mail } from '../../platform/mail/mail.ts';

export type Language = 'en' | 'es';

interface LinkMail {
  to: string;
  url: string;
  language: Language;
  hasPassword: boolean;
  /** The organization that the person came for; null: none that we know of. */
  sender: MailSender | null;
}

/**
 * Renders the mail with an account link. Only this mail, hence only the owner of the address, reveals whether there is
 * an account; it names no project and no client.
 */
export function renderLinkMail({ to, url, language, hasPassword, sender }: LinkMail): Mail {
  const { subject, text } = WORDS[language][hasPassword ? 'newPassword' : 'newAccount'];
  const reason = sender ? REASON[language].replace('{organization}', () => sender.name) : '';
  return {
    to,
    ...(sender && { fromName: sender.name }),
    subject,
    text: text.replace('{reason}', () => reason).replace('{link}', () => url),
  };
}

const REASON: Readonly<Record<Language, string>> = {
  en: ' You need it to answer {organization}.',
  es: ' La necesita para responder a {organization}.',
};

interface Words {
  subject: string;
  text: string;
}

const WORDS: Readonly<Record<Language, { newAccount: Words; newPassword: Words }>> = {
  en: {
    newAccount: {
      subject: 'Create your account',
      text: `Hello,

Create your account with this link and choose your password.{reason}

{link}

The link works once, for 24 hours. Do not pass it on.

If you did not ask for it, you can ignore this message: nothing happens unless the link is used.
`,
    },
    newPassword: {
      subject: 'Your account: choose a new password',
      text: `Hello,

You, or somebody who entered your e-mail address, asked for a link. You already have an account: you can just sign in with your password.

If you have forgotten it, choose a new one with this link:

{link}

The link works once, for one hour. Do not pass it on.

If it was not you, you can ignore this message: your password stays as it is.
`,
    },
  },
  es: {
    newAccount: {
      subject: 'Cree su cuenta',
      text: `Hola:

Cree su cuenta con este enlace y elija su contraseña.{reason}

{link}

El enlace funciona una sola vez, durante 24 horas. No lo comparta con nadie.

Si no lo ha pedido usted, puede ignorar este mensaje: no ocurre nada si no se usa el enlace.
`,
    },
    newPassword: {
      subject: 'Su cuenta: elija una contraseña nueva',
      text: `Hola:

Usted, o alguien que escribió su dirección de correo, ha pedido un enlace. Ya tiene una cuenta: puede iniciar sesión con su contraseña.

Si la ha olvidado, elija una nueva con este enlace:

{link}

El enlace funciona una sola vez, durante una hora. No lo comparta con nadie.

Si no ha sido usted, puede ignorar este mensaje: su contraseña no cambia.
`,
    },
  },
};
