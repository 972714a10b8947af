import type { PatientWords } from '../en.ts';

/** Of ending the enrollments of a filter. */
export const endAll: PatientWords['endAll'] = {
  title: 'Terminar inscripciones',
  counting: 'Contando …',
  nobody: 'Nadie de este filtro participa ahora.',
  matched: {
    one: 'Una inscripción de este filtro termina, de inmediato.',
    many: (count) => `${count} inscripciones de este filtro terminan, de inmediato.`,
  },
  consenting: {
    none: 'Ninguna tiene un consentimiento en vigor.',
    one: 'Una de ellas tiene un consentimiento en vigor. También termina, y ya nadie puede leer ese historial para el proyecto.',
    many: (count) =>
      `${count} de ellas tienen un consentimiento en vigor. También terminan, y ya nadie puede leer esos historiales para el proyecto.`,
  },
  mailed:
    'Cada persona recibe un correo que lo dice, en nombre de su organización, y lo ve en su propio registro. Lo que se decidió queda registrado. No se puede deshacer: a quien se inscribe de nuevo se le pregunta otra vez.',
  confirm: 'Terminarlas',
  moreMatched: 'Alguien se inscribió o llegó a este estado después de contar. Cierre esto y cuente otra vez.',
  progress: (done, all) => `${done} de ${all} terminadas`,
  done: {
    one: 'Ha terminado una inscripción.',
    many: (count) => `Han terminado ${count} inscripciones.`,
  },
};
