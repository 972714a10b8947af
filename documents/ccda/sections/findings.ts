import { diagnoses } from './problems.ts';
import type { SectionKind } from '../section.ts';

/** Complications, findings and indications of a procedure are told as diagnoses are. */
export const findings: SectionKind = {
  name: 'findings of procedures',
  codes: ['55109-3', '59776-5', '59768-2'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.37',
    '2.16.840.1.113883.10.20.22.2.28',
    '2.16.840.1.113883.10.20.22.2.29',
  ],
  convert: diagnoses.convert,
};
