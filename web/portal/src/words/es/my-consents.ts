import type { consents as english } from '../en/my-consents.ts';

export const consents: typeof english = {
  names: {
    DATA_AUTHORIZATION: (organization) => `${organization} lee su historial`,
    PATIENT_DIRECTED_DATA_EXCHANGE: (organization) =>
      `${organization} y las aplicaciones que usted elija leen su historial`,
    FUTURE_DATA_USE: (organization) => `${organization} usa sus datos en investigaciones futuras`,
  },
  quoted: (consent) => `«${consent}»`,
  readers: {
    DATA_AUTHORIZATION: (organization) => `Las personas de ${organization} que trabajan en este proyecto`,
    PATIENT_DIRECTED_DATA_EXCHANGE: (organization) =>
      `Las personas de ${organization} que trabajan en este proyecto, y las aplicaciones que usted conecte`,
    FUTURE_DATA_USE: () => 'Ahora nadie. Se puede usar en investigaciones futuras.',
  },
  whatLater: 'Qué se podrá usar después',
  appGoesOn: (app, consents) =>
    `${app} puede seguir leyendo lo que comparte por otro sí: ${consents}. Desconéctela también allí.`,
  stillReadsBy: (organization, consents) =>
    `${organization} puede seguir leyendo su historial, por otro sí: ${consents}.`,
  stop: {
    title: (consent) => `¿Detener ${consent}?`,
    apps: (apps) => `Estas aplicaciones se detienen de inmediato: ${apps}.`,
    noApp: 'Desde ese momento, ninguna aplicación puede leer su historial para este proyecto.',
    organization: (organization) => `Desde ese momento, ${organization} ya no puede leer su historial.`,
    later: (organization) =>
      `Desde ese momento, ${organization} no puede usar sus datos en investigaciones que empiecen después. Lo que ya empezó puede seguir.`,
    stillReads: (organization) => `${organization} puede seguir leyendo su historial, por otro sí.`,
    goesOn: (consents) =>
      `Esto sigue: ${consents}. Para terminarlo también, elija allí «Dejar de compartir».`,
    notTakenBack: 'Lo que ya se leyó no se puede deshacer.',
    changeMind: {
      app: 'Si cambia de opinión, conéctese de nuevo desde la aplicación.',
      invitation: 'Si cambia de opinión, vuelva a ver lo que le preguntaron. Esta página le lleva allí.',
      ask: (organization) => `Si cambia de opinión, pregunte a ${organization}.`,
    },
  },
  stopped: {
    done: (consent) => `Ha detenido ${consent}.`,
    noApp: 'Ninguna aplicación puede leer ahora su historial para este proyecto.',
    organization: (organization) => `${organization} no puede leer ahora su historial.`,
  },
  change: {
    title: (consent) => `Cambiar ${consent}`,
    others: (consents) => `Esto queda como está, y puede compartir lo que usted quite aquí: ${consents}.`,
    more: {
      app: 'Para compartir más, conéctese de nuevo desde la aplicación. Allí se le preguntará otra vez.',
      invitation: 'Para compartir más, vuelva a ver lo que le preguntaron y decida otra vez.',
      ask: (organization) => `Para compartir más, pregunte a ${organization}.`,
    },
    saved: (consent) => `Guardado. Desde ahora comparte menos por ${consent}.`,
  },
  invitations: {
    title: 'Lo que le preguntaron',
    look: (organization, project) => `Volver a ver qué pide ${organization} (${project})`,
  },
};
