import { allergies } from './sections/allergies.ts';
import { careTeams } from './sections/care-teams.ts';
import { coverage } from './sections/coverage.ts';
import { devices } from './sections/devices.ts';
import { encounters } from './sections/encounters.ts';
import { familyHistory } from './sections/family-history.ts';
import { immunizations } from './sections/immunizations.ts';
import { medications } from './sections/medications.ts';
import { planOfTreatment } from './sections/plan-of-treatment.ts';
import { diagnoses, findings, problems } from './sections/problems.ts';
import { anesthesia, procedures } from './sections/procedures.ts';
import { results } from './sections/results.ts';
import { advanceDirectives, functionalStatus, socialHistory } from './sections/social-history.ts';
import { vitals } from './sections/vitals.ts';
import type { Section, SectionKind } from './section.ts';

/** Every kind of section whose entries become resources; of other sections only the narrative is kept. */
export const SECTION_KINDS: readonly SectionKind[] = [
  problems,
  diagnoses,
  findings,
  allergies,
  medications,
  results,
  vitals,
  immunizations,
  procedures,
  anesthesia,
  encounters,
  socialHistory,
  familyHistory,
  functionalStatus,
  advanceDirectives,
  planOfTreatment,
  devices,
  careTeams,
  coverage,
];

const BY_CODE = new Map(SECTION_KINDS.flatMap((kind) => kind.codes.map((code) => [code, kind] as const)));
const BY_TEMPLATE = new Map(
  SECTION_KINDS.flatMap((kind) => kind.templates.map((oid) => [oid, kind] as const)),
);

/** Finds the kind by the section's LOINC code, else by its templates; returns undefined for a section of narrative alone. */
export function findSectionKind({ code, templates }: Section): SectionKind | undefined {
  return (
    BY_CODE.get(code ?? '') ?? templates.map((oid) => BY_TEMPLATE.get(oid)).find((kind) => kind !== undefined)
  );
}
