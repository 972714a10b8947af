import { patientEn } from '../../../patient/words/en.ts';
import { myData } from './en/my-data.ts';

/** Everything that the portal says. */
export const en = { ...patientEn, myData };

export type Words = typeof en;
