import type { Words } from '../en.ts';

export const sessions: Words['myData']['sessions'] = {
  title: 'Dónde ha iniciado sesión',
  lead: 'Si no reconoce alguno, cierre allí la sesión y cambie su contraseña.',
  unnamed: 'Un navegador que no dice su nombre',
  thisOne: 'Este navegador',
  since: (time) => `Sesión iniciada el ${time}`,
  lastUsed: (time) => `Último uso: ${time}`,
  end: 'Cerrar la sesión',
  endTitle: (device) => `¿Cerrar la sesión en «${device}»?`,
  endText: 'Quien lo use tendrá que iniciar sesión de nuevo.',
  yesEnd: 'Sí, cerrarla',
  keep: 'Dejarla abierta',
  ended: (device) => `Se cerró la sesión en «${device}».`,
  endOthers: 'Cerrar la sesión en todos los demás',
  endOthersTitle: '¿Cerrar la sesión en todos los demás navegadores?',
  endOthersText: 'Aquí seguirá con la sesión iniciada. Quien use otro tendrá que iniciar sesión de nuevo.',
  yesEndOthers: 'Sí, cerrarlas',
  keepOthers: 'Dejarlas abiertas',
  othersEnded: 'Se cerró la sesión en todos los demás navegadores.',
};

export const passwords: Words['myData']['passwords'] = {
  change: 'Cambiar la contraseña',
  current: 'Contraseña actual',
  submit: 'Cambiar la contraseña ahora',
  consequence:
    'Aquí seguirá con la sesión iniciada. En los demás navegadores se cierra, y le avisamos por correo.',
  cancel: 'Dejarla como está',
  changed: 'Su contraseña ha cambiado. La sesión se cerró en los demás navegadores.',
};

export const emails: Words['myData']['emails'] = {
  change: 'Cambiar la dirección de correo',
  address: 'Dirección de correo nueva',
  hint: 'Le enviamos allí un enlace. Nada cambia antes de que lo siga.',
  same: 'Es la dirección que ya tiene.',
  password: 'Su contraseña',
  submit: 'Enviarme el enlace',
  consequence:
    'Después inicia sesión con la dirección nueva. Avisamos a la anterior, para que nadie lo haga sin usted. Las organizaciones que le invitaron conservan la dirección que conocen: dígales la nueva.',
  cancel: 'Dejarla como está',
  sent: (email) =>
    `Enviamos un correo a ${email}. Siga su enlace en el plazo de una hora. En otro dispositivo, inicie sesión allí con la dirección que tiene ahora. Hasta entonces su dirección no cambia.`,
};
