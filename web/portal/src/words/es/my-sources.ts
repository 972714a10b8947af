import type { Words } from '../en.ts';

/** Hospitals and others that a person's record is fetched from. */
export const mySources: Words['myData']['sources'] = {
  title: 'De dónde viene su historial',
  lead: 'Las organizaciones con las que comparte obtienen su historial de estos lugares.',
  connectedBy: (organization) => `Conectado por ${organization}`,
  states: {
    waiting: 'En espera',
    running: 'Trayendo su historial',
    up_to_date: 'Al día',
    no_match: 'No le encontraron allí',
    ambiguous_match: 'No pudimos saber quién es usted allí',
    needs_organization_review: 'Tienen que revisar quién es usted allí',
    failed: 'No se pudo leer',
    paused: 'En pausa',
  },
  lastFetched: (time) => `Última vez: ${time}`,
  neverFetched: 'Todavía no ha llegado nada',
  reasons: {
    again: () => 'El último intento no funcionó. Lo intentaremos de nuevo sin que haga nada.',
    partial: () => 'No lo recibimos todo. La próxima vez lo pediremos todo otra vez.',
    notKnown: (organization) =>
      `Por lo que vemos, nadie allí es como usted. Pida a ${organization} que revise su nombre y fecha de nacimiento.`,
    noNumber: (organization) =>
      `${organization} no nos ha dicho su número de paciente allí. Pídale que lo añada.`,
    noBirthDate: (organization) =>
      `Necesitamos su fecha de nacimiento para encontrarle. Pida a ${organization} que la añada.`,
    otherEmail: () => 'Allí le conocen por otro correo. Pídales que añadan el que usa aquí.',
    several: (organization) =>
      `Allí hay varias personas como usted. Por su seguridad, no trajimos nada. Pida a ${organization} que añada su número de paciente.`,
    otherPerson: (organization) =>
      `Su número de paciente allí lleva a alguien con otro nombre u otra fecha de nacimiento. Por su seguridad, no trajimos nada. Pida a ${organization} que lo revise.`,
    notServed: () => 'No sirve a cuentas de este tipo: es solo para pruebas, o solo para personas reales.',
    notTestData: () =>
      'Esta es una cuenta de prueba, y algunos datos allí no están marcados como datos de prueba. Esos no los trajimos.',
    unreachable: () => 'No respondió. Inténtelo más tarde.',
    notOurs: (organization) =>
      `Los dos sistemas no se entienden ahora. Usted no tiene que hacer nada: ${organization} debe arreglarlo.`,
    tooLarge: (organization) =>
      `Su historial allí es más grande de lo que podemos traer de una vez. Avise a ${organization}.`,
    otherPatient: (organization) =>
      `Envió datos de otra persona. Por su seguridad, no guardamos nada. Avise a ${organization}.`,
    notStored: () => 'Envió algo que no pudimos leer. La página de sus documentos dice más.',
    ourFault: () => 'Algo falló por nuestra parte. Inténtelo de nuevo, por favor.',
    pausedThere: (organization) => `${organization} lo ha puesto en pausa. Ahora no se trae nada.`,
    notShared: (organization) =>
      `Ahora no comparte con ${organization}, así que no se trae nada. Lo que ya está aquí sigue siendo suyo.`,
  },
  get: 'Traer datos nuevos ahora',
  requested: {
    one: 'Estamos pidiendo datos nuevos a 1 lugar. Puede tardar unos minutos.',
    many: (count) => `Estamos pidiendo datos nuevos a ${count} lugares. Puede tardar unos minutos.`,
  },
  noneRequested: 'Ahora no se puede pedir nada a ninguno.',
  finished: 'Ya preguntamos a todos.',
  what: 'Ver lo que llegó',
};
