import type { FindingCode } from '../../../../contract/organization/doctor/findings.ts';
import { createWords } from '../words/create-words.ts';
import { findings } from './words/es/findings.ts';
import { reasons } from './words/es/reasons.ts';

export interface FindingWords {
  /** Null: the sentences of the service are in this language. */
  findings: Readonly<Record<FindingCode, readonly [detail: string, remedy?: string]>> | null;
  /** Why connections fail, by code, where the service's own words are in another language. */
  reasons: ReadonlyMap<string, string>;
}

const en: FindingWords = { findings: null, reasons: new Map() };
const es: FindingWords = { findings, reasons };

export const useFindingWords = createWords({ en, es });
