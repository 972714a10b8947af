import { patientEs } from '../../../patient/words/es.ts';
import type { Words } from './en.ts';
import { asks } from './es/asks.ts';
import { invitation } from './es/invitation.ts';
import { review } from './es/review.ts';

export const es: Words = {
  ...patientEs,
  confirmIdentity: {
    title: '¿Es usted?',
    lead: 'En este navegador se inició sesión como:',
    yes: 'Sí, soy yo',
    no: 'No, cambiar de cuenta',
    again: {
      missing:
        'Con su respuesta guardamos una imagen de esta página, y todavía no la tenemos. Diga una vez más quién es usted.',
      unsaved:
        'Su respuesta aún no está guardada: con ella guardamos una imagen de esta página, y no la tenemos. Diga una vez más quién es usted. Después responda otra vez.',
      next: 'Su respuesta anterior está guardada. Ahora viene la siguiente decisión. Con ella también guardamos una imagen de esta página. Diga una vez más quién es usted.',
    },
  },
  notEligible: {
    title: 'Esta cuenta no puede responder aquí',
    text: (organization) =>
      `Inició sesión con una cuenta de prueba de otra organización. Una solicitud de ${organization} se responde con otra cuenta.`,
    switch: 'Cambiar de cuenta',
  },
  notLetIn: {
    title: 'Esta aplicación no se puede conectar aquí',
    text: (organization, client) =>
      `${organization} no admite ${client}. No se ha compartido nada. Si quiere saber por qué, pregunte a ${organization}.`,
    back: (client) => `Volver a ${client}`,
  },
  review,
  processing: {
    title: 'Preparamos su historial',
    lead: (client) => `Gracias. En cuanto esté listo, le llevamos de vuelta a ${client}.`,
    wait: 'Puede tardar unos minutos. Puede dejar esta ventana abierta y hacer otra cosa.',
    uploads: 'Documentos que usted subió',
    states: {
      waiting: 'En espera',
      running: 'En curso',
      done: 'Listo',
      later: 'Después',
      failed: 'No se pudo leer',
    },
    summary: (done, all) => `${done} de ${all} listos`,
    failed:
      'No todo se pudo leer. No tiene que hacer nada: lo demás sigue adelante. La página de sus datos dice por qué, y allí puede intentarlo de nuevo.',
    later: (names) =>
      `Ahora no hay respuesta de ${names}. Seguimos sin esperar, y más tarde traemos de allí sus datos.`,
    lost: 'Se perdió la conexión. Seguimos intentando; su decisión está a salvo.',
  },
  goOnWithout: {
    title: 'Aún no está todo aquí',
    text: (names) =>
      `Ahora no hay respuesta de ${names}. Siga sin esperar: más tarde traemos de allí sus datos, y usted no tiene que hacer nada.`,
    goOn: 'Seguir sin esperar',
  },
  returnToClient: {
    title: (client) => `Le llevamos de vuelta a ${client}`,
    text: 'Tarda un momento. Si no pasa nada, siga este enlace:',
    link: (client) => `Volver a ${client}`,
  },
  decidedBefore: {
    title: 'Lo que acaba de elegir no se guardó',
    lead: 'Esta solicitud ya se había respondido antes, en otra ventana. Esa respuesta es la que cuenta.',
    granted: (client) =>
      `La respuesta fue sí: ${client} puede leer su historial. Puede detenerlo en cualquier momento en su propia página.`,
    denied: (client) =>
      `La respuesta fue no a ${client}. Si al final quiere compartir, conéctese otra vez desde la aplicación.`,
    closed:
      'En su propia página ve lo que comparte. Allí puede detenerlo en cualquier momento. Si al final quiere compartir, conéctese otra vez desde la aplicación.',
    goOn: (client) => `Seguir a ${client}`,
  },
  closed: {
    title: 'Esto ya se completó',
    text: 'Puede cerrar esta ventana.',
  },
  link: {
    expiredTitle: 'Este enlace ya no funciona',
    expired:
      'Un enlace sirve una sola vez y por un tiempo limitado. Si ya lo usó, no lo necesita más. Si no, puede pedir uno nuevo.',
    perhapsDone:
      'Si acaba de elegir aquí su contraseña, puede que ya esté guardada. Inicie sesión con ella. Si no funciona, pida un enlace nuevo.',
    reopenTitle: 'Abra otra vez el enlace de su correo',
    reopen:
      'Por su seguridad, esta página olvida el enlace cuando se vuelve a cargar. Vaya a su correo y siga el enlace otra vez.',
    requestNew: 'Pedir un enlace nuevo',
    create: 'Elija una contraseña',
    createLead: 'Es el último paso para crear su cuenta.',
    renew: 'Elija una contraseña nueva',
    account: 'Su cuenta',
    submitCreate: 'Crear mi cuenta',
    submitRenew: 'Guardar e iniciar sesión',
  },
  emailLink: {
    title: '¿Usar esta dirección de correo?',
    lead: (email) =>
      `Su cuenta tendrá entonces la dirección ${email}. Con ella iniciará sesión, y allí llegarán los correos sobre sus datos.`,
    account:
      'Ha iniciado sesión en la cuenta que la recibirá. Su nombre, y la dirección que tiene hasta ahora:',
    confirm: 'Sí, usar esta dirección',
    cancel: 'No lo he pedido yo',
    askedTitle: '¿Ha pedido una nueva dirección de correo?',
    askedLead: (email) =>
      `Alguien ha pedido para su cuenta la dirección ${email}. Si ha sido usted, inicie sesión aquí en esa cuenta. Después podrá confirmarla.`,
    askedByOther:
      'Si no ha sido usted, dígalo abajo. De lo contrario, la cuenta de otra persona podría tener su dirección y ver lo que es para usted.',
    signIn: 'Sí, iniciar sesión',
    signInLead: (email) =>
      `Inicie sesión con la dirección que su cuenta tiene hasta ahora. Después podrá darle la dirección ${email}.`,
    otherTitle: 'Este enlace es para otra cuenta',
    otherLead: (name, email) => `Ha iniciado sesión como ${name} (${email}). Esta cuenta sigue como está.`,
    otherNext: (email) =>
      `Es otra cuenta la que recibiría la dirección ${email}. Si esa también es suya, inicie sesión en ella y confírmela allí.`,
    otherHasAddress: (email) =>
      `Alguien ha pedido la dirección ${email} para otra cuenta. La tiene la suya, así que la otra no puede recibirla.`,
    otherSignIn: 'Iniciar sesión en la otra cuenta',
    cancelled: 'No ha cambiado nada',
    cancelledLead: (email) =>
      `Por este enlace ninguna cuenta recibe la dirección ${email}. El enlace ya no funciona.`,
    cancelledNext: 'No tiene que hacer nada más. Puede cerrar esta página.',
    cancelledOwn:
      'Ha iniciado sesión en la cuenta que la iba a recibir. Quien la pidió conoce su contraseña. Si no fue usted, elija otra contraseña en «Inicio de sesión».',
    notCancelled:
      'Por eso ya no había nada que anular. El enlace se usó o se anuló antes, o su tiempo ha pasado.',
    notCancelledNext: (email) =>
      `Si se usó, una cuenta tiene la dirección ${email}. Si se anuló, o su tiempo ha pasado, ninguna cuenta la recibe por él.`,
    changed: 'Su dirección de correo ha cambiado',
    changedLead: (email) => `Desde ahora inicia sesión con ${email}.`,
    restoreTitle: '¿Recuperar su cuenta?',
    restoreLead: (email) =>
      `Su cuenta tendrá otra vez la dirección ${email}. Los navegadores y las llaves de acceso que ahora entran en ella dejarán de hacerlo.`,
    restoreNext:
      'Justo después elegirá una contraseña nueva. Luego mire «Sus datos»: detenga lo que no aceptó y desconecte las aplicaciones que no conozca.',
    restore: 'Recuperar mi cuenta',
    reopen:
      'Esta página ya no tiene el enlace. Si ya lo usó, no lo necesita más. Si no, siga otra vez el enlace de su correo. Si no funciona, inicie sesión y pida un enlace nuevo en «Inicio de sesión».',
    forgotten:
      'Escriba la dirección que su cuenta tiene hasta ahora. Allí enviamos un correo con un enlace para elegir una contraseña nueva. Después, el enlace a la nueva dirección ya no funciona, y tendrá que pedirlo otra vez.',
    afterReset:
      'Elija allí su contraseña. Después pida otra vez la nueva dirección: en su cuenta, en «Inicio de sesión».',
    gone: 'Un enlace sirve una sola vez, por un tiempo limitado y solo mientras no cambie la contraseña. Si ya confirmó la dirección, no lo necesita más. Si no, inicie sesión y pida un enlace nuevo en «Inicio de sesión».',
    takenTitle: 'Esta dirección tiene otra cuenta',
    taken:
      'Entretanto alguien creó una cuenta con esta dirección de correo. No ha cambiado nada. Si fue usted, inicie sesión con ella. O elimine antes esa cuenta y siga el enlace otra vez.',
  },
  signedIn: {
    title: 'Ha iniciado sesión',
    text: 'Vuelva a la ventana donde empezó. Si está en este navegador, continuará por sí sola.',
    elsewhere:
      'Si empezó en otro navegador u otro dispositivo, elija allí «Ya lo hice» e inicie sesión con su contraseña.',
  },
  accountRestored: {
    title: 'Su cuenta vuelve a ser suya',
    lead: 'Su contraseña nueva está guardada, y ha iniciado sesión. Ahora mire «Sus datos»: detenga lo que no aceptó y desconecte las aplicaciones que no conozca.',
    link: 'Mirar «Sus datos»',
  },
  invitation,
  asks,
  start: {
    title: 'Usted decide quién lee su historial médico',
    lead: 'Cuando una aplicación o una organización pide su historial médico, aquí ve quién lo pide y para qué. Después dice que sí o que no.',
    signIn: 'Iniciar sesión',
    signedInAs: (name, email) => `Ha iniciado sesión como ${name} (${email}).`,
    waiting:
      'No hay ninguna solicitud abierta en esta ventana. Para empezar una, conéctese desde la aplicación que quiera usar.',
  },
  myDataLink: 'Ver lo que comparte',
};
