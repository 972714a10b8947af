const UNITS: Readonly<Record<string, string>> = {
  year: 'año',
  years: 'años',
  month: 'mes',
  months: 'meses',
  week: 'semana',
  weeks: 'semanas',
  day: 'día',
  days: 'días',
};

/** "3.5 a 5.1 mmol/L", "100 a 400 U/L (edad 0 a 12 años)": los intervalos vienen escritos en inglés. */
export const formatRange = (range: string): string =>
  range
    .replace(/\bage (from |up to )?(?=\d)/g, (_, bound: string | undefined) =>
      bound === undefined ? 'edad ' : bound === 'from ' ? 'edad desde ' : 'edad hasta ',
    )
    .replace(/(?<=edad[^()]*\d )(years?|months?|weeks?|days?)\b/g, (unit) => UNITS[unit] ?? unit)
    .replaceAll(' to ', ' a ');
