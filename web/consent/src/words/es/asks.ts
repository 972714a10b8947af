import type { Words } from '../en.ts';

/** What the review says in other words where an organization asks, not an app, by the type of consent. */
export const asks: Words['asks'] = {
  changed: {
    replaces:
      'Si dice que sí, su nueva respuesta toma el lugar de la anterior. Si dice que no, termina lo que comparte aquí.',
    alsoFor: (apps) =>
      `Si ahora comparte menos, estas aplicaciones también reciben menos: ${apps}. Con esto nunca reciben más.`,
  },
  why: {
    ownRequest: (organization) => `${organization} no ha dicho para qué. Pregúntele antes de decidir.`,
  },
  DATA_AUTHORIZATION: {
    title: (organization) => `¿Permite que ${organization} lea su historial médico?`,
    lead: 'Lea esto primero. Puede cambiar lo que comparte y por cuánto tiempo. No se comparte nada hasta que pulse Permitir.',
    what: {
      title: 'Qué podrán leer',
      readOnly: 'Solo pueden leer. No pueden cambiar nada de su historial.',
      recipients: (organization) => `Las personas de ${organization} que trabajan en este proyecto`,
    },
    away: {
      title: 'Cuándo leen',
      text: (organization) =>
        `${organization} podrá leer su historial en cualquier momento hasta que termine. No le preguntará cada vez.`,
    },
    decision: { read: 'Podrán leer' },
  },
  PATIENT_DIRECTED_DATA_EXCHANGE: {
    title: (organization) => `¿Participa con ${organization}, con las aplicaciones que usted elija?`,
    lead: 'Lea esto primero. Puede cambiar lo que comparte y por cuánto tiempo. No se comparte nada hasta que pulse Permitir.',
    what: {
      title: 'Qué podrán leer',
      readOnly: 'Solo pueden leer. No pueden cambiar nada de su historial.',
      recipients: (organization) =>
        `Las personas de ${organization} que trabajan en este proyecto, y las aplicaciones que usted conecte`,
    },
    away: {
      title: 'Cuándo leen',
      text: (organization) =>
        `${organization} podrá leer su historial en cualquier momento hasta que termine. Una aplicación le pregunta aquí antes de leer por primera vez.`,
    },
    decision: { read: 'Podrán leer' },
  },
  FUTURE_DATA_USE: {
    title: (organization) => `¿Permite que ${organization} use sus datos en investigaciones futuras?`,
    lead: 'Lea esto primero. Puede cambiar qué datos y por cuánto tiempo. Solo con este sí, nadie puede leer su historial.',
    what: {
      title: 'Qué se podrá usar después',
      readOnly:
        'Les permite usar de nuevo lo que usted comparte con otro sí. Por sí solo no abre su historial a nadie.',
      recipients: (organization) =>
        `Ahora nadie. Después, las personas de ${organization} que trabajen en otras investigaciones`,
    },
    away: {
      title: 'Cuándo lo usan',
      text: (organization) =>
        `${organization} podrá usarlo en investigaciones que empiecen antes de que termine. No le preguntará cada vez.`,
    },
    decision: { read: 'Se podrá usar' },
  },
};
