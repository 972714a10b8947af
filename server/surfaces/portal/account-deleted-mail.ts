import type { Language } from '../../identity/accounts/link-mail.ts';
import type { Mail } from '../../platform/mail/mail.ts';

/** Builds the last mail to an address, which is deleted with the account. */
export const buildAccountDeletedMail = ({ to, language }: { to: string; language: Language }): Mail => ({
  to,
  ...WORDS[language],
});

const WORDS: Readonly<Record<Language, { subject: string; text: string }>> = {
  en: {
    subject: 'Your account was deleted',
    text: `Hello,

Your account and everything in it were deleted, as was asked for on your page. Nobody reads your data here any more.

The records of what you agreed to are kept, since the law asks for them.
`,
  },
  es: {
    subject: 'Su cuenta se ha eliminado',
    text: `Hola:

Su cuenta y todo lo que contenía se han eliminado, como se pidió en su página. Ya nadie lee aquí sus datos.

Se conservan los registros de lo que usted aceptó, porque la ley lo exige.
`,
  },
};
