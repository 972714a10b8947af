import type { Words } from '../en.ts';

/** A person's own page. */
export const myData: Words['myData'] = {
  title: 'Sus datos',
  lead: 'Aquí ve quién puede leer su historial médico. Puede detenerlo en cualquier momento.',
  signInFirst: 'Inicie sesión para ver quién puede leer su historial médico y para detenerlo.',
  link: 'Ver lo que comparte',
  account: 'Su cuenta',
  share: 'Lo que comparte',
  nothing: 'Ahora no comparte su historial médico con nadie.',
  since: 'Desde',
  until: 'Hasta',
  apps: 'Aplicaciones que pueden leerlo',
  noApps: 'Ahora no hay ninguna aplicación conectada.',
  connected: (time) => `Conectada el ${time}`,
  stop: 'Dejar de compartir',
  stopWith: (organization, project) => `con ${organization}, ${project}`,
  stopTitle: (organization) => `¿Dejar de compartir con ${organization}?`,
  appsStop: (apps) => `Estas aplicaciones se detienen de inmediato: ${apps}.`,
  noneReads: 'Desde ese momento, ninguna aplicación puede leer su historial para este proyecto.',
  notTakenBack:
    'Lo que ya se leyó no se puede deshacer. Si cambia de opinión, conéctese de nuevo desde la aplicación.',
  yesStop: 'Sí, dejar de compartir',
  keep: 'Seguir compartiendo',
  stopped: (organization, project) =>
    `Ha dejado de compartir con ${organization} (${project}). Ninguna aplicación puede leer ahora su historial para ese proyecto.`,
};
