import type { FOUND_IN_STORE } from '../../../../../../contract/organization/doctor/found-beside.ts';

const MAKE_SPACE =
  'Haga espacio en él o baje CHARTGATE_RESERVE_BYTES si el disco entero es demasiado pequeño (docs/operations.md, "When the disk is full").';

/** What the store shows. */
export const findingsInStore: Readonly<
  Record<keyof typeof FOUND_IN_STORE, readonly [detail: string, remedy?: string]>
> = {
  store_in_use: ['El almacén incluido es del proceso que lo sirve; nadie más puede mirarlo.'],
  store_embedded: ['El almacén está incluido en el servicio.'],
  database_ok: ['PostgreSQL {version}, y guarda lo que confirma.'],
  database_unencrypted: [
    'La conexión con la base de datos no está cifrada y el servidor es otra máquina.',
    'Añada sslmode=verify-full a DATABASE_URL y un certificado al servidor.',
  ],
  database_old: ['PostgreSQL es anterior a la versión 15.', 'Actualícelo.'],
  database_standby: [
    'DATABASE_URL nombra un servidor de reserva, que no acepta escrituras.',
    'Nombre el principal o el proxy que tiene delante.',
  ],
  durability_off: [
    '{name} está en off: un corte de luz pierde o daña lo que se confirmó.',
    'Ponga {name} = on.',
  ],
  commit_not_synchronous: [
    'synchronous_commit está en off: una caída pierde retiradas que se confirmaron.',
    'Ponga synchronous_commit = on.',
  ],
  encoding_wrong: [
    'La base de datos tiene la codificación {encoding}.',
    'Créela con la codificación UTF8 y restaure una copia.',
  ],
  no_checksums: [
    'Las páginas no tienen sumas de control: un disco que falla se nota tarde.',
    'Ejecute pg_checksums --enable con el servidor parado.',
  ],
  few_connections: [
    'max_connections es {count}; dos nodos usan {minimum} cuando más trabajan.',
    'Ponga max_connections en {minimum} o más.',
  ],
  no_archive: [
    'El servidor no archiva su diario: lo que vino tras la última copia no se puede restaurar.',
    'docs/operations.md dice qué conserva la recuperación a un momento dado que pierde una copia diaria.',
  ],
  archive_failing: ['archive_command falla: el diario no se archiva.', 'Mire el registro del servidor.'],
  archive_ok: ['El diario se archivó por última vez el {time}.'],
  archive_old: [
    'Hace un día que no se archiva el diario.',
    'Ponga archive_timeout y mire el registro del servidor.',
  ],
  space_ok: ['El disco del almacén lo acepta todo.'],
  space_low: ['El disco del almacén tiene poco espacio: se rechazan las subidas.', MAKE_SPACE],
  space_full: ['El disco del almacén está lleno: se rechaza todo menos las retiradas.', MAKE_SPACE],
  id_unknown: [
    '{name} nombra algo que no está en el almacén: ahí nada responde.',
    'Dele el identificador de lo que se quiere decir o quítela.',
  ],
  schema_ok: ['El esquema del almacén es el de este programa ({newest}).'],
  schema_older: [
    'El almacén tiene el esquema de un Chartgate anterior ({newest}); archivos de este que le faltan: {count}.',
    'Haga una copia de seguridad y después ejecute npx chartgate migrate o arranque esta versión.',
  ],
  schema_newer: [
    'Un Chartgate más nuevo puso al día el almacén ({newest}).',
    'Use esa versión o una posterior.',
  ],
  records_ok: ['Todos los expedientes se leyeron con las reglas actuales.'],
  records_older: [
    'Expedientes que se muestran como los leyeron las reglas de una versión anterior, con sus etiquetas de clases protegidas: {count}.',
    'El servicio los lee de nuevo, uno tras otro; npx chartgate reindex lo hace de una vez.',
  ],
  jobs_ok: ['Ninguna tarea espera mucho y ninguna se dio por perdida.'],
  jobs_parked: [
    'Tareas en segundo plano que se dieron por perdidas: {count}.',
    'npx chartgate jobs las muestra con sus errores; npx chartgate jobs retry las empieza de nuevo.',
  ],
  jobs_waiting: [
    'Una tarea del tipo {kind} espera desde hace más de diez minutos.',
    'Arranque un nodo u otro más junto a los que funcionan.',
  ],
  secrets_ok: ['Los {count} secretos están sellados con la primera clave.'],
  secrets_lost: [
    'Secretos que no se pueden abrir: {count}. Están sellados con una clave que no está puesta; quien los tiene no entra.',
    'Añada esa clave a CHARTGATE_SECRETS_KEY, detrás de la actual.',
  ],
  secrets_keyless: [
    'Secretos que no se pueden abrir: {count}. Están sellados con una clave y no hay ninguna puesta.',
    'Ponga en CHARTGATE_SECRETS_KEY la clave de antes.',
  ],
  secrets_plain: [
    'Los secretos de aplicaciones de códigos, servidores conectados y webhooks se guardan sin cifrar.',
    'Configure CHARTGATE_SECRETS_KEY (docs/operations.md, «Secrets in the store»).',
  ],
  secrets_waiting: [
    'Secretos que aún no están sellados con la primera clave: {count} de {total}.',
    'El servicio los sella en una hora; hasta entonces conserve la clave anterior en CHARTGATE_SECRETS_KEY.',
  ],
};
