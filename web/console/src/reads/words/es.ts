import { categories } from '../../consents/words/es/categories.ts';
import type { ReadsWords } from './en.ts';

export const reads: ReadsWords = {
  title: 'Lecturas',
  seenByPatient: 'La persona ve en su propio registro que usted miró quién lee su expediente.',
  show: 'Mostrar las lecturas',
  lead: 'Quién ha leído qué de los historiales de los pacientes, con su consentimiento, y qué se rechazó.',
  list: 'Lecturas de historiales',
  empty:
    'Aún nadie ha leído un historial. Aquí constará cada lectura de una aplicación o de sus propios programas.',
  columns: {
    what: 'Qué',
    outcome: 'Resultado',
    when: 'Cuándo',
    reader: 'De',
    patient: 'Paciente',
    entries: 'Entradas',
    project: 'Proyecto',
    kinds: 'Tipos de datos',
    consent: 'Con',
  },
  categories,
  notShared: (kinds) => `Se pidió y no se comparte: ${kinds}`,
  openConsent: 'El consentimiento',
  filters: {
    action: 'Tipo',
    outcome: 'Resultado',
    reason: 'Rechazado porque',
    tool: 'Herramienta',
    client: 'Id de la aplicación',
    patientId: 'Id del paciente',
    since: 'Desde',
    until: 'Hasta',
  },
  actions: {
    'mcp.tools_call': 'Uso de una herramienta',
    'fhir.everything': 'Historial completo como FHIR',
    'fhir.read': 'Un recurso como FHIR',
  },
  outcomes: { success: 'Leído', refused: 'Rechazado', failed: 'Falló' },
  reasons: {
    access_revoked: 'No hay consentimiento vigente',
    forbidden: 'No está permitido',
  },
  ownProgram: 'Un programa suyo',
  direct: 'Un programa con el token del propio paciente',
  readers: {
    title: 'Quién leyó más, en las últimas cuatro semanas',
    none: 'Nadie ha leído un expediente en este tiempo.',
    reads: 'Lecturas',
    refused: 'Rechazadas',
  },
  heat: {
    title: 'Cuándo se leen historiales, en las últimas cuatro semanas',
    lead: 'Usos de herramientas y lecturas FHIR por día de la semana y hora, en su zona horaria o en UTC.',
    all: 'Todas las lecturas',
    refused: 'Lecturas rechazadas',
    shown: 'Qué se muestra',
    weekday: 'Día',
    newest: 'mostrar la más reciente de estas horas',
    hour: (hour) => `${hour}:00`,
  },
};
