import type { Mail } from '../../platform/mail/mail.ts';

type Language = 'en' | 'es';

interface PasswordLinkMail {
  to: string;
  organization: string;
  url: string;
  language: Language;
}

/** Renders the mail with the link of a member who forgot their password. */
export function renderPasswordLinkMail({ to, organization, url, language }: PasswordLinkMail): Mail {
  const { subject, text } = WORDS[language];
  const fill = (template: string): string =>
    template.replaceAll('{organization}', () => organization).replaceAll('{url}', () => url);
  return { to, fromName: organization, subject: fill(subject), text: fill(text) };
}

const WORDS: Readonly<Record<Language, { subject: string; text: string }>> = {
  en: {
    subject: '{organization}: a new password for its console',
    text: `Hello,

Choose a new password for the Chartgate console of {organization} with this link. It works once, for one hour:

{url}

Then sign in with it; you are asked for your second factor as ever. If you have lost that too, ask an owner of your organization.

If you did not ask for this, ignore this mail: your password stays as it is.
`,
  },
  es: {
    subject: '{organization}: una contraseña nueva para su consola',
    text: `Hola:

Elija con este enlace una contraseña nueva para la consola de Chartgate de {organization}. Sirve una sola vez, durante una hora:

{url}

Después entre con ella; se le pedirá su segundo factor como siempre. Si también lo ha perdido, pida ayuda a un propietario de su organización.

Si no lo ha pedido, ignore este correo: su contraseña no cambia.
`,
  },
};
