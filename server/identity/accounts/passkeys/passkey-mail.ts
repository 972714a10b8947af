import type { Mail } from '../../../platform/mail/mail.ts';
import type { Language } from '../link-mail.ts';

/**
 * Renders the mail that a passkey was added. A passkey keeps working after a change of the password, so the owner of
 * the account must learn of it.
 */
export const renderPasskeyMail = ({ to, language }: { to: string; language: Language }): Mail => ({
  to,
  ...WORDS[language],
});

const WORDS: Readonly<Record<Language, { subject: string; text: string }>> = {
  en: {
    subject: 'A passkey was added to your account',
    text: `Hello,

A passkey was added to your account. It can be used to sign in instead of the password.

If it was not you, sign in, remove the passkey on your page and choose a new password. A new password alone does not remove passkeys.
`,
  },
  es: {
    subject: 'Se ha añadido una llave de acceso a su cuenta',
    text: `Hola:

Se ha añadido una llave de acceso a su cuenta. Sirve para iniciar sesión en lugar de la contraseña.

Si no ha sido usted, inicie sesión, elimine la llave de acceso en su página y elija una contraseña nueva. Una contraseña nueva no elimina por sí sola las llaves de acceso.
`,
  },
};
