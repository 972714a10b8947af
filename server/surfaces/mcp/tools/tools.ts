import type { Tool } from '../tool.ts';
import { getAllergies } from './get-allergies.ts';
import { getConditions } from './get-conditions.ts';
import { getDetails } from './get-details.ts';
import { getHealthSummary } from './get-health-summary.ts';
import { getImmunizations } from './get-immunizations.ts';
import { getLabs } from './get-labs.ts';
import { getMedications } from './get-medications.ts';
import { getOtherRecords } from './get-other-records.ts';
import { getProcedures } from './get-procedures.ts';
import { getVisits } from './get-visits.ts';
import { getVitals } from './get-vitals.ts';
import { searchClinicalNotes } from './search-clinical-notes.ts';
import { search } from './search.ts';
import { updateAndCheckRecentRecords } from './update-and-check-recent-records.ts';

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
  getOtherRecords,
  getDetails,
]);

/** A Map, since a plain object would also find `constructor`. */
export const TOOLS_BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));
