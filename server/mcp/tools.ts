import type { Tool } from './tool.ts';
import { getAllergies } from './tools/get-allergies.ts';
import { getConditions } from './tools/get-conditions.ts';
import { getHealthSummary } from './tools/get-health-summary.ts';
import { getImmunizations } from './tools/get-immunizations.ts';
import { getLabs } from './tools/get-labs.ts';
import { getMedications } from './tools/get-medications.ts';
import { getProcedures } from './tools/get-procedures.ts';
import { getVisits } from './tools/get-visits.ts';
import { getVitals } from './tools/get-vitals.ts';
import { searchClinicalNotes } from './tools/search-clinical-notes.ts';
import { search } from './tools/search.ts';
import { updateAndCheckRecentRecords } from './tools/update-and-check-recent-records.ts';

/** In the order of the specification; clients cache the list. */
export const TOOLS: readonly Tool[] = Object.freeze([
  getHealthSummary,
  search,
  getConditions,
  getMedications,
  getLabs,
  getVitals,
  getAllergies,
  getProcedures,
  getImmunizations,
  getVisits,
  searchClinicalNotes,
  updateAndCheckRecentRecords,
]);

/** A Map, since a plain object would also find `constructor`. */
export const TOOLS_BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));
