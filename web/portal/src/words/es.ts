import { patientEs } from '../../../patient/words/es.ts';
import type { Words } from './en.ts';
import { myData } from './es/my-data.ts';

export const es: Words = { ...patientEs, myData };
