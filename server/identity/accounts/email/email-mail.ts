import type { Mail } from '../../../platform/mail/mail.ts';
import type { Language } from '../link-mail.ts';

interface EmailMail {
  to: string;
  language: Language;
  url: string;
}

/**
 * Renders a mail about the address of an account: `confirm` to the new one, with the link by which whoever is signed in to the account
 * gives it to it; `taken` where it has an account already; `changed` to the former one, with the link that restores it. None names
 * an address or a person.
 */
export function renderEmailMail(
  kind: 'confirm' | 'taken' | 'changed',
  { to, language, url }: EmailMail,
): Mail {
  const { subject, text } = WORDS[language][kind];
  return { to, subject, text: text.replace('{link}', () => url) };
}

interface Words {
  subject: string;
  text: string;
}

const WORDS: Readonly<Record<Language, Readonly<Record<'confirm' | 'taken' | 'changed', Words>>>> = {
  en: {
    confirm: {
      subject: 'Confirm your new e-mail address',
      text: `Hello,

Somebody asked to use this e-mail address for their account. If it was you, confirm it with this link:

{link}

Sign in there with the address that your account has so far, on this or another device. The link works once, for one hour. Do not pass it on. Until you confirm, your account keeps the address that it has.

If it was not you, do not confirm it: the account of somebody else would have your address. You can ignore this message, or open the link and choose “I did not ask for this”.
`,
    },
    taken: {
      subject: 'Your account: this e-mail address is in use',
      text: `Hello,

You, or somebody who entered your e-mail address, asked to use it for another account. It belongs to an account already, so nothing was changed.

If it was you, sign in with this address, or delete the account that has it first.

If it was not you, you can ignore this message.
`,
    },
    changed: {
      subject: 'The e-mail address of your account was changed',
      text: `Hello,

Your account has another e-mail address from now on. You sign in with that one, and mails about your account go there.

If it was not you, take your account back at once with this link, and choose a new password:

{link}

The link works once, for seven days. Do not pass it on.

If it was you, you have nothing to do.
`,
    },
  },
  es: {
    confirm: {
      subject: 'Confirme su nueva dirección de correo',
      text: `Hola:

Alguien ha pedido usar esta dirección de correo para su cuenta. Si ha sido usted, confírmela con este enlace:

{link}

Inicie sesión allí con la dirección que su cuenta tiene hasta ahora, en este u otro dispositivo. El enlace funciona una sola vez, durante una hora. No lo comparta con nadie. Hasta que la confirme, su cuenta conserva la dirección que tiene.

Si no ha sido usted, no la confirme: la cuenta de otra persona tendría su dirección de correo. Puede ignorar este mensaje, o abrir el enlace y elegir «No lo he pedido yo».
`,
    },
    taken: {
      subject: 'Su cuenta: esta dirección de correo ya se usa',
      text: `Hola:

Usted, o alguien que escribió su dirección de correo, ha pedido usarla para otra cuenta. Ya pertenece a una cuenta, así que no ha cambiado nada.

Si ha sido usted, inicie sesión con esta dirección, o elimine antes la cuenta que la tiene.

Si no ha sido usted, puede ignorar este mensaje.
`,
    },
    changed: {
      subject: 'La dirección de correo de su cuenta ha cambiado',
      text: `Hola:

Su cuenta tiene otra dirección de correo desde ahora. Con ella inicia sesión, y a ella llegan los mensajes sobre su cuenta.

Si no ha sido usted, recupere su cuenta de inmediato con este enlace y elija una contraseña nueva:

{link}

El enlace funciona una sola vez, durante siete días. No lo comparta con nadie.

Si ha sido usted, no tiene que hacer nada.
`,
    },
  },
};
