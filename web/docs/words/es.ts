import type { HomeWords } from './en.ts';

export const es: HomeWords = {
  title: 'Chartgate',
  lead: 'Un agente de IA o un sistema asociado lee el historial médico de una persona solo mientras ella lo permite.',
  readers: {
    patients: {
      title: 'Sus propios datos de salud',
      text: 'Vea quién lee su historial médico y qué lee, y deténgalo cuando quiera.',
      link: 'Abrir sus datos',
    },
    agents: {
      title: 'Usted desarrolla un agente de IA',
      text: 'Su agente solo necesita una dirección. Lo demás lo encuentra por sí mismo, y pregunta a la persona.',
      link: 'Conectar un agente (en inglés)',
    },
    partners: {
      title: 'Usted dirige un estudio o un sistema asociado',
      text: 'Invite a personas, lea historiales completos en FHIR y sepa enseguida cuándo termina un consentimiento.',
      link: 'Leer la guía (en inglés)',
    },
    operators: {
      title: 'Usted trabaja en una organización de este servicio',
      text: 'Proyectos, pacientes, consentimientos, webhooks y claves.',
      link: 'Abrir la consola',
      documentation: 'Administrar el servicio (en inglés)',
    },
  },
  more: 'Toda la documentación (en inglés)',
  otherLanguage: 'English',
  languages: 'Idioma',
};
