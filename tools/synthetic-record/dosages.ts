import { snomed, type NamedCoding } from './codes.ts';

export interface DosagePlan {
  amount: number;
  unit: string;
  route: NamedCoding;
  /** How often within `period` (`d` day, `h` hours); absent for a dose with words only. */
  times?: { frequency: number; period: number; periodUnit: 'd' | 'h' };
  asNeeded?: boolean;
  /** Absent in many real records: then a reader must render the structure. */
  text?: string;
}

const oral = snomed('26643006', 'Oral route');
const inhaled = snomed('447694001', 'Respiratory tract route');

export const tablets = (amount: number, perDay: number, rest: Partial<DosagePlan> = {}): DosagePlan => ({
  amount,
  unit: 'tablet',
  route: oral,
  times: { frequency: perDay, period: 1, periodUnit: 'd' },
  ...rest,
});

export const capsules = (amount: number, perDay: number, rest: Partial<DosagePlan> = {}): DosagePlan =>
  tablets(amount, perDay, { unit: 'capsule', ...rest });

export const puffs = (amount: number, perDay: number, rest: Partial<DosagePlan> = {}): DosagePlan =>
  tablets(amount, perDay, { unit: 'puff', route: inhaled, ...rest });
