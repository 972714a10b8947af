import type { PatientWords } from '../en.ts';

/** Of how far those who were invited have come. */
export const funnel: PatientWords['funnel'] = {
  title: 'De la invitación a la decisión',
  lead: (weeks) =>
    `Quienes recibieron la primera invitación en las últimas ${weeks} semanas. Quien ya no participa no se cuenta.`,
  empty: 'No se invitó a nadie en el último medio año.',
  step: 'Paso',
  people: 'Personas',
  part: 'De los invitados',
  median: 'Tiempo mediano desde la invitación',
  now: 'Quién está ahí ahora',
  steps: {
    invited: 'Con invitación',
    opened: 'Abrió la invitación',
    hasAccount: 'Tiene cuenta',
    consented: 'Dijo que sí',
    declined: 'Dijo que no',
  },
  byWeek: 'Por la semana de la invitación',
  week: 'Semana desde',
  outcomes: { consented: 'Dijo que sí', declined: 'Dijo que no', undecided: 'Sin decidir' },
};
