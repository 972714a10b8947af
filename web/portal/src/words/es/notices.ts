import type { Words } from '../en.ts';

/** Which mails a person wants about the use of their record. */
export const notices: Words['myData']['notices'] = {
  lead: 'Podemos escribirle cuando pase algo con sus datos. Los correos nunca dicen nada sobre su salud.',
  legend: 'Escríbanme cuando',
  settings: {
    firstRead: {
      label: 'Una aplicación nueva lee mis datos',
      hint: 'La primera vez que una aplicación los lee',
    },
    unusualVolume: {
      label: 'Una aplicación lee mucho más de lo habitual',
      hint: 'Al menos 100 veces en una hora, y diez veces lo habitual en ella',
    },
    unusedConsent: {
      label: 'Nadie usa lo que acepté',
      hint: 'Tras 90 días. Entonces puede terminarlo o conservarlo.',
    },
    heldUpload: {
      label: 'Un archivo espera mi respuesta',
      hint: 'Tras tres días, si no estamos seguros de que sea suyo',
    },
    weeklyDigest: {
      label: 'Ha pasado una semana',
      hint: 'Cuántas veces se leyeron sus datos, también si nadie los leyó',
    },
  },
  mailTo: (email) => `Escribimos a ${email}.`,
  testPatient: 'Esta es una cuenta de prueba. No tiene buzón, así que no se envían correos.',
  save: 'Guardar',
  saved: 'Guardado.',
};
