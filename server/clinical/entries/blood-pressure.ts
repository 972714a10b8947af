import type { Measure, ObservationDetail } from './observation-detail.ts';

/** LOINC and SNOMED CT: a display may be in any language, or missing. */
const SYSTOLIC_CODE = /\|(?:8480-6|8459-0|8460-8|8461-6|76534-7|96608-5|271649006)$/;
const DIASTOLIC_CODE = /\|(?:8462-4|8453-3|8454-1|8455-8|76535-5|96609-3|271650006)$/;
const SYSTOLIC = /systolic/i;
const DIASTOLIC = /diastolic/i;

type Components = ObservationDetail['components'];

export const findSystolic = (components: Components) => findPart(components, SYSTOLIC_CODE, SYSTOLIC);
export const findDiastolic = (components: Components) => findPart(components, DIASTOLIC_CODE, DIASTOLIC);

/** Finds both pressures of a measurement; null unless both have a value, in the same unit. */
export function findPressures({
  components,
}: Pick<ObservationDetail, 'components'>): { systolic: Measure; diastolic: Measure } | null {
  const [systolic, diastolic] = [findSystolic(components), findDiastolic(components)];
  return systolic?.value && diastolic?.value && systolic.unit === diastolic.unit
    ? { systolic, diastolic }
    : null;
}

/** Finds a component by its code, and by its name only where no code is known. */
const findPart = (components: Components, code: RegExp, label: RegExp): Measure | undefined =>
  components.find((part) => code.test(part.code ?? '')) ?? components.find((part) => label.test(part.label));
