import type { SignInWords } from '../en/sign-in.ts';

export const signIn: SignInWords = {
  title: 'Iniciar sesión en la consola',
  lead: 'Para quienes trabajan en una organización que usa este servicio.',
  submit: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  wrong: 'El correo electrónico o la contraseña no son correctos.',
  emailMissing: 'Escriba su correo electrónico',
  passwordMissing: 'Escriba su contraseña',
  codeTitle: 'Su segundo factor',
  codeLead:
    'Escriba el código que muestra ahora su aplicación de autenticación, o entre con su llave de acceso.',
  code: 'Código',
  codeHint: 'Seis cifras. ¿No tiene la aplicación a mano? Escriba uno de sus códigos de recuperación.',
  codeMissing: 'Escriba el código',
  wrongCode: 'Este código no es correcto, o ya se usó. Espere al siguiente.',
  oidc: {
    submit: 'Entrar con la cuenta de su organización',
    only: (host) =>
      `Todos entran en ${host}. ¿No puede entrar? Quien administra este servicio puede ayudarle.`,
    confirm: 'Confirmar con la cuenta de su organización',
    confirmHint: 'Sale de esta página y vuelve a ella; pulse después otra vez el mismo botón.',
    refusedTitle: 'No ha iniciado sesión',
    back: 'Volver a la consola',
    refusals: {
      oidc_failed: 'No se pudo entrar en su organización. Empiece de nuevo.',
      oidc_other_person:
        'Allí está la sesión de otra persona, o de otro correo electrónico. Ciérrela allí y empiece de nuevo.',
      oidc_unavailable:
        'El inicio de sesión de su organización no responde. Inténtelo de nuevo en un momento.',
      no_role:
        'Ninguno de sus grupos tiene una función aquí. Pregunte a quien administra los grupos de su organización.',
      email_unverified: 'Su organización no ha verificado su correo electrónico. Pídalo y empiece de nuevo.',
      member_removed:
        'Se le retiró del equipo. Pida una invitación a un propietario o administrador y entre aquí de nuevo.',
      not_joined:
        'Un miembro tiene este correo electrónico. Si es usted, entre como antes y una los dos accesos en la página Perfil, o pida a quien administra este servicio que restablezca su acceso. Si otra persona tuvo la dirección antes que usted, pida a un propietario o administrador que retire a ese miembro.',
      address_taken:
        'Su correo electrónico entra en otra organización. No es la de esta cuenta: entre con su contraseña.',
      too_many_members:
        'Hay tantos miembros como puede tener una organización. Pregunte a un propietario o administrador.',
      bad_subject:
        'Su organización le nombra de una manera que aquí no se puede guardar. Diga a quien administra su inicio de sesión que «sub» está vacío, es demasiado largo o tiene caracteres de control.',
      identity_taken: 'Esta cuenta ya es de otro miembro.',
      use_oidc: 'Entre con la cuenta de su organización: está unida con este acceso.',
      oidc_only: 'Entre con la cuenta de su organización.',
    },
  },
  passkey: {
    submit: 'Entrar con una llave de acceso',
    notKnown: 'Aquí no se conoce esta llave de acceso. Use otra, o inicie sesión con su contraseña.',
    none: 'Aquí no tiene ninguna llave de acceso. Confirme de otra manera.',
    failed: 'No funcionó. Inténtelo de nuevo, o use otra manera.',
    onThis: { phone: 'Mi teléfono', tablet: 'Mi tableta', computer: 'Mi computadora' },
  },
  back: 'Atrás',
  lockedOut:
    '¿No puede entrar? Otro propietario o administrador puede restablecer su acceso en la página Equipo.',
  patients: '¿Es usted paciente? Su página está aquí.',
  forgotten: {
    link: '¿Olvidó su contraseña?',
    title: 'Una contraseña nueva por correo',
    lead: 'Le enviamos un enlace con el que elige una contraseña nueva. Su segundo factor no cambia.',
    submit: 'Enviarme un enlace',
    sentTitle: 'Mire su correo',
    sent: 'Si esta dirección es de un miembro, hay un enlace en camino. Sirve una vez, durante una hora.',
    kept: 'Este servicio no tiene servidor de correo: el enlace se guarda como archivo en la carpeta «outbox» de sus datos. Pídalo a quien opera el servicio.',
    newTitle: 'Elija una contraseña nueva',
    newLead: 'Después entra con ella, y con su segundo factor como siempre.',
    gone: 'Este enlace se usó, o su hora ha pasado. Pida otro en la página de inicio de sesión.',
    doneTitle: 'Su contraseña ha cambiado',
    done: 'Se ha cerrado su sesión en todas partes. Entre con la contraseña nueva.',
  },
  setup: {
    passwordTitle: 'Elija su propia contraseña',
    passwordLead: 'La contraseña que le dieron no abre más que esta página.',
    currentPassword: 'La contraseña que le dieron',
    newPassword: 'Contraseña nueva',
    newPasswordHint: 'Al menos 12 caracteres. Unas cuantas palabras seguidas funcionan bien.',
    passwordShort: 'Elija una contraseña de al menos 12 caracteres',
    passwordLong: 'Elija una contraseña de 200 caracteres como máximo',
    passwordWeak:
      'Esta contraseña es fácil de adivinar. Elija unas palabras que no tengan que ver entre sí, ni con usted.',
    passwordSame: 'Elija otra contraseña que la que tiene',
    savePassword: 'Guardar la contraseña',
    factorTitle: 'Configure su segundo factor',
    factorLead:
      'Una contraseña sola se puede robar. Una aplicación de autenticación en su teléfono es la segunda prueba.',
    choiceLead: 'Una contraseña sola se puede robar. Elija la segunda prueba de que es usted.',
    passkeyLead:
      'Lo más rápido: su huella, su rostro o el bloqueo de su pantalla. Nadie puede adivinarlo ni sacárselo con engaños.',
    passkey: 'Crear una llave de acceso',
    passkeyFailed:
      'Su dispositivo no pudo crear una llave de acceso. Inténtelo de nuevo, o use una aplicación de autenticación.',
    appLead: 'O una aplicación de su teléfono que muestra un código de seis cifras cada vez que entra.',
    chooseOther: 'Elegir otra manera',
    steps: [
      'Abra una aplicación de autenticación en su teléfono, o instale una.',
      'Escanee este código con ella.',
      'Escriba las seis cifras que la aplicación muestra entonces.',
    ],
    begin: 'Configurar una aplicación de autenticación',
    qrCode: 'Código QR para la aplicación de autenticación',
    cannotScan: '¿No puede escanearlo? Escriba esta clave en la aplicación:',
    key: 'la clave',
    activate: 'Activarla',
    codeMissing: 'Escriba las seis cifras',
    recoveryTitle: 'Sus códigos de recuperación',
    recoveryLead:
      'Si pierde su teléfono, cada uno de estos diez códigos le deja entrar una vez. Se muestran ahora y nunca más.',
    recoveryCodes: 'los códigos de recuperación',
    print: 'Imprimirlos',
    storedCodes: 'He guardado los códigos',
    finish: 'Ir a la consola',
    signOut: 'Cerrar sesión',
  },
  invitation: {
    title: (organization) => `${organization} le invita`,
    lead: (email, role) => `Será miembro como ${email}, con la función ${role}.`,
    resetTitle: 'Elija de nuevo su contraseña',
    resetLead: (organization) =>
      `Alguien de ${organization} le permite elegir de nuevo su contraseña y su segundo factor.`,
    name: 'Su nombre',
    nameHint: 'Como le conocen sus colegas; aparece en el registro de auditoría.',
    nameMissing: 'Escriba su nombre',
    accept: 'Aceptar la invitación',
    reset: 'Guardar y continuar',
    goneTitle: 'Esta invitación ya no funciona',
    gone: 'Se usó o se retiró, o su plazo ha terminado. Pida otra a quien le invitó.',
    taken: 'Esta dirección ya entra en otra organización. Pida una invitación para otra dirección.',
    orHere: 'O elija aquí una contraseña propia:',
    elsewhere: (host, email) =>
      `Entre con su cuenta en ${host} que tiene la dirección ${email}. No necesita otra contraseña; los grupos de allí dicen qué función tiene aquí.`,
    resetElsewhere: (host) =>
      `Ahora todos entran en ${host}, sin contraseña de aquí. ¿No puede entrar? Quien administra este servicio puede ayudarle.`,
    reopenTitle: 'Abra de nuevo el enlace de su correo',
    reopen: 'Por su seguridad, esta página olvida el enlace cuando se vuelve a cargar.',
    toSignIn: 'Ir a la página de inicio de sesión',
  },
};
