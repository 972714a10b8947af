import type { RecordAccess } from '../../../consent/access/record-access.ts';
import { z } from 'zod';
import type { DataMask } from '../../../../contract/brands.ts';
import { findDrugEnds } from '../../../clinical/queries/drug-ends.ts';
import { findDrugStatements } from '../../../clinical/queries/drug-ends.sql.ts';
import {
  findDemographics,
  findGroups,
  findHoldings,
  findLatestVitals,
  findMedicationGroups,
  MAX_PATIENT_RESOURCES,
  type Demographics,
  type EntryGroup,
  type Holding,
  type LatestVital,
} from '../../../clinical/queries/summary.sql.ts';
import { findNewerAverages } from '../../../clinical/queries/newer-averages.sql.ts';
import { findNotDone, type NotDone } from '../../../clinical/queries/not-done.sql.ts';
import {
  findAbnormalLabs,
  findDevices,
  findLifeStatus,
  type LastStated,
} from '../../../clinical/queries/summary-findings.sql.ts';
import { findRecordHead, type RecordHead } from '../../../clinical/sources/record-state.sql.ts';
import { formatCounts } from '../render/date-text.ts';
import { findDeath, formatDeath } from '../render/death-text.ts';
import { renderDisagreements } from '../render/disagreement.ts';
import { buildDisclosure } from '../render/disclosure.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { renderAnswer } from '../render/answer-text.ts';
import { pluralize } from '../render/format-number.ts';
import { join, joinParagraphs, renderSection, type Block } from '../render/markdown.ts';
import { toBasis } from '../render/answer-basis.ts';
import { readForAnswer } from '../render/read-answer.ts';
import { renderAbnormalLabs, renderLife } from '../render/summary-findings.ts';
import { renderMedications } from '../render/summary-medications.ts';
import { renderAllergies } from '../render/summary-allergies.ts';
import { renderConditions } from '../render/summary-conditions.ts';
import { createSummaryContext, pickVitals, renderVitals } from '../render/summary.ts';
import { countHappened, TOOLS_BY_KIND } from '../render/kind-names.ts';
import { countKinds } from '../render/kind-overview.ts';
import { renderRecordName, renderWithheldNote } from '../render/withheld-text.ts';
import { defineTool } from '../tool.ts';

const EMPTY_RECORD =
  'This record is still empty: no documents have been read yet. `update_and_check_recent_records` shows whether uploads are in progress, and where the patient can add documents.';

/** All that the page is made of; `today` ends courses by their own dates. */
const selectRows = (access: RecordAccess, today: string) => ({
  conditions: findGroups(access, 'condition'),
  medications: findMedicationGroups(access, today),
  drugs: findDrugStatements(access, today),
  allergies: findGroups(access, 'allergy'),
  vitals: findLatestVitals(access),
  averages: findNewerAverages(access),
  holdings: findHoldings(access),
  notDone: findNotDone(access),
  head: findRecordHead(access),
  people: findDemographics(access),
  abnormal: findAbnormalLabs(access),
  life: findLifeStatus(access),
  devices: findDevices(access),
});

export const getHealthSummary = defineTool({
  name: 'get_health_summary',
  title: 'Health summary',
  description:
    'Start here: one page of the whole record: conditions, medications, allergies, latest vital signs and abnormal results, and what else is held, with the tool that shows it.',
  input: z.strictObject({}),
  isKept: true,
  async run(deps, access) {
    const statements = selectRows(access, deps.clock.now().toISOString().slice(0, 10));
    const { rows, ...read } = await readForAnswer(deps, access, statements);
    const { consentRecordId, withheld, notice } = read;
    const vitals = pickVitals(rows.vitals);
    const shown = [
      ...rows.people,
      ...rows.conditions,
      ...rows.medications,
      ...rows.allergies,
      ...listMeasured(vitals),
      ...rows.averages,
      ...rows.abnormal,
      ...rows.life,
      ...rows.devices,
    ];
    const context = createSummaryContext(deps.clock.now(), withheld, findDeath(rows.people));
    const body: Block =
      rows.holdings.length === 0
        ? [renderPerson(rows.people), renderNothing(rows.people, withheld)]
        : [
            renderPerson(rows.people),
            renderOverview(rows.holdings, rows.head[0] ?? null),
            renderSection('Conditions', renderConditions(rows.conditions, context)),
            renderSection(
              'Medications',
              renderMedications(rows.medications, findDrugEnds(rows.drugs), context),
            ),
            renderSection('Allergies', renderAllergies(rows.allergies, context)),
            renderSection('Latest vital signs', renderVitals(vitals, rows.averages, context)),
            renderSection('Latest abnormal laboratory results', renderAbnormalLabs(rows.abnormal)),
            renderSection('Smoking, pregnancy, devices', renderLife(rows.life, rows.devices, context.today)),
            renderSection(
              'Sources disagree',
              renderSummaryDisagreements({ ...rows, vitals: listMeasured(vitals) }),
            ),
            renderRemainingKinds(rows.holdings, rows.notDone),
          ];
    const text = renderAnswer(['# Health summary', notice, body], renderWithheldNote(withheld));
    return { text, consentRecordId, audit: buildDisclosure(shown), basis: toBasis(read) };
  },
});

/** A record may hold a person and nothing clinical about them yet. */
function renderNothing(people: readonly Demographics[], withheld: DataMask): string {
  if (withheld !== 0)
    return `${renderRecordName(withheld)} holds nothing${people.length > 0 ? ' clinical' : ''}.`;
  return people.length > 0 ? 'This record holds nothing clinical yet.' : EMPTY_RECORD;
}

/** The entries behind the vital signs that are shown: of a pressure in two halves both. */
const listMeasured = (signs: ReturnType<typeof pickVitals>): LatestVital[] =>
  signs.flat().flatMap((vital) => vital.halves ?? [vital]);

/** In the order of the sections. */
function renderSummaryDisagreements(rows: {
  conditions: EntryGroup<'condition'>[];
  medications: EntryGroup<'medication'>[];
  allergies: EntryGroup<'allergy'>[];
  vitals: LatestVital[];
  abnormal: LastStated<'lab'>[];
  life: LastStated<'social_history'>[];
}): string {
  return (
    renderDisagreements([
      ...rows.conditions.map((group) => ({ ...group, kind: 'condition' as const, time: null })),
      ...rows.medications.map((group) => ({ ...group, kind: 'medication' as const, time: null })),
      ...rows.allergies.map((group) => ({ ...group, kind: 'allergy' as const, time: null })),
      ...rows.vitals.map((vital) => ({ ...vital, kind: 'vital' as const, endText: null })),
      ...rows.abnormal,
      ...rows.life,
    ]) ?? ''
  );
}

/** Renders whose record it is: as one Patient resource says, or what several say, side by side. */
function renderPerson(people: readonly Demographics[]): string | null {
  const names = listDistinct(people.map(({ name }) => name));
  const births = listDistinct(people.map(({ birthDate }) => birthDate));
  const genders = listDistinct(people.map(({ gender }) => gender));
  const contradictions = [
    renderSeveral('names', names),
    renderSeveral('birth dates', births),
    renderSeveral('sexes (administrative gender)', genders),
    people.length === MAX_PATIENT_RESOURCES
      ? `Read from the first ${MAX_PATIENT_RESOURCES} Patient resources of the record.`
      : null,
  ];
  const deaths = listDistinct(people.map(formatDeath));
  const summary = [
    formatSingle(names),
    formatSingle(births, 'born '),
    ...deaths,
    formatSingle(genders, 'sex as recorded: '),
  ]
    .filter(Boolean)
    .join(', ');
  const text = [summary && `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, ...contradictions]
    .filter(Boolean)
    .join(' ');
  return joinParagraphs(text) || null;
}

const listDistinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.flatMap((value) => escapeInline(value, 120) || [])),
];

const formatSingle = (values: readonly string[], prefix = ''): string =>
  values.length === 1 ? `${prefix}${values[0]}` : '';

const NUMBER_WORDS = ['', '', 'Two', 'Three', 'Four', 'Five'];

/** "Two birth dates are recorded: 1987-02-20; 1987-02-21." */
function renderSeveral(what: string, values: readonly string[]): string | null {
  if (values.length < 2) return null;
  return `${NUMBER_WORDS[values.length] ?? values.length} ${what} are recorded: ${values.join('; ')}.`;
}

function renderOverview(holdings: readonly Holding[], head: RecordHead | null): string {
  const days = holdings.flatMap(({ firstText, lastText }) => [firstText ?? [], lastText ?? []].flat()).sort();
  const times = holdings.reduce((sum, { entries }) => sum + entries, 0);
  const undated = holdings.reduce((sum, { undated }) => sum + undated, 0);
  const spread = { times, dated: times - undated, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null };
  const synchronized = head?.lastSynchronizedAt
    ? `last synchronized ${head.lastSynchronizedAt.slice(0, 10)}`
    : null;
  return `${join([formatCounts([pluralize(times, 'entry', 'entries')], spread), synchronized])}.`;
}

/** Lists the kinds that the summary does not show, with the tool that shows them. */
function renderRemainingKinds(holdings: readonly Holding[], notDone: readonly NotDone[]): string {
  const lines = TOOLS_BY_KIND.flatMap(({ kind, tool, ...names }) => {
    const holding = holdings.find((each) => each.kind === kind);
    if (!holding) return [];
    const { entries, undated, firstText, lastText } = holding;
    const spread = { times: entries, dated: entries - undated, firstDay: firstText, lastDay: lastText };
    return `- ${formatCounts(
      countHappened(
        entries,
        names,
        notDone.filter((each) => each.kind === kind),
      ),
      spread,
    )}: \`${tool}\``;
  });
  const others = countKinds(holdings);
  const all = [...lines, ...(others === '' ? [] : [`- ${others}: \`get_other_records\``])];
  return all.length === 0
    ? ''
    : `## Also in this record\n\n${all.join('\n')}\n- everything by words: \`search\``;
}
