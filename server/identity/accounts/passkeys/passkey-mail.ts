import type { Mail } from '../../../platform/mail/mail.ts';
import type { Language } from '../link-mail.ts';

/**
 * Renders the mail that a passkey was added. It signs in as the password does, so the owner of the account must learn of it.
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

If it was not you, choose a new password at once (“Forgot your password?” on the sign-in page), and leave the box checked that removes your passkeys.
`,
  },
  es: {
    subject: 'Se ha añadido una llave de acceso a su cuenta',
    text: `Hola:

Se ha añadido una llave de acceso a su cuenta. Sirve para iniciar sesión en lugar de la contraseña.

Si no ha sido usted, elija de inmediato una contraseña nueva («¿Olvidó su contraseña?» en la página para iniciar sesión) y deje marcada la casilla que quita sus llaves de acceso.
`,
  },
};
