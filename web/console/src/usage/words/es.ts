import type { UsageWords } from './en.ts';

export const usage: UsageWords = {
  title: 'Uso',
  lead: 'Lo que se lee, se sube, se envía y se entrega, para facturas y para capacidad. Los días son los de la zona horaria de la organización.',
  empty: 'No se usó nada en este tiempo.',
  filters: { range: 'Días', by: 'Por', kind: 'Tipo' },
  ranges: { '7': '7 días', '28': '28 días', '90': '90 días' },
  by: { tool: 'Herramienta o tipo', client: 'Aplicación', project: 'Proyecto', outcome: 'Resultado' },
  kinds: {
    tool_call: 'Usos de herramientas',
    fhir_read: 'Lecturas FHIR',
    upload: 'Subidas',
    mail: 'Correos',
    delivery: 'Intentos de webhook',
  },
  outcomes: { success: 'Hecho', refused: 'Rechazado', failed: 'Falló' },
  perDay: 'Por día',
  day: 'Día',
  totals: 'En total',
  csv: 'Descargar como CSV',
  columns: {
    key: 'Qué',
    kind: 'Tipo',
    count: 'Cantidad',
    refused: 'Rechazados',
    failed: 'Fallidos',
  },
  none: 'Ninguno',
};
