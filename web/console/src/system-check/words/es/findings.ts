import type { FindingCode } from '../../../../../../contract/organization/doctor/findings.ts';
import { findingsInStore } from './findings-in-store.ts';

const LOOK_AT_LOG = 'Mire el registro del nodo.';
const RENAME = 'Corrija su nombre o quítela.';
const BACK_UP = 'Haga que un temporizador ejecute npx chartgate backup cada día.';
const SYNCHRONIZE = 'Sincronice los relojes (NTP)';

/** What a check may find, and what mends it. */
export const findings: Readonly<Record<FindingCode, readonly [detail: string, remedy?: string]>> = {
  settings_ok: ['Las opciones encajan entre sí.'],
  setting_unknown: ['{name} no es una opción de Chartgate y no tiene efecto.', RENAME],
  setting_misspelt: [
    '{name} no es una opción de Chartgate y no tiene efecto; ¿quiso decir {nearest}?',
    RENAME,
  ],
  setting_idle: ['{name} no tiene efecto: {needs} no está definida.', 'Defina {needs} o quite {name}.'],
  base_url_missing: [
    'Otras máquinas llegan al servicio (HOST {host}) y CHARTGATE_BASE_URL no está definida: a ellas les responde 403.',
    'Dé a CHARTGATE_BASE_URL la dirección que usan los pacientes y los agentes.',
  ],
  base_url_insecure: [
    'La dirección {baseUrl} no es https: los tokens y los expedientes podrían leerse por el camino.',
    'Ponga delante un proxy con un certificado (docs/install.md) y dé a CHARTGATE_BASE_URL su dirección https.',
  ],
  no_trusted_proxy: [
    'No se confía en ningún proxy: detrás de uno, todos los clientes cuentan como una sola dirección y comparten sus límites.',
    'Dé a CHARTGATE_TRUSTED_PROXIES la dirección o la red del proxy.',
  ],
  private_network_open: [
    '{name} permite que una organización llegue a direcciones de su propia red.',
    'Quítela, salvo que todas las organizaciones de aquí sean suyas.',
  ],
  no_mail: [
    'No hay servidor de correo: los correos son archivos y ningún paciente recibe una invitación ni un recibo.',
    'Configure SMTP_URL y CHARTGATE_MAIL_FROM.',
  ],
  sender_unknown: [
    'El remitente de los correos está en un nombre que no existe: los servidores de correo lo rechazan.',
    'Dé a CHARTGATE_MAIL_FROM una dirección de su propio dominio.',
  ],
  name_not_needed: ['La dirección no tiene ningún nombre que buscar.'],
  name_known: ['{hostname} es {addresses}.'],
  name_unknown: [
    'Ningún servidor de nombres conoce {hostname}.',
    'Añada el nombre a su DNS o corrija CHARTGATE_BASE_URL; en esta máquina, mire /etc/resolv.conf.',
  ],
  reachable: ['{baseUrl} responde.'],
  other_answers: [
    '{baseUrl}/healthz responde {status}: ahí responde otra cosa.',
    'Haga que el proxy pase al servicio todas las rutas de esta dirección, sin cambios.',
  ],
  unreachable: [
    '{baseUrl} no responde: {reason}.',
    'Arranque el servicio y haga que el proxy y el cortafuegos le pasen esta dirección.',
  ],
  ready: ['El almacén responde.'],
  clocks_differ: [
    'El servicio no está listo: sus relojes no coinciden.',
    `${SYNCHRONIZE} de los nodos y del servidor de la base de datos.`,
  ],
  not_ready: ['El servicio no está listo: {reason}.', 'Mire el registro del nodo y la base de datos.'],
  clock_unknown: ['La respuesta no tiene la cabecera Date.'],
  clock_ok: ['El reloj del servicio es el de esta máquina.'],
  clock_wrong: [
    'Los relojes del servicio y de esta máquina se llevan {seconds} segundos.',
    `${SYNCHRONIZE}: los tokens y los consentimientos terminan según ellos.`,
  ],
  issuer_ok: ['El servicio se llama a sí mismo por su dirección.'],
  host_refused: [
    'El servicio rechaza la cabecera Host que llega: el proxy envía otra.',
    'Haga que el proxy pase la cabecera Host sin cambios.',
  ],
  issuer_unknown: [
    'El servicio no dice cómo se llama: los clientes de OAuth lo rechazan.',
    'Dé a CHARTGATE_BASE_URL de cada nodo la dirección que usan los clientes.',
  ],
  issuer_differs: [
    'El servicio se llama {issuer} y no {baseUrl}: los clientes de OAuth lo rechazan.',
    'Dé a CHARTGATE_BASE_URL de cada nodo la dirección que usan los clientes.',
  ],
  challenge_ok: ['Un agente sin token aprende dónde obtener uno.'],
  challenge_missing: [
    'POST /mcp sin token responde {status} sin nombrar el servidor de autorización: los agentes no pueden entrar.',
    'Haga que el proxy pase el 401 y la cabecera WWW-Authenticate, y que no pida una contraseña propia.',
  ],
  uploads_ok: ['Nada rechaza por delante subidas de {megabytes} MB.'],
  uploads_refused: [
    'Un proxy rechaza subidas de {megabytes} MB.',
    'Suba su límite (nginx: client_max_body_size 0; el servicio tiene límites propios).',
  ],
  certificate_unknown: ['No se sabe cuándo termina el certificado.'],
  certificate_ok: ['El certificado vale {days} días más.'],
  certificate_ends: [
    'El certificado termina en {days} días.',
    'Renuévelo; si eso ocurre solo, mire por qué no ocurrió.',
  ],
  plain_http: [
    'http://{hostname} también responde: quien escribe el nombre sin https envía sus tokens en claro.',
    'Haga que el proxy lleve el puerto 80 a https y envíe Strict-Transport-Security.',
  ],
  no_plain_http: ['Nada se sirve sin TLS.'],
  no_mail_server: ['No hay servidor de correo al que preguntar.'],
  outbox_unusable: [
    'Los correos se guardan como archivos, y el usuario que pregunta no puede escribirlos: {fault}.',
    'Permita que el usuario del servicio escriba en la carpeta CHARTGATE_DATA_DIR, o defina SMTP_URL.',
  ],
  mail_server_ok: ['{host} acepta correos de aquí.'],
  mail_server_refuses: ['{host} no acepta correos: {reason}.', 'Corrija SMTP_URL o repare ese servidor.'],
  no_identity_provider: ['No hay proveedor de identidad configurado.'],
  identity_ok: ['{host} responde; su cliente necesita el URI de redirección {redirectUri}.'],
  identity_wrong: [
    '{host} no responde como proveedor de OpenID Connect: {reason}.',
    'Corrija CHARTGATE_OIDC_ISSUER: debajo está /.well-known/openid-configuration, que lo nombra como su emisor.',
  ],
  no_object_store: ['Los originales y las imágenes de las decisiones se guardan en la base de datos.'],
  object_store_ok: ['{host} guarda, devuelve y borra lo que se le da.'],
  object_store_wrong: [
    '{host} no guarda archivos para el servicio ({reason}).',
    'Corrija CHARTGATE_OBJECT_STORE_URL y sus claves; la clave debe poder guardar, leer y borrar objetos.',
  ],
  backups_unknown: [
    'No se sabe dónde están las copias; CHARTGATE_BACKUP_DIR, o --backups de la orden, nombra su carpeta.',
  ],
  no_backup: ['No hay ninguna copia en {folder}.', BACK_UP],
  backup_broken: ['{file} no es una copia completa.', BACK_UP],
  backup_ok: ['La copia más nueva tiene {hours} horas.'],
  backup_old: ['La copia más nueva tiene {hours} horas.', BACK_UP],
  ...findingsInStore,
  operator_checks: [
    'Varias organizaciones usan esta instalación: sus ajustes, el servidor de correo, el proveedor de identidad, el almacén de objetos, las copias de seguridad, la base de datos y los secretos guardados los comprueba quien la opera, con npx chartgate doctor.',
  ],
  no_walk: ['No se usó ningún paciente de prueba.'],
  walk_needs_address: ['No se usó ningún paciente de prueba: no se llega al servicio.'],
  walk_needs_schema: [
    'No se usó ningún paciente de prueba: el almacén no tiene el esquema de este programa.',
  ],
  walk_needs_key: [
    'No se usó ningún paciente de prueba; con una clave de administrador en CHARTGATE_API_KEY y CHARTGATE_API_SECRET se usa uno.',
  ],
  no_organization: [
    'No existe esa organización.',
    'Nombre con --organization una que exista, o cree una: npx chartgate init.',
  ],
  key_of_another: [
    'Ninguna organización con ese nombre o id tiene la clave de API: una clave es de una organización, y la suya se llama de otro modo.',
    'Dé el nombre o el id de la organización de la clave, o una clave de la que nombró.',
  ],
  several_organizations: ['Hay varias organizaciones; nombre una con --organization.'],
  key_refused: [
    'La clave de API no se acepta: {reason}.',
    'Dé una clave de administrador de esta organización.',
  ],
  enrolled: ['Se creó un paciente de prueba, se inscribió y entró.'],
  not_enrolled: [
    'No se pudo inscribir un paciente de prueba: {reason}.',
    'Busque esta respuesta en el registro del nodo.',
  ],
  uploaded: ['Se subió un expediente y se leyó.'],
  not_uploaded: [
    'No se pudo subir y leer un expediente: {reason}.',
    'npx chartgate jobs muestra lo que se dio por perdido; el registro del nodo dice por qué.',
  ],
  consented: ['El paciente de prueba dio su consentimiento.'],
  not_consented: [
    'El paciente de prueba no pudo dar su consentimiento: {reason}.',
    'Mire el registro del nodo: tampoco puede darlo ningún otro paciente.',
  ],
  read: ['El cliente oficial de MCP leyó el resumen.'],
  not_read: [
    'El cliente oficial de MCP no pudo leer el resumen: {reason}.',
    'Mire el registro del nodo: tampoco puede leer ningún agente.',
  ],
  other_summary: [
    'El resumen que obtuvo el cliente oficial de MCP no es el del paciente de prueba.',
    'Mire el registro del nodo: tampoco puede leer ningún agente.',
  ],
  withdrawn: ['Después de la retirada, la lectura siguiente se rechazó.'],
  not_withdrawn: [
    'El paciente de prueba no pudo retirar su consentimiento: {reason}.',
    'Mire el registro del nodo: tampoco puede retirarlo ningún otro paciente.',
  ],
  read_after_withdrawal: [
    'El expediente se leyó después de la retirada.',
    'Pare el servicio y guarde su registro: se sirvió una lectura que ningún consentimiento cubre.',
  ],
  check_broke: ['La revisión de {step} terminó sola: {reason}.', LOOK_AT_LOG],
};
