import type { Mail } from '../../platform/mail/mail.ts';
import type { Language } from './link-mail.ts';

/** Renders the mail that the password was changed: whoever did not do it learns so. */
export function renderPasswordMail({
  to,
  language,
  arePasskeysRemoved,
}: {
  to: string;
  language: string | null;
  arePasskeysRemoved: boolean;
}): Mail {
  const { subject, text, passkeys } = WORDS[language?.startsWith('es') ? 'es' : 'en'];
  return { to, subject, text: text.replace('{passkeys}', arePasskeysRemoved ? passkeys : '') };
}

const WORDS: Readonly<Record<Language, { subject: string; text: string; passkeys: string }>> = {
  en: {
    subject: 'Your password was changed',
    text: `Hello,

The password of your account was changed, and every other device was signed out.{passkeys}

If it was not you, open the sign-in page, choose “Forgot your password?” and take your account back at once.
`,
    passkeys: ' Your passkeys were removed.',
  },
  es: {
    subject: 'Su contraseña ha cambiado',
    text: `Hola:

La contraseña de su cuenta ha cambiado y se ha cerrado la sesión en todos los demás dispositivos.{passkeys}

Si no ha sido usted, abra la página para iniciar sesión, elija «¿Olvidó su contraseña?» y recupere su cuenta de inmediato.
`,
    passkeys: ' Sus llaves de acceso se han quitado.',
  },
};
