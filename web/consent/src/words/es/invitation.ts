import type { Words } from '../en.ts';

/** From an organization's invitation to what comes after the decisions. */
export const invitation: Words['invitation'] = {
  title: (organization) => `${organization} le invita`,
  lead: (organization) =>
    `${organization} le pide algo sobre su historial médico. Con una cuenta puede ver qué se le pide, y usted decide. Antes de eso no se comparte nada.`,
  onlyInvited: (organization) =>
    `Use la dirección de correo a la que le escribió ${organization}. El enlace solo no basta: una cuenta con otra dirección no tiene invitación aquí. Si ${organization} no le escribió, pregunte allí primero.`,
  signInFirst: (organization) =>
    `${organization} le invita. Primero inicie sesión, con la dirección de correo en la que recibió la invitación. Después verá qué se le pide, y usted decide.`,
  questions: '¿Preguntas? Aquí responden:',
  notInvitedTitle: 'Esta cuenta no tiene una invitación aquí',
  notInvited: (organization) =>
    `${organization} invitó a otra persona, o la invitación ya terminó. Si le invitaron a usted, inicie sesión con la dirección de correo en la que recibió la invitación. No se compartió nada.`,
  place: (number, all) => `Decisión ${number} de ${all}`,
  readyTitle: 'Su cuenta está lista',
  ready: (organization) => `${organization} no le pide nada ahora. Esto es lo que puede hacer aquí:`,
  decidedTitle: 'Sus decisiones están guardadas',
  countsTitle: 'Esto es lo que cuenta ahora',
  counts: 'Estas son las respuestas guardadas. Para cambiar una, elija lo que está debajo de ella.',
  shared: 'Gracias. Recibirá un correo con su recibo. Esto es lo que puede hacer ahora:',
  notShared:
    'No comparte nada aquí, y nada más cambia para usted. Puede cambiar de opinión en cualquier momento.',
  notSharedHere: (organization, consents) =>
    `Con estas respuestas no comparte nada. ${organization} puede seguir leyendo su historial, por otro sí de usted: ${consents}. Puede detenerlo en su propia página.`,
  stillReads: (organization, consents) =>
    `${organization} puede seguir leyendo su historial, por otro sí de usted: ${consents}.`,
  receipt: 'Su recibo, para leer o imprimir',
  decisions: (organization) => `Lo que decidió para ${organization}`,
  types: {
    DATA_AUTHORIZATION: 'La organización lee su historial médico',
    PATIENT_DIRECTED_DATA_EXCHANGE:
      'La organización y las aplicaciones que usted elija leen su historial médico',
    FUTURE_DATA_USE: 'Sus datos se usan en investigaciones futuras',
  },
  until: (date) => `Dijo que sí. Termina por sí solo el ${date}.`,
  refusedOn: (date) => `Dijo que no el ${date}.`,
  withdrawnOn: (date) => `Usted lo detuvo el ${date}.`,
  lookAgain: 'Volver a verlo',
  decideAgain: 'Decidir otra vez',
  addRecordsTitle: 'Añada sus datos médicos',
  addRecords: 'Solo hay algo que leer cuando sus datos están aquí. Puede traer archivos de sus médicos.',
  addRecordsLink: 'Añadir datos',
  connectTitle: 'Conecte una aplicación',
  connect:
    'Puede permitir que una aplicación o un agente de IA que usted elija lea su historial. Antes le pregunta aquí. Dele esta dirección:',
  address: 'La dirección',
  copyAddress: 'Copiar la dirección',
  qrCode: 'Código QR de la dirección',
  scan: 'O escanéela con el dispositivo en el que está la aplicación.',
  command: 'Para Claude Code, esta es la orden:',
  copyCommand: 'Copiar la orden',
  copied: 'Copiado.',
  connectNext:
    'La aplicación le lleva después de vuelta aquí. Verá quién lo pide y para qué, y dirá que sí o que no.',
  yourDataTitle: 'Sus datos',
  yourData:
    'Vea lo que comparte, quién lo leyó y cuándo. Allí puede compartir menos, o dejar de hacerlo, en cualquier momento.',
};
