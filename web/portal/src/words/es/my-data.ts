import type { Words } from '../en.ts';
import { activity } from './activity.ts';
import { consents } from './my-consents.ts';
import { myDocuments } from './my-documents.ts';
import { myRecord } from './my-record.ts';
import { mySources } from './my-sources.ts';
import { notices } from './notices.ts';
import { passkeys } from './passkeys.ts';
import { receipts } from './receipts.ts';
import { emails, passwords, sessions } from './sessions.ts';

/** A person's own page. */
export const myData: Words['myData'] = {
  title: 'Sus datos',
  lead: 'Aquí ve quién puede leer su historial médico. Puede detenerlo en cualquier momento.',
  signInFirst: 'Inicie sesión para ver quién puede leer su historial médico y para detenerlo.',
  account: 'Su cuenta',
  otherAddress: '¿Va a perder esta dirección de correo? Cámbiela antes, en «Inicio de sesión».',
  back: 'Volver a sus datos',
  more: 'Más sobre sus datos',
  parts: {
    record: { title: 'Su historial', hint: 'Lea lo que contiene y busque en él' },
    activity: { title: 'Quién leyó qué', hint: 'Cada vez que alguien leyó su historial' },
    receipts: { title: 'Sus recibos', hint: 'Prueba de lo que usted aceptó' },
    documents: { title: 'Sus documentos', hint: 'Añada archivos y descargue los que añadió' },
    download: { title: 'Llévese sus datos', hint: 'Descargue todo lo que guardamos sobre usted' },
    notices: { title: 'Correos sobre sus datos', hint: 'Elija cuándo le escribimos' },
    'signing-in': {
      title: 'Inicio de sesión',
      hint: 'Cambie su contraseña o su correo, o entre sin contraseña',
    },
    'delete-account': { title: 'Eliminar su cuenta', hint: 'Su historial se elimina con ella' },
  },
  changedMeanwhile: 'Esto cambió mientras tanto. Lo que ve ahora está al día.',
  share: 'Lo que comparte',
  nothing: 'Ahora no comparte su historial médico con nadie.',
  project: 'Proyecto',
  since: 'Desde',
  until: 'Hasta',
  onlyIn: (what, where) => `${what}: solo en ${where}`,
  partEnds: (what, end) => `${what}: hasta el ${end}`,
  endedOn: (day) => `Terminó por sí solo el ${day}`,
  stoppedOn: (day) => `Usted lo detuvo el ${day}`,
  refusedOn: (day) => `Usted dijo que no el ${day}`,
  revokedOn: (organization, day) =>
    `${organization} lo terminó el ${day}, junto con su participación en el proyecto`,
  endedBefore: 'Compartido antes',
  what: 'Qué se comparte',
  kinds: {
    all: 'Todos los tipos de datos',
    but: (names) => `Todo, excepto: ${names}`,
    only: (count, all, names) => `${count} de ${all} tipos: ${names}`,
  },
  veryPrivate: 'Asuntos muy privados',
  sensitivities: { none: 'Quedan fuera', all: 'Todos' },
  asked: {
    title: 'Le preguntan',
    reasons: {
      new: 'Le piden algo que usted todavía no ha decidido.',
      words_changed: 'Han cambiado lo que le cuentan. Lo que comparte sigue igual hasta que usted decida.',
      expires_soon: 'Su sí termina pronto. Si no hace nada, termina por sí solo.',
      expired: 'Su sí ya terminó.',
    },
    /** Where the organization reads by no other yes. */
    readsNothing: {
      new: (organization) => `${organization} no lee nada hasta que diga que sí.`,
      expired: (organization) => `${organization} ya no lee nada.`,
    },
    look: (organization) => `Ver qué pide ${organization}`,
  },
  whoReads: 'Quién lo puede leer',
  apps: 'Aplicaciones que pueden leerlo',
  noApps: 'Ahora no hay ninguna aplicación conectada.',
  connected: (time) => `Conectada el ${time}`,
  lastRead: (time) => `Leyó por última vez el ${time}`,
  neverRead: 'Todavía no ha leído nada',
  disconnected: 'Ya no está conectada',
  appLess: (names) => `Esta aplicación no recibe: ${names}`,
  appUntil: (day) => `Puede leer hasta el ${day}`,
  appSince: (app, time) => `${app} (conectada el ${time})`,
  namesakes: {
    goOn: (app, times) =>
      `Otra aplicación que se llama ${app} puede seguir leyendo su historial: ${times}. Desconéctela también si no lo quiere.`,
    times: (since, lastRead) =>
      `la que se conectó el ${since}, ${lastRead === null ? 'que todavía no ha leído nada' : `que leyó por última vez el ${lastRead}`}`,
  },
  disconnect: 'Desconectar',
  disconnectTitle: (app) => `¿Desconectar ${app}?`,
  disconnectText: (app) =>
    `${app} ya no podrá leer su historial para este proyecto. Sus otras aplicaciones siguen.`,
  disconnectOrganization: (organization) =>
    `${organization} puede seguir leyendo lo que usted comparte. Para terminarlo, elija «Dejar de compartir».`,
  disconnectAgain:
    'Lo que la aplicación ya leyó no se puede deshacer. Si cambia de opinión, conéctese de nuevo desde la aplicación.',
  yesDisconnect: 'Sí, desconectar',
  keepConnected: 'Dejarla conectada',
  appDisconnected: (app) => `${app} ya no puede leer su historial para este proyecto.`,
  organizationReads: (organization) => `${organization} puede seguir leyendo lo que usted comparte.`,
  change: 'Cambiar lo que se comparte',
  changeLead: 'Quite lo que ya no quiera compartir. Vale desde la siguiente pregunta.',
  changeKinds: 'Seguir compartiendo:',
  changePrivate: 'Seguir compartiendo estos asuntos muy privados:',
  save: 'Guardar',
  discard: 'Dejarlo como está',
  keepOne: 'Deje al menos un tipo, o deje de compartir del todo.',
  nothingRemoved: 'Aún no ha quitado nada.',
  stop: 'Dejar de compartir',
  yesStop: 'Sí, dejar de compartir',
  keep: 'Seguir compartiendo',
  consents,
  activity,
  receipts,
  documents: myDocuments,
  record: myRecord,
  sources: mySources,
  download: {
    lead: 'Puede descargar todo lo que guardamos sobre usted, en un solo archivo. Los archivos que esperan su respuesta solo se nombran en él.',
    inside: 'Qué contiene',
    list: [
      'Su historial médico, en el formato que leen otros servicios de salud (FHIR)',
      'Los documentos originales, sin cambios: PDF, cartas, imágenes. Lo que añadió como archivos FHIR está en el historial, dato por dato.',
      'Sus recibos, con las pantallas que vio al decidir',
      'La lista de quién leyó qué',
      'Su cuenta y sus ajustes, lo que las organizaciones anotaron de usted, y cuándo y dónde inició sesión',
    ],
    private: 'El archivo no está protegido. Guárdelo donde solo usted pueda abrirlo.',
    size: 'Es un archivo zip. Si el historial es grande, puede tardar unos minutos.',
    button: 'Descargar mis datos',
    begins:
      'Preparamos su archivo. El navegador lo muestra en cuanto empieza; si el historial es grande, tarda un poco.',
  },
  notices,
  passkeys,
  sessions,
  passwords,
  emails,
  deletion: {
    lead: 'Puede irse cuando quiera. Esto no se puede deshacer.',
    deleted: 'Qué se elimina',
    deletedList: [
      'Su cuenta, su contraseña y sus llaves de acceso',
      'Su historial médico aquí, con todos los documentos que añadió',
      'El acceso de todas las aplicaciones. Antes se deja de compartir todo, de inmediato.',
    ],
    retained: 'Qué se conserva',
    retainedList: [
      'El registro de lo que usted aceptó, con las pantallas que vio. Prueba qué se permitió.',
      'La lista de quién leyó qué. Su nombre se quita de nuestras listas.',
    ],
    retainedElsewhere:
      'Sus médicos y clínicas conservan sus propios historiales. Las aplicaciones pueden conservar lo que leyeron.',
    downloadFirst: '¿Quiere guardar una copia? Descargue antes sus datos',
    password: 'Su contraseña',
    passwordHint: 'Para mostrar que es usted',
    next: 'Continuar para eliminar',
    confirmTitle: '¿Eliminar su cuenta para siempre?',
    confirmText:
      'Su historial aquí y el acceso de todas las aplicaciones terminan ahora. No podemos recuperarlos.',
    yes: 'Sí, eliminar mi cuenta',
    no: 'Conservar mi cuenta',
    wrongPassword: 'Esa no es su contraseña. Inténtelo de nuevo.',
    unknown: {
      title: 'No podemos saber si su cuenta se ha eliminado.',
      mail: (email) =>
        `La respuesta a su sí se perdió en el camino. Si su cuenta se ha eliminado, recibirá en ${email} un correo que lo dice.`,
      noMail:
        'Si no llega ningún correo, quizá su cuenta siga aquí y la contraseña que escribió no sea la suya. Entonces inicie sesión y elimínela otra vez.',
      signIn: 'Iniciar sesión',
    },
    testPatient:
      'Esta es una cuenta de prueba. Solo la organización que la creó puede eliminarla. Pídaselo si no la quiere más.',
  },
  accountDeleted: {
    title: 'Su cuenta se ha eliminado',
    lead: 'Su historial ya no está aquí y ninguna aplicación puede leerlo. Gracias por su confianza.',
    text: 'Puede cerrar esta ventana. Si algún día vuelve, puede crear una cuenta nueva.',
  },
};
