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
