import { z } from 'zod';
import {
  findReferencedEntries,
  findGroupMembers,
  findReferenced,
  findReferencedNames,
  findReferencedNotes,
  FROM_START,
  type NamedReference,
} from '../../../clinical/queries/details.sql.ts';
import { renderDetails } from '../render/details.ts';
import { buildDisclosure, toDisclosed } from '../render/disclosure.ts';
import { readForAnswer } from '../render/read-answer.ts';
import { defineTool } from '../tool.ts';

const REFERENCES_FAULT =
  'must be a list of 1 to 20 references as answers show them, such as ["Condition/6d6e1f3a", "Patient"]';

/**
 * "MedicationRequest/6d6e1f3a (12; also …)", as a row shows it; "Patient" alone names every Patient resource. Behind it stands
 * where to go on in what is long: "Observation/6d6e1f3a from 40000", "… from field 120", "… from entry 301".
 */
const MARK =
  /^\s{0,20}([A-Z][A-Za-z]{1,63})(?:\/([A-Za-z0-9.-]{1,64}))?(?:\s{0,20}(\(.{0,200}\)))?(?:\s{1,20}from(?:\s{1,20}(\d{1,9}))?(?:\s{1,20}field\s{1,20}(\d{1,9}))?(?:\s{1,20}entry\s{1,20}(\d{1,9}))?)?\s{0,20}$/;

export const getDetails = defineTool({
  name: 'get_details',
  title: 'Details',
  description:
    'Everything about up to 20 references: all fields, codes, who and when, sources, full FHIR ids. Of a reference with a number, "MedicationRequest/6d6e1f3a (12)", also all it stands for. "Patient" for address, language, doctor.',
  input: z.strictObject({
    references: z
      .array(z.string(REFERENCES_FAULT).regex(MARK, REFERENCES_FAULT), REFERENCES_FAULT)
      .min(1, REFERENCES_FAULT)
      .max(20, REFERENCES_FAULT)
      .describe('References as answers show them, or in full.'),
  }),
  async run(deps, access, { references }) {
    const named = references.map(parseMark);
    const { rows, consentRecordId, withheld, notice } = await readForAnswer(deps, access, {
      resources: findReferenced(access, named),
      names: findReferencedNames(access, named),
      entries: findReferencedEntries(access, named),
      notes: findReferencedNotes(access, named),
      members: findGroupMembers(access, named),
    });
    const text = renderDetails({
      references: named,
      notice,
      withheld,
      today: deps.clock.now().toISOString().slice(0, 10),
      ...rows,
    });
    const shown = [...rows.resources.flatMap(toDisclosed), ...rows.entries, ...rows.members];
    return { text, consentRecordId, audit: { ...buildDisclosure(shown), entries: rows.resources.length } };
  },
});

function parseMark(mark: string): NamedReference {
  const [, type = '', id = null, note = '', character, field, entry] = MARK.exec(mark) ?? [];
  const [, count] = /^\(\s{0,5}(\d{1,9})/.exec(note) ?? [];
  const from = {
    character: Number(character ?? FROM_START.character),
    field: Math.max(1, Number(field ?? FROM_START.field)),
    entry: Math.max(1, Number(entry ?? FROM_START.entry)),
  };
  return { type, id, isMark: note !== '', count: count === undefined ? null : Number(count), from };
}
