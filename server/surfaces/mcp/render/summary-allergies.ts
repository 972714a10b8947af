import type { EntryGroup } from '../../../clinical/queries/summary.sql.ts';
import {
  ABSENCE_NOTE,
  ALLERGY_HEADINGS,
  formatAllergyKind,
  formatAllergyNote,
  formatAllergyStatus,
  formatCriticality,
  renderAllergyStatements,
} from './allergies.ts';
import { escapeValue } from './escape-markdown.ts';
import { pluralize } from './format-number.ts';
import { buildFactTable, join, type Block, type Fact } from './markdown.ts';
import { formatName } from './name-text.ts';
import { separateRuledOut, type Contested } from './ruled-out.ts';
import { LIMITS, renderGroupLimit, renderRest, type SummaryContext } from './summary.ts';
import {
  buildRows,
  compareNewestFirst,
  computeSpread,
  formatRecorded,
  renderOtherRecords,
  renderSaid,
  type Row,
} from './summary-rows.ts';
import { renderAbsenceNote, renderNoneRecorded } from './withheld-text.ts';
import { listStated } from './statements.ts';

type Group = Contested<EntryGroup<'allergy'>>;

/** Renders the allergies in force, the gravest first, and counts the others. */
export function renderAllergies(
  groups: readonly EntryGroup<'allergy'>[],
  { withheld }: SummaryContext,
): Block {
  const { ruledOutCount, others } = separateRuledOut(groups);
  const allergies = others.filter(({ detail }) => !detail.none);
  const stated = listStated(buildRows(others.filter(({ detail }) => detail.none)));
  if (groups.length === 0)
    return `${renderNoneRecorded(withheld, 'ALLERGIES')} ${renderAbsenceNote(ABSENCE_NOTE, withheld)}`;
  const inForce = buildRows(allergies.filter(({ current }) => current))
    .map((row) => row.toSorted(compareGravestFirst) as unknown as Row<Group>)
    .sort(compareRows);
  const past = buildRows(allergies.filter(({ current }) => !current));
  const pastByKey = new Map(past.map((row) => [row[0].groupKey, row]));
  const pastCount = past.length + ruledOutCount;
  return [
    inForce.length > 0
      ? buildFactTable(
          ALLERGY_HEADINGS,
          inForce.slice(0, LIMITS.allergies).map((row) => toFact(row, pastByKey.get(row[0].groupKey) ?? [])),
        )
      : null,
    renderRest(inForce.length, LIMITS.allergies, 'get_allergies'),
    stated.length > 0 ? renderAllergyStatements(stated) : null,
    pastCount > 0
      ? `${pluralize(pastCount, 'inactive, resolved or refuted allergy', 'inactive, resolved or refuted allergies')}: see \`get_allergies\`.`
      : null,
    renderGroupLimit(groups),
  ];
}

const isSevere = (reaction: string): boolean => /(?:^|\()severe\)?$/.test(reaction);

/** Of records of one allergy that differ, the gravest leads: a mild reaction later takes nothing from a severe one. */
const compareGravestFirst = (one: Group, other: Group): number => rankGravity(one) - rankGravity(other);

function rankGravity({ detail: { criticality, reactions } }: Group): number {
  const isRated = criticality === 'high' ? 0 : criticality === 'low' ? 4 : 2;
  return isRated + (reactions.some(isSevere) ? 0 : 1);
}

const isHigh = ([{ detail }]: Row<Group>): boolean => detail.criticality === 'high';

const compareRows = (one: Row<Group>, other: Row<Group>): number =>
  Number(isHigh(other)) - Number(isHigh(one)) || compareNewestFirst(computeSpread(one), computeSpread(other));

/** The row of an allergy: all reactions, the severe ones first, and what its records say differently, each with its day. */
function toFact(row: Row<Group>, past: readonly Group[]): Fact {
  const [gravest] = row;
  const reactions = [...new Set(row.flatMap(({ detail }) => detail.reactions))];
  return {
    cells: [
      formatName(gravest.title),
      formatRecorded(row),
      escapeValue(join(reactions.sort((one, other) => Number(isSevere(other)) - Number(isSevere(one))))),
      renderSaid(row, formatCriticality),
      renderSaid(row, formatAllergyKind),
      join([renderSaid(row, formatAllergyStatus), gravest.ruledOut, renderOtherRecords(past)]),
      renderSaid(row, formatAllergyNote),
    ],
    entries: row,
    count: computeSpread(row).times,
  };
}
