import { loinc, type NamedCoding } from './codes.ts';

export interface Analyte {
  code: NamedCoding;
  text: string;
  /** As a report prints it. */
  unit: string;
  ucum: string;
  /** Digits after the point, kept even when they are zeros. */
  places: number;
  baseline: number;
  /** How far healthy people differ from each other. */
  personSpread: number;
  /** How far one person's measurements differ from each other. */
  noise: number;
  min: number;
  max?: number;
  range?: { low?: number; high?: number };
  /** What a woman's usual value and range lie lower. */
  lowerInWomen?: number;
}

type Name = readonly [code: string, display: string, text: string];
type Unit = readonly [unit: string, ucum: string, places: number];
type Spread = readonly [usual: number, person: number, noise: number];
type AnalyteOptions = Partial<Pick<Analyte, 'min' | 'max' | 'range' | 'lowerInWomen'>>;

const createAnalyte =
  (name: Name, unitSpec: Unit) =>
  (spread: Spread, rest: AnalyteOptions = {}): Analyte => ({
    code: loinc(name[0], name[1]),
    text: name[2],
    unit: unitSpec[0],
    ucum: unitSpec[1],
    places: unitSpec[2],
    baseline: spread[0],
    personSpread: spread[1],
    noise: spread[2],
    min: 0,
    ...rest,
  });

const mgdl = (places: number): Unit => ['mg/dL', 'mg/dL', places];
const mmol: Unit = ['mmol/L', 'mmol/L', 0];
const score: Unit = ['{score}', '{score}', 0];
const serum = (substance: string, kind = 'Mass/volume') => `${substance} [${kind}] in Serum or Plasma`;

export const analytes = {
  systolic: createAnalyte(
    ['8480-6', 'Systolic blood pressure', 'Systolic blood pressure'],
    ['mmHg', 'mm[Hg]', 0],
  )([118, 4, 4], { min: 90 }),
  diastolic: createAnalyte(
    ['8462-4', 'Diastolic blood pressure', 'Diastolic blood pressure'],
    ['mmHg', 'mm[Hg]', 0],
  )([75, 3, 3], { min: 55 }),
  heartRate: createAnalyte(['8867-4', 'Heart rate', 'Heart rate'], ['beats/minute', '/min', 0])([72, 5, 4], {
    min: 50,
  }),
  temperature: createAnalyte(['8310-5', 'Body temperature', 'Body temperature'], ['°C', 'Cel', 1])(
    [36.7, 0.1, 0.2],
    { min: 35.8 },
  ),
  respiratoryRate: createAnalyte(
    ['9279-1', 'Respiratory rate', 'Respiratory rate'],
    ['breaths/minute', '/min', 0],
  )([14, 1, 1], { min: 10 }),
  oxygenSaturation: createAnalyte(
    ['2708-6', 'Oxygen saturation in Arterial blood', 'Oxygen saturation'],
    ['%', '%', 0],
  )([98, 0.5, 0.6], { min: 90, max: 100 }),
  weight: createAnalyte(['29463-7', 'Body weight', 'Body weight'], ['kg', 'kg', 1])([82, 5, 0.7], {
    min: 45,
    lowerInWomen: 10,
  }),
  height: createAnalyte(['8302-2', 'Body height', 'Body height'], ['cm', 'cm', 1])([177, 5, 0], {
    min: 150,
    lowerInWomen: 13,
  }),
  bmi: createAnalyte(
    ['39156-5', 'Body mass index (BMI) [Ratio]', 'Body mass index'],
    ['kg/m2', 'kg/m2', 1],
  )([26, 0, 0]),

  hba1c: createAnalyte(
    ['4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood', 'Hemoglobin A1c'],
    ['%', '%', 1],
  )([5.3, 0.1, 0.12], { range: { low: 4, high: 5.6 } }),
  glucose: createAnalyte(['2345-7', serum('Glucose'), 'Glucose'], mgdl(0))([88, 3, 4], {
    range: { low: 70, high: 99 },
  }),
  urineAlbumin: createAnalyte(
    ['14959-1', 'Microalbumin/Creatinine [Mass Ratio] in Urine', 'Urine albumin/creatinine ratio'],
    ['mg/g', 'mg/g', 1],
  )([9, 2, 2], { min: 2, range: { high: 30 } }),

  sodium: createAnalyte(['2951-2', serum('Sodium', 'Moles/volume'), 'Sodium'], mmol)([140, 1, 1.2], {
    range: { low: 136, high: 145 },
  }),
  potassium: createAnalyte(
    ['2823-3', serum('Potassium', 'Moles/volume'), 'Potassium'],
    ['mmol/L', 'mmol/L', 1],
  )([4.2, 0.1, 0.2], { range: { low: 3.5, high: 5.1 } }),
  chloride: createAnalyte(['2075-0', serum('Chloride', 'Moles/volume'), 'Chloride'], mmol)([103, 1, 1.2], {
    range: { low: 98, high: 107 },
  }),
  bicarbonate: createAnalyte(
    ['2028-9', 'Carbon dioxide, total [Moles/volume] in Serum or Plasma', 'Carbon dioxide'],
    mmol,
  )([25, 0.8, 1], { range: { low: 21, high: 32 } }),
  calcium: createAnalyte(['17861-6', serum('Calcium'), 'Calcium'], mgdl(1))([9.4, 0.15, 0.15], {
    range: { low: 8.6, high: 10.3 },
  }),
  ureaNitrogen: createAnalyte(
    ['3094-0', 'Urea nitrogen [Mass/volume] in Serum or Plasma', 'Urea nitrogen'],
    mgdl(0),
  )([14, 2, 1.5], { range: { low: 7, high: 25 } }),
  creatinine: createAnalyte(['2160-0', serum('Creatinine'), 'Creatinine'], mgdl(2))([0.96, 0.07, 0.04], {
    min: 0.5,
    lowerInWomen: 0.18,
    range: { low: 0.7, high: 1.3 },
  }),
  egfr: createAnalyte(
    [
      '33914-3',
      'Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area] in Serum or Plasma by Creatinine-based formula (MDRD)',
      'Estimated GFR',
    ],
    ['mL/min/1.73m2', 'mL/min/{1.73_m2}', 0],
  )([90, 0, 0], { range: { low: 60 } }),

  cholesterol: createAnalyte(['2093-3', serum('Cholesterol'), 'Total cholesterol'], mgdl(0))([0, 0, 0], {
    range: { high: 199 },
  }),
  triglycerides: createAnalyte(
    ['2571-8', 'Triglyceride [Mass/volume] in Serum or Plasma', 'Triglycerides'],
    mgdl(0),
  )([112, 12, 10], { min: 45, range: { high: 149 } }),
  hdl: createAnalyte(
    ['2085-9', 'Cholesterol in HDL [Mass/volume] in Serum or Plasma', 'HDL cholesterol'],
    mgdl(0),
  )([52, 4, 2.5], { min: 28, lowerInWomen: -6, range: { low: 40 } }),
  ldl: createAnalyte(
    ['13457-7', 'Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation', 'LDL cholesterol'],
    mgdl(0),
  )([92, 8, 5], { min: 40, range: { high: 99 } }),

  whiteCells: createAnalyte(
    ['6690-2', 'Leukocytes [#/volume] in Blood by Automated count', 'White blood cells'],
    ['10*3/uL', '10*3/uL', 1],
  )([6.6, 0.6, 0.5], { range: { low: 4, high: 11 } }),
  redCells: createAnalyte(
    ['789-8', 'Erythrocytes [#/volume] in Blood by Automated count', 'Red blood cells'],
    ['10*6/uL', '10*6/uL', 2],
  )([4.95, 0.1, 0.06], { lowerInWomen: 0.45, range: { low: 4.4, high: 5.8 } }),
  hemoglobin: createAnalyte(
    ['718-7', 'Hemoglobin [Mass/volume] in Blood', 'Hemoglobin'],
    ['g/dL', 'g/dL', 1],
  )([14.9, 0.3, 0.2], { lowerInWomen: 1.4, range: { low: 13.5, high: 17.5 } }),
  hematocrit: createAnalyte(
    ['4544-3', 'Hematocrit [Volume Fraction] of Blood by Automated count', 'Hematocrit'],
    ['%', '%', 1],
  )([0, 0, 0], { lowerInWomen: 4, range: { low: 40, high: 52 } }),
  platelets: createAnalyte(
    ['777-3', 'Platelets [#/volume] in Blood by Automated count', 'Platelets'],
    ['10*3/uL', '10*3/uL', 0],
  )([245, 25, 14], { range: { low: 150, high: 400 } }),
  eosinophils: createAnalyte(
    ['711-2', 'Eosinophils [#/volume] in Blood by Automated count', 'Eosinophils'],
    ['10*3/uL', '10*3/uL', 2],
  )([0.16, 0.03, 0.03], { min: 0.02, range: { high: 0.5 } }),

  tsh: createAnalyte(
    ['3016-3', 'Thyrotropin [Units/volume] in Serum or Plasma', 'TSH'],
    ['mIU/L', 'm[IU]/L', 2],
  )([2.1, 0.3, 0.3], { min: 0.1, range: { low: 0.4, high: 4.5 } }),
  freeThyroxine: createAnalyte(
    ['3024-7', 'Thyroxine (T4) free [Mass/volume] in Serum or Plasma', 'Free T4'],
    ['ng/dL', 'ng/dL', 2],
  )([1.2, 0.05, 0.06], { min: 0.2, range: { low: 0.8, high: 1.8 } }),
  cReactiveProtein: createAnalyte(
    ['1988-5', 'C reactive protein [Mass/volume] in Serum or Plasma', 'C-reactive protein'],
    ['mg/L', 'mg/L', 1],
  )([1.6, 0.5, 0.6], { min: 0.2, range: { high: 5 } }),

  phq9: createAnalyte(
    ['44261-6', 'Patient Health Questionnaire 9 item (PHQ-9) total score [Reported]', 'PHQ-9 total score'],
    score,
  )([2, 0.5, 0.9], { max: 27 }),
  pain: createAnalyte(
    ['72514-3', 'Pain severity - 0-10 verbal numeric rating [Score] - Reported', 'Pain severity (0-10)'],
    score,
  )([0.4, 0.2, 0.7], { max: 10 }),
} as const satisfies Record<string, Analyte>;

export type AnalyteName = keyof typeof analytes;

export function getAnalyte(name: AnalyteName): Analyte {
  return analytes[name];
}
