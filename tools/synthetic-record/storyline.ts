import type { AnalyteName } from './analytes.ts';
import type { NamedCoding } from './codes.ts';
import type { DosagePlan } from './dosages.ts';
import type { PanelName } from './panels.ts';

/**
 * A chronic illness as data. Months count from the day of the diagnosis, which is a visit in the first
 * half of the record; what lies before it (`fromMonth` below 0) led there.
 */
export interface Storyline {
  name: string;
  conditions: readonly ConditionPlan[];
  medications: readonly MedicationPlan[];
  /** What the illness and its treatment do to the body's values. */
  courses: Partial<Record<AnalyteName, Course>>;
  monitoring: readonly { panel: PanelName; everyMonths: number }[];
  procedures: readonly { code: NamedCoding; text: string; everyMonths: number }[];
  carePlan: { code: NamedCoding; activities: readonly string[] };
  goal: { text: string; measure: AnalyteName; atMost: number };
  /** `presenting` is mentioned at the diagnosis, `complaints` at later visits. */
  words: { presenting: string; complaints: readonly string[]; exam: string; plans: readonly string[] };
}

/** Points of (month, deviation from the healthy value), straight lines between them, flat outside. */
export type Course = readonly (readonly [month: number, deviation: number])[];

export interface ConditionPlan {
  key: string;
  codes: readonly NamedCoding[];
  text: string;
  fromMonth: number;
  untilMonth?: number;
}

export interface MedicationPlan {
  key: string;
  code: NamedCoding;
  /** The name used in notes. */
  text: string;
  fromMonth: number;
  untilMonth?: number;
  /** Why it is stopped, when it is. */
  stopReason?: string;
  /** Key of the medication it takes the place of. */
  replaces?: string;
  dosage: DosagePlan;
}
