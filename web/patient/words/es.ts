import type { PatientWords } from './en.ts';
import { data } from './es/data.ts';

export const patientEs: PatientWords = {
  common: {
    otherLanguage: 'English',
    oneMoment: 'Un momento …',
    unnamedClient: 'Aplicación sin nombre',
    signOut: 'Cerrar sesión',
    back: 'Volver',
    tryAgain: 'Intentar de nuevo',
    problem: 'Hay un problema',
    footer: 'Usted decide quién lee su historial médico.',
    reveal: {
      show: 'Mostrar',
      hide: 'Ocultar',
      showLabel: 'Mostrar contraseña',
      hideLabel: 'Ocultar contraseña',
    },
  },
  form: {
    email: 'Correo electrónico',
    password: 'Contraseña',
    newPassword: 'Contraseña nueva',
    newPasswordHint: 'Al menos 12 caracteres. Varias palabras seguidas funcionan bien.',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    emailMissing: 'Escriba su correo electrónico',
    emailWrong: 'Escriba un correo electrónico como nombre@ejemplo.com',
    passwordMissing: 'Escriba su contraseña',
    passwordShort: 'Elija una contraseña de al menos 12 caracteres',
    passwordWeak:
      'Esta contraseña es fácil de adivinar: es muy común, una serie de teclas, una repetición o contiene su nombre o su dirección. Elija varias palabras que no tengan nada que ver entre sí.',
    passwordLong: 'Elija una contraseña de 200 caracteres como máximo',
    firstNameMissing: 'Escriba su nombre',
    lastNameMissing: 'Escriba sus apellidos',
  },
  authorities: {
    parent: 'Soy su padre o su madre',
    guardian: 'Soy su tutor legal',
    'power-of-attorney': 'Tengo un poder notarial',
    other: 'La ley me lo permite por otro motivo',
  },
  errors: {
    wrongPassword: 'El correo electrónico o la contraseña no es correcto. Revise los dos e intente de nuevo.',
    throttled: 'Hubo demasiados intentos. Espere un poco y vuelva a intentarlo.',
    throttledUntil: (time) => `Hubo demasiados intentos. Puede volver a intentarlo a las ${time}.`,
    unreachable: 'El servicio no respondió como debía. Revise su conexión e intente de nuevo.',
    tooLarge:
      'El servicio no aceptó su respuesta porque era demasiado grande. No se comparte nada. Avise a la organización que lo pide.',
    notSaved: 'Su respuesta no se guardó. Nada ha cambiado.',
    maybeSaved:
      'El servicio no respondió como debía. No sabemos si su respuesta se guardó. Inténtelo de nuevo: cuenta una sola vez. En su propia página ve lo que comparte.',
    outcomeUnknown:
      'No sabemos si esto se guardó. Vuelva a cargar la página y compruébelo antes de repetirlo.',
    stalePage: 'Esta página estuvo abierta demasiado tiempo. Vuelva a cargarla y continúe.',
    notFound: 'Esto ya no está aquí. Vuelva a cargar la página para ver cómo está ahora.',
    consentChanged: 'Lo que comparte ha cambiado entre tanto. Mire otra vez lo que elige y después decida.',
    choicesChanged:
      'Usted eligió otra cosa en otra ventana. Esta página ya la muestra. Mírela otra vez y después decida.',
    contentChanged:
      'El proyecto acaba de cambiar lo que le dice. Vuelva arriba, lea «Para qué es» otra vez y después decida.',
    notTaken:
      'El servicio no pudo recibir su respuesta. Revise que la fecha y la hora de este dispositivo sean correctas. Después intente de nuevo.',
    notPictured:
      'No pudimos tomar la imagen de esta página que guardamos con un sí. Todavía no se comparte nada. Intente de nuevo.',
    invalid: 'Algo no está escrito como debe ser. Revíselo e intente de nuevo.',
  },
  lostAction: {
    signInAgain: 'Su sesión se cerró. Lo que acaba de hacer no se hizo. Inicie sesión para seguir.',
    doAgain: 'Su sesión se había cerrado. Lo que hizo antes no se hizo. Hágalo otra vez.',
    otherPerson: 'Ahora otra persona tiene la sesión en este navegador. Lo que acaba de hacer no se hizo.',
    decidedBefore:
      'Lo que acaba de elegir no se guardó. Usted ya había respondido antes, en otra ventana, y esa respuesta es la que cuenta. Puede cambiarla en cualquier momento.',
  },
  requester: {
    asks: (client, organization) =>
      `${client} pide permiso para leer su historial médico en un proyecto de ${organization}.`,
    signInFirst: 'Primero inicie sesión. Después verá qué se le pide, y usted decide.',
    verified: (host) => `Verificado por ${host}`,
    knownBy: (organization) => `${organization} conoce esta aplicación`,
    unverified: 'Sin verificar: nadie ha comprobado quién está detrás de este nombre',
    looksLike: (client, other) =>
      `Esta aplicación dice llamarse ${client}. Nadie ha comprobado si es de ${other}.`,
    looksLikeAdvice:
      'Una aplicación falsa puede usar un nombre conocido para obtener su historial. Continúe solo si usted empezó esto, en un lugar de su confianza.',
    answersTo: (host) => `Su respuesta se envía a ${host}`,
    thisDevice: 'un programa de este dispositivo',
    onThisDevice: 'Es un programa de este dispositivo.',
    startedYourself: 'Continúe solo si usted inició esto, en un programa de su confianza.',
    deny: (client) => `No, volver a ${client}`,
  },
  signIn: {
    title: 'Iniciar sesión',
    submit: 'Iniciar sesión',
    signUp: 'Crear una cuenta',
    forgotten: '¿Olvidó su contraseña?',
    noAccount: '¿Es su primera vez aquí?',
  },
  signUp: {
    title: 'Crear una cuenta',
    lead: 'Le enviamos un correo con un enlace. Así sabemos que la dirección es suya.',
    hint: 'Si recibió una invitación, use la dirección a la que llegó.',
    submit: 'Enviarme el enlace',
  },
  forgotten: {
    title: 'Elegir una contraseña nueva',
    lead: 'Le enviamos un correo con un enlace. Con él puede elegir una contraseña nueva.',
    submit: 'Enviarme el enlace',
  },
  mailSent: {
    title: 'Revise su correo',
    sentTo: (email) => `Si todo está bien, un correo va en camino a ${email}.`,
    steps: [
      'Abra nuestro correo. Puede tardar uno o dos minutos.',
      'Siga el enlace, de preferencia en este mismo navegador.',
      'Elija allí su contraseña. Esta ventana continuará por sí sola.',
    ],
    elsewhere: '¿Eligió su contraseña en otro dispositivo o en otro navegador?',
    done: 'Ya lo hice',
    again: 'Enviar otra vez',
    sentAgain:
      'Si en la última hora salieron menos de tres correos a esa dirección, uno nuevo está en camino. No enviamos más de tres por hora.',
    nothing:
      '¿No llega el correo? Mire en la carpeta de spam o revise que la dirección de arriba sea correcta.',
    another: 'Usar otra dirección',
    waiting: 'Esperando a que siga el enlace …',
  },
  data,
  errorScreens: {
    expired: {
      title: 'Esta solicitud ha vencido',
      text: 'Una solicitud está abierta solo por un tiempo. Vuelva a la aplicación donde empezó y conéctese de nuevo. No se compartió nada.',
    },
    unknown: {
      title: 'No conocemos esta solicitud',
      text: 'El enlace puede estar incompleto o ser antiguo. Vuelva a la aplicación donde empezó y conéctese de nuevo.',
    },
    unknownInvitation: {
      title: 'No conocemos esta invitación',
      text: 'El enlace puede estar incompleto o ser antiguo. Abra otra vez el enlace de su correo, o pregunte a la organización que le invitó. No se compartió nada.',
    },
    'other-browser': {
      title: 'Continúe en el navegador donde empezó',
      text: 'Por su seguridad, una solicitud solo se puede responder en el navegador donde empezó. Vuelva a esa ventana. Si no la encuentra, conéctese de nuevo desde la aplicación.',
    },
    'stale-page': {
      title: 'Vuelva a cargar esta página',
      text: 'No pudimos comprobar que esto viene de nuestra propia página. Al cargarla de nuevo se arregla. Su navegador tiene que aceptar las cookies de este sitio.',
    },
    throttled: { title: 'Demasiados intentos' },
    unreachable: {
      title: 'No podemos conectar con el servicio',
      text: 'Revise su conexión e intente de nuevo. Si continúa, espere unos minutos. No se pierde nada.',
    },
    reload: 'Cargar de nuevo',
  },
  passkeySignIn: {
    submit: 'Entrar con una llave de acceso',
    notKnown: 'No conocemos esta llave de acceso. Use otra o inicie sesión con su contraseña.',
    failed: 'No funcionó. Inténtelo de nuevo o inicie sesión con su contraseña.',
  },
  oldPasskeys: {
    lead: 'También puede entrar con una llave de acceso, sin la contraseña:',
    item: (name, day) => `«${name}», creada el ${day}`,
    remove: {
      one: 'Quitar también esta llave de acceso',
      many: 'Quitar también estas llaves de acceso',
    },
    hint: 'Deje la casilla marcada si otra persona pudo entrar en su cuenta. Puede volver a crear su propia llave de acceso.',
  },
  testPatient: 'Paciente de prueba',
};
