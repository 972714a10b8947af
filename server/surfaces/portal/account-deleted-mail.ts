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

Two things are kept: the records of what you agreed to, with the screens that you saw, and the list of who read what. They
prove what was allowed and what was done. Your name is taken out of our lists.
`,
  },
  es: {
    subject: 'Su cuenta se ha eliminado',
    text: `Hola:

Su cuenta y todo lo que contenía se han eliminado, como se pidió en su página. Ya nadie lee aquí sus datos.

Se conservan dos cosas: los registros de lo que usted aceptó, con las pantallas que vio, y la lista de quién leyó qué. Prueban
qué se permitió y qué se hizo. Su nombre se quita de nuestras listas.
`,
  },
};
