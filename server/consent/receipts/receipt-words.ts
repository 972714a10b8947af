/** What every receipt says about the patient's rights, in the languages of the consent page. */
export interface ReceiptWords {
  /** What the review says in the place of a purpose where the project has no words: of an app, of an organization that asks. */
  askedByPatient(client: string): string;
  notSaid(organization: string): string;
  unnamedClient: string;
  storage: string;
  withdrawal(page: string): string;
  rights: {
    /** While the consent is in force. */
    sharing: readonly string[];
    /** As long as there is an account. */
    data: readonly string[];
  };
}

const ENGLISH: ReceiptWords = {
  askedByPatient: (client) => `You ask for it yourself, so that ${client} can use your record to help you.`,
  notSaid: (organization) => `${organization} has not said what for. Ask them before you decide.`,
  unnamedClient: 'Unnamed app',
  storage:
    'The record stays with the service that issued this receipt. Whoever it is shared with reads it there while the consent holds, and may keep what they have read.',
  withdrawal: (page) => `At any time, without a reason, on your own page: ${page}`,
  rights: {
    sharing: ['take the consent back', 'share less than before'],
    data: [
      'see who read your data, when and by which app',
      'download your data',
      'have your account and your data deleted',
    ],
  },
};

const SPANISH: ReceiptWords = {
  askedByPatient: (client) => `Lo pide usted, para que ${client} use su historial y le ayude.`,
  notSaid: (organization) => `${organization} no ha dicho para qué. Pregúntele antes de decidir.`,
  unnamedClient: 'Aplicación sin nombre',
  storage:
    'El historial permanece en el servicio que emitió este recibo. Quien lo recibe lo lee allí mientras dura el consentimiento, y puede conservar lo que ha leído.',
  withdrawal: (page) => `En cualquier momento y sin dar motivos, en su propia página: ${page}`,
  rights: {
    sharing: ['retirar el consentimiento', 'compartir menos que antes'],
    data: [
      'ver quién leyó sus datos, cuándo y con qué aplicación',
      'descargar sus datos',
      'pedir que se eliminen su cuenta y sus datos',
    ],
  },
};

export const getReceiptWords = (language: string): ReceiptWords => (language === 'es' ? SPANISH : ENGLISH);
