import type { VitalName } from './entry.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { listCodes, LOINC, SNOMED } from './codeable-concept.ts';
import { toElements } from './element.ts';

/**
 * A sitting, standing or lying pressure is a blood pressure; so is an average, whose title says that it is one. The codes of
 * both pressures of one kind have the same place.
 */
export const SYSTOLIC_CODES: readonly string[] = [
  '8480-6',
  '8459-0',
  '8460-8',
  '8461-6',
  '76534-7',
  '96608-5',
  '271649006',
];
export const DIASTOLIC_CODES: readonly string[] = [
  '8462-4',
  '8453-3',
  '8454-1',
  '8455-8',
  '76535-5',
  '96609-3',
  '271650006',
];

/** Codes of both pressures together, whatever else is said of how they were measured. */
const WHOLE_PRESSURE_CODES: readonly string[] = ['85354-9', '55284-4', '35094-2', '96607-7', '75367002'];

/** Whether a `system|code` stands for both pressures. */
export const isWholePressure = (key: string | null): boolean =>
  key !== null && WHOLE_PRESSURE_CODES.includes(key.slice(key.indexOf('|') + 1));

/** Averages of blood pressure (LOINC): they are no reading. */
export const AVERAGE_CODES: readonly string[] = ['96607-7', '96608-5', '96609-3'].map(
  (code) => `${LOINC}|${code}`,
);

/**
 * LOINC first; SNOMED (8 and 9 digits) for records that carry nothing else. No code here names anything but the vital:
 * birth weight (8339-4), BMI percentile (59576-9), weight for length (77606-2) and their like are not in it. 41909-3 is
 * the body mass index that LOINC gave up for 39156-5; one vendor of C-CDA writes no other.
 */
const VITAL_CODES: [VitalName, string[]][] = [
  ['Blood Pressure', [...WHOLE_PRESSURE_CODES, ...SYSTOLIC_CODES, ...DIASTOLIC_CODES]],
  ['Heart Rate', ['8867-4', '8889-8', '8893-0', '68999-2', '364075005', '78564009']],
  ['Body Temperature', ['8310-5', '8331-1', '8332-9', '8333-7', '8328-7', '8329-5', '75539-7', '386725007']],
  ['Respiratory Rate', ['9279-1', '86290005']],
  ['Oxygen Saturation', ['2708-6', '59408-5', '2710-2', '431314004']],
  ['Weight', ['29463-7', '3141-9', '3142-7', '8335-2', '8350-1', '8351-9', '27113001']],
  ['Height', ['8302-2', '8306-3', '8301-4', '8308-9', '3137-7', '3138-5', '50373000']],
  ['Body Mass Index', ['39156-5', '89270-3', '41909-3', '60621009']],
];
const VITAL_BY_CODE = new Map(
  VITAL_CODES.flatMap(([name, codes]) => codes.map((code) => [code, name] as const)),
);

/** Identifies one of the eight vital signs by code alone: categories are missing, misspelled or wrong too often. */
export function identifyVital(observation: ParsedResource): VitalName | null {
  const own = findVitalByCode(observation['code']);
  if (own !== null) return own;
  const parts = toElements(observation['component']).map(({ code }) => rankPressure(code));
  return parts.includes(0) && parts.includes(1) ? 'Blood Pressure' : null;
}

function findVitalByCode(code: unknown): VitalName | null {
  for (const each of [...listCodes(code, LOINC), ...listCodes(code, SNOMED)]) {
    const name = VITAL_BY_CODE.get(each);
    if (name !== undefined) return name;
  }
  return null;
}

/** Ranks a component: 0 systolic, 1 diastolic, 2 anything else. Synthea always writes the diastolic one first. */
export function rankPressure(code: unknown): number {
  const codes = [...listCodes(code, LOINC), ...listCodes(code, SNOMED)];
  if (codes.some((each) => SYSTOLIC_CODES.includes(each))) return 0;
  return codes.some((each) => DIASTOLIC_CODES.includes(each)) ? 1 : 2;
}
