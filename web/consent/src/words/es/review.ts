import type { Words } from '../en.ts';

/** The review before a decision. */
export const review: Words['review'] = {
  title: (client) => `¿Permite que ${client} lea su historial médico?`,
  who: 'Quién lo pide',
  why: 'Para qué es',
  organization: 'Organización',
  project: 'Proyecto',
  purpose: 'Propósito',
  ownRequest: (client) => `A petición suya, para que ${client} pueda responderle con su historial.`,
  what: 'Qué podrá leer',
  whole: (organization) => `Todo su historial médico, tal como lo guarda ${organization}:`,
  groups: [
    'Problemas de salud, actuales y pasados',
    'Medicamentos',
    'Alergias',
    'Resultados de laboratorio',
    'Signos vitales, como la presión arterial y el peso',
    'Procedimientos y cirugías',
    'Vacunas',
    'Consultas y visitas al hospital',
    'Notas de su equipo médico',
    'Su nombre, fecha de nacimiento y datos de contacto',
  ],
  sensitive:
    'Incluye asuntos privados, si están en su historial. Por ejemplo: salud mental, VIH, embarazo, consumo de alcohol y drogas.',
  readOnly: 'Solo puede leer. No puede cambiar nada.',
  offline: 'También cuando usted no está',
  offlineText: (client) =>
    `${client} podrá leer su historial también en otros momentos, sin preguntarle cada vez.`,
  onlyNow: 'Solo por poco tiempo',
  onlyNowText: (client) => `Para leer más después, ${client} tendrá que volver a preguntarle aquí.`,
  howLong: 'Por cuánto tiempo',
  until: (date) => `Hasta el ${date}. Después termina por sí solo.`,
  stopping: 'Cómo detenerlo',
  stoppingText:
    'Puede detenerlo en cualquier momento y por cualquier motivo. Tiene efecto de inmediato. Inicie sesión aquí:',
  goodToKnow: 'Lo que conviene saber',
  passedOn: (client) =>
    `Lo que ${client} haya leído, puede guardarlo o compartirlo. Es posible que las leyes de privacidad médica ya no lo protejan. Detenerlo después no lo deshace.`,
  noEffect: (organization) =>
    `Usted es libre de decir que no. No cambia nada más: ni su atención, ni sus pagos, ni sus beneficios, ni nada entre usted y ${organization}.`,
  decide: 'Su decisión',
  signing: (name, email) =>
    `Usted decide como ${name} (${email}). Guardamos su respuesta con la fecha y la hora. Vale como su firma.`,
  allow: 'Permitir',
  deny: 'No permitir',
};
