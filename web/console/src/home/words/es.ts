import type { HomeWords } from './en.ts';

export const home: HomeWords = {
  title: 'Inicio',
  lead: (organization) => `Lo que ${organization} hace con Chartgate, de un vistazo.`,
  attention: {
    title: 'Requiere atención',
    nothing: 'Nada le necesita ahora.',
    sentences: {
      app_unjudged: ({ name, count }) =>
        `Una aplicación nueva que nadie ha valorado: «${name}». Pacientes que la han conectado: ${count}.`,
      audit_altered: ({ at }) => `El registro de auditoría no está como se escribió. Se comprobó el ${at}.`,
      base_url_insecure: () => `Se llega al servicio sin TLS: lo que se envía se puede leer por el camino.`,
      consents_ending: ({ count, at }) => `Consentimientos que terminan antes del ${at}: ${count}.`,
      deliveries_exhausted: ({ name, count }) => `Entregas a ${name} abandonadas desde ayer: ${count}.`,
      key_old: ({ name, at }) => `La clave de API «${name}» tiene más de un año (${at}). Rótela.`,
      key_secret_ending: ({ name, at }) =>
        `Un secreto de la clave de API «${name}» termina el ${at}. Los programas que aún lo usan dejarán de funcionar.`,
      key_unused: ({ name, at }) =>
        `Nadie ha usado la clave de API «${name}» desde el ${at}. Revóquela si nadie la necesita.`,
      mail_not_configured: () =>
        `No hay servidor de correo: los mensajes se escriben como archivos y nadie los recibe.`,
      objects_not_deleted: ({ count }) =>
        `Archivos de subidas o personas eliminadas que no se pudieron borrar del almacén de objetos: ${count}.`,
      secrets_lost: () =>
        `Hay secretos guardados que no se pueden abrir: falta su clave. Los webhooks, las fuentes o los códigos de las aplicaciones de autenticación no funcionan hasta que vuelva.`,
      source_ambiguous: ({ name, count }) => `Pacientes que ${name} no puede distinguir: ${count}.`,
      source_failing: ({ name, count }) =>
        `Pacientes cuyo historial no se pudo obtener de ${name}: ${count}.`,
      uploads_failed: ({ count }) => `Subidas de la última semana que no se pudieron leer: ${count}.`,
      webhook_failing: ({ name, at }) => `${name} no ha confirmado nada desde el ${at}.`,
      webhook_secret_ending: ({ name, at }) =>
        `El secreto anterior de ${name} termina el ${at}. Los receptores deben conocer el nuevo para entonces.`,
      webhook_suspended: ({ name, at }) =>
        `${name} respondió que ya no existe (410), así que no se le envía nada desde el ${at}.`,
    },
    links: {
      app_unjudged: 'Ver la aplicación',
      audit_altered: 'Ver el registro',
      base_url_insecure: 'Cómo cambiarlo',
      consents_ending: 'Ver cuáles',
      deliveries_exhausted: 'Ver el webhook',
      key_old: 'Abrir las claves',
      key_secret_ending: 'Abrir las claves',
      key_unused: 'Abrir las claves',
      mail_not_configured: 'Cómo configurarlo',
      objects_not_deleted: 'Qué hacer',
      secrets_lost: 'Qué hacer',
      source_ambiguous: 'Ver la fuente',
      source_failing: 'Ver la fuente',
      uploads_failed: 'Abrir los pacientes',
      webhook_failing: 'Ver el webhook',
      webhook_secret_ending: 'Ver el webhook',
      webhook_suspended: 'Ver el webhook',
    },
  },
  activity: {
    title: 'Las últimas cuatro semanas',
    day: 'Día',
    measures: {
      given: 'Consentimientos dados',
      ended: 'Consentimientos terminados',
      inForce: 'Consentimientos vigentes',
      reads: 'Lecturas',
      patients: 'Pacientes con lecturas',
      refused: 'Lecturas rechazadas',
    },
    today: 'hoy',
    now: 'ahora',
    usual: (count) => `${count} en un día normal`,
    before: (count) => `${count} hace cuatro semanas`,
  },
  firstSteps: {
    title: 'Primeros pasos',
    done: '(hecho)',
    steps: {
      words_written: 'Escriba lo que los pacientes leen antes de decidir',
      patient_enrolled: 'Inscriba a los primeros pacientes',
      record_connected: 'Conecte el lugar de donde vienen los historiales',
      reader_connected: 'Permita que alguien lea, o que se le avise',
      second_owner: 'Invite a un segundo propietario',
    },
    asksNothing: 'Ningún proyecto pide aún un consentimiento a los invitados: elíjalo antes.',
    hints: {
      words_written: 'Un proyecto dice quién lee, para qué, y qué significa para el paciente.',
      patient_enrolled: 'Importe una lista o inscriba a una persona.',
      record_connected: 'Un servidor FHIR, o un historial que sube un paciente.',
      reader_connected:
        'Un paciente conecta una aplicación con la dirección del proyecto, o un webhook avisa a su propio sistema.',
      second_owner: 'Quien se quede sin acceso necesita a alguien que pueda ayudar.',
    },
  },
  pages: 'Adónde ir',
  hints: {
    patients: 'Inscribir a personas, ver a quién se invitó y quién ha respondido.',
    consents: 'Lo que los pacientes han decidido, con la prueba de cada decisión.',
    reads: 'Quién ha leído qué, y qué se rechazó.',
    apps: 'Las aplicaciones que los pacientes han conectado.',
    webhooks: 'Direcciones a las que se avisa cuando ocurre algo.',
    sources: 'Servidores de los que se obtienen historiales.',
    usage: 'Cuánto se lee, se sube y se entrega.',
    audit: 'Cada cambio, de quién y cuándo.',
    apiKeys: 'Claves con las que los programas inician sesión.',
    testPatients: 'Personas sintéticas para probarlo todo.',
    projects: 'Lo que los pacientes leen antes de decidir.',
    team: 'Quién puede entrar aquí, y qué puede hacer cada uno.',
    organization: 'Cómo se presenta la organización a las personas.',
  },
};
