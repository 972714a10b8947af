import type { DataMask } from '../../../../contract/brands.ts';
import { z } from 'zod';
import {
  findConnectedSources,
  findListedBatches,
  findRecordHead,
  findUnreadReasons,
  type BatchState,
  type RecordHead,
  type SourceState,
  type UnreadReason,
} from '../../../clinical/sources/record-state.sql.ts';
import { buildDisclosure } from '../render/disclosure.ts';
import { renderAnswer } from '../render/answer-text.ts';
import { pluralize } from '../render/format-number.ts';
import { join, joinParagraphs, renderSection, renderTable } from '../render/markdown.ts';
import { readForAnswer } from '../render/read-answer.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { describeMissing } from '../render/source-text.ts';
import { defineTool } from '../tool.ts';
import { renderWithheldNote } from '../render/withheld-text.ts';

export const updateAndCheckRecentRecords = defineTool({
  name: 'update_and_check_recent_records',
  title: 'State of the record',
  description:
    'When the record was last synchronized, the state of its sources and newest uploads and fetches, and the link to add records.',
  input: z.strictObject({}),
  async run(deps, access) {
    const { rows, consentRecordId, withheld, pending } = await readForAnswer(deps, access, {
      head: findRecordHead(access),
      batches: findListedBatches(access),
      sources: findConnectedSources(access),
      unread: findUnreadReasons(access),
    });
    const text = renderAnswer(
      [
        '# State of the record',
        pending,
        renderHead(rows.head[0] ?? null, withheld),
        renderSection('Connected sources', renderSources(rows.sources)),
        renderSection(
          'Newest uploads and fetches',
          rows.batches.length === 0
            ? 'None yet.'
            : joinParagraphs(
                renderBatchTable(rows.batches, rows.unread, withheld),
                renderUnreadPointer(rows.batches, withheld),
              ),
        ),
        renderSection(
          'Update the record',
          `The patient adds or updates records here: ${deps.consentAppUrl}/#/my-data`,
        ),
      ],
      renderWithheldNote(withheld),
    );
    return { text, consentRecordId, audit: buildDisclosure([]) };
  },
});

/** Counts nothing where something is withheld: a number would reveal how much there is of it. */
function renderHead(head: RecordHead | null, withheld: DataMask): string {
  if (!head?.lastSynchronizedAt)
    return 'Last synchronization: never. Nothing has been added to this record yet.';
  const synchronized = `Last synchronization: ${formatInstant(head.lastSynchronizedAt)}.`;
  return withheld === 0
    ? `${synchronized} The record holds ${pluralize(head.total, 'resource')}.`
    : synchronized;
}

/** "2026-11-20 17:56 UTC" */
function formatInstant(at: string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const BATCH_STATES: Readonly<Record<BatchState['status'], string>> = {
  queued: 'waiting to be read',
  processing: 'being read',
  needs_confirmation: "waits for the patient's answer whether it is about them",
  completed: 'read',
  completed_with_errors: 'read, in part',
  failed: 'failed',
};

const renderOrigin = ({ isFetched }: BatchState): string => (isFetched ? 'a connected server' : 'an upload');

const SOURCE_STATES: Readonly<Record<SourceState['state'], string>> = {
  waiting: 'waiting to be read',
  running: 'being read',
  up_to_date: 'up to date',
  no_match: 'no matching patient found there',
  ambiguous_match: 'several patients match there',
  needs_organization_review: 'waits for the organization to check who the patient is there',
  failed: 'could not be read',
  paused: 'paused',
};

function renderSources(sources: readonly SourceState[]): string {
  if (sources.length === 0) return 'This organization has connected no source for the project.';
  return renderTable(
    ['Source', 'State', 'Last synchronization'],
    sources.map((source) => [
      escapeInline(source.name, 80),
      describeState(source),
      source.synchronizedAt === null ? 'never' : formatInstant(source.synchronizedAt),
    ]),
  );
}

function describeState(source: SourceState): string {
  if (source.state === 'waiting' && source.code !== null) return 'does not answer now; is tried again';
  const missing = source.state === 'up_to_date' ? describeMissing(source) : null;
  return missing === null
    ? SOURCE_STATES[source.state]
    : `read in part: ${missing}; is asked for everything again`;
}

/** Says why places were not read only where nothing is withheld: a file that is not named is counted too. */
function renderBatchTable(
  batches: readonly BatchState[],
  unread: readonly UnreadReason[],
  withheld: DataMask,
): string {
  if (withheld !== 0)
    return renderTable(
      ['Received', 'Brought by', 'State', 'Batch'],
      batches.map((batch) => [
        formatInstant(batch.receivedAt),
        renderOrigin(batch),
        BATCH_STATES[batch.status],
        batch.batchId,
      ]),
    );
  const toRow = (batch: BatchState): string[] => [
    formatInstant(batch.receivedAt),
    renderOrigin(batch),
    BATCH_STATES[batch.status],
    join(
      [pluralize(batch.documents, 'document'), batch.rejected > 0 && `${batch.rejected} not readable`],
      ', ',
    ),
    join(
      [
        `${batch.created} new`,
        batch.updated > 0 && `${batch.updated} changed`,
        batch.unchanged > 0 && `${batch.unchanged} known already`,
      ],
      ', ',
    ),
    formatReasons(unread.filter(({ batchId }) => batchId === batch.batchId)),
    batch.batchId,
  ];
  return renderTable(
    ['Received', 'Brought by', 'State', 'Documents', 'Resources', 'Not read', 'Batch'],
    batches.map(toRow),
  );
}

/** Where the patient alone may read why something was not read, says so, and where. */
const renderUnreadPointer = (batches: readonly BatchState[], withheld: DataMask): string | null =>
  withheld !== 0 && batches.some(({ status }) => UNREAD_STATES.has(status)) ? UNREAD_POINTER : null;

const UNREAD_STATES = new Set<BatchState['status']>(['completed_with_errors', 'failed']);

const UNREAD_POINTER =
  'What was not read, and why, is said to the patient alone, since they do not share everything: on their page (below), where they can send it again.';

const MAX_REASONS = 4;

/** "2 places: The JSON is not well-formed or is cut off." */
function formatReasons(reasons: readonly UnreadReason[]): string {
  const shown = reasons
    .slice(0, MAX_REASONS)
    .map(({ message, places }) => `${pluralize(places, 'place')}: ${escapeInline(message, 200)}`);
  const left = reasons.slice(MAX_REASONS).reduce((sum, { places }) => sum + places, 0);
  return join([...shown, left > 0 && pluralize(left, 'more place')], ' ');
}
