import { z } from 'zod';
import { buildVisitNotes } from '../render/visit-notes.ts';
import { runNoteSearch } from '../render/note-search.ts';
import { InvalidToolInput, defineTool } from '../tool.ts';
import { beforeDate, resolveWindow, years } from '../render/window.ts';
import { QUERY_FAULT } from './search.ts';

const ENCOUNTER_FAULT = 'must be an encounter id from get_visits, such as "Encounter/6d6e…" or the id alone';

export const searchClinicalNotes = defineTool({
  name: 'search_clinical_notes',
  title: 'Clinical notes',
  description:
    'Clinical notes: with `query` those of the window that hold the words, newest first, with the passages; with `encounterId` all notes of one visit in full. Exactly one of the two.',
  input: z.strictObject({
    query: z.string(QUERY_FAULT).max(1000, QUERY_FAULT).optional().describe('Words to look for.'),
    encounterId: z
      .string(ENCOUNTER_FAULT)
      .max(200, ENCOUNTER_FAULT)
      .optional()
      .describe('A visit of get_visits, "Encounter/…".'),
    years: years.optional(),
    beforeDate: beforeDate.optional(),
  }),
  async run(deps, access, { query, encounterId, ...windowInput }) {
    // Some clients send "" for an optional text that is not given.
    const [words, visit] = [query?.trim() || null, encounterId?.trim() || null];
    if (words !== null && visit !== null)
      throw new InvalidToolInput(
        'search_clinical_notes: give either query or encounterId, not both; leave one of them out',
      );
    if (visit !== null && (windowInput.years !== undefined || windowInput.beforeDate !== undefined))
      throw new InvalidToolInput(
        'search_clinical_notes: years and beforeDate belong to query; leave them out with encounterId, which returns all notes of the visit',
      );
    if (visit !== null) return buildVisitNotes(deps, access, visit.replace(/^(Encounter\/|urn:uuid:)/i, ''));
    if (words !== null)
      return runNoteSearch(deps, access, { query: words, window: resolveWindow(deps.clock, windowInput) });
    throw new InvalidToolInput(
      'search_clinical_notes: give query (words to look for) or encounterId (a visit from get_visits)',
    );
  },
});
