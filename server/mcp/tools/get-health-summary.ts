import { z } from 'zod';
import { readRecord } from '../../consent/record-access.ts';
import { recordHead } from '../../records/record-state.sql.ts';
import {
  groupsOf,
  holdings,
  latestVitals,
  medicationGroups,
  people,
  type Group,
  type LatestVital,
} from '../../records/summary.sql.ts';
import { disagreementText } from '../disagreement.ts';
import { disclosure } from '../history.ts';
import { paragraphs, section } from '../markdown.ts';
import { allergiesText, conditionsText, dayOf, overviewText, restText, vitalsText } from '../summary.ts';
import { medicationsText } from '../summary-medications.ts';
import { personText } from '../summary-person.ts';
import { tool } from '../tool.ts';
import { theRecord, withheldNote } from '../withheld-text.ts';

const EMPTY =
  'This record is still empty: no documents have been read yet. `update_and_check_recent_records` tells whether some are on their way, and where the patient can add them.';

/** In the order in which the sections above tell of them. */
const disagreementsOf = (rows: {
  conditions: Group<'condition'>[];
  medications: Group<'medication'>[];
  allergies: Group<'allergy'>[];
  vitals: LatestVital[];
}): string =>
  disagreementText([
    ...rows.conditions.map((group) => ({ ...group, kind: 'condition' as const, time: null })),
    ...rows.medications.map((group) => ({ ...group, kind: 'medication' as const, time: null })),
    ...rows.allergies.map((group) => ({ ...group, kind: 'allergy' as const, time: null })),
    ...rows.vitals.map((vital) => ({ ...vital, kind: 'vital' as const, status: null })),
  ]) ?? '';

export const getHealthSummary = tool({
  name: 'get_health_summary',
  title: 'Health summary',
  description:
    'One page of the whole record: active conditions, current and recent medications, allergies, and the latest vital signs, with what else the record holds and which tool shows it.',
  input: z.strictObject({}),
  async run(deps, access) {
    const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
      conditions: groupsOf(access, 'condition'),
      medications: medicationGroups(access),
      allergies: groupsOf(access, 'allergy'),
      vitals: latestVitals(access),
      holdings: holdings(access),
      head: recordHead(access),
      people: people(access),
    });
    const shown = [
      ...rows.people,
      ...rows.conditions,
      ...rows.medications,
      ...rows.allergies,
      ...rows.vitals,
    ];
    const day = dayOf(deps.clock.now(), withheld);
    const body =
      rows.holdings.length === 0
        ? withheld === 0
          ? EMPTY
          : `${theRecord(withheld)} holds nothing.`
        : paragraphs(
            personText(rows.people),
            overviewText(rows.holdings, rows.head[0] ?? null),
            section('Conditions', conditionsText(rows.conditions, day)),
            section('Medications', medicationsText(rows.medications, day)),
            section('Allergies', allergiesText(rows.allergies, day)),
            section('Latest vital signs', vitalsText(rows.vitals, day)),
            section('Sources disagree', disagreementsOf(rows)),
            restText(rows.holdings),
          );
    const text = paragraphs('# Health summary', body, withheldNote(withheld));
    return { text, consentRecordId, audit: disclosure(shown) };
  },
});
