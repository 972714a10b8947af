import { z } from 'zod';
import { readRecord } from '../../consent/record-access.ts';
import {
  connectedSources,
  newestBatches,
  recordHead,
  type BatchState,
  type RecordHead,
  type SourceState,
} from '../../records/record-state.sql.ts';
import { disclosure } from '../history.ts';
import { counted, listed, paragraphs, section, table } from '../markdown.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { withheldNote } from '../withheld-text.ts';

export const updateAndCheckRecentRecords = tool({
  name: 'update_and_check_recent_records',
  title: 'State of the record',
  description:
    'When the record was last synchronized, which sources are connected, what the newest uploads brought, and the link under which the patient adds or updates records.',
  input: z.strictObject({}),
  async run(deps, access) {
    const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
      head: recordHead(access),
      batches: newestBatches(access),
      sources: connectedSources(access),
    });
    const text = paragraphs(
      '# State of the record',
      headText(rows.head[0] ?? null, withheld),
      section('Connected sources', sourcesText(rows.sources)),
      section('Newest uploads', rows.batches.length === 0 ? 'None yet.' : batchTable(rows.batches, withheld)),
      section(
        'Update the record',
        `The patient adds or updates records here: ${deps.consentAppUrl}/#/my-data`,
      ),
      withheldNote(withheld),
    );
    return { text, consentRecordId, audit: disclosure([]) };
  },
});

/** Where something is withheld nothing is counted: a number would tell how much there is of it. */
function headText(head: RecordHead | null, withheld: number): string {
  if (!head?.lastSynchronizedAt)
    return 'Last synchronization: never. Nothing has been added to this record yet.';
  const synchronized = `Last synchronization: ${moment(head.lastSynchronizedAt)}.`;
  return withheld === 0
    ? `${synchronized} The record holds ${counted(head.total, 'resource')}.`
    : synchronized;
}

/** "2026-11-20 17:56 UTC" */
function moment(at: string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const STATES: Readonly<Record<BatchState['status'], string>> = {
  queued: 'waiting to be read',
  processing: 'being read',
  completed: 'read',
  completed_with_errors: 'read, in part',
  failed: 'failed',
};

const SOURCE_STATES: Readonly<Record<SourceState['state'], string>> = {
  waiting: 'waiting to be read',
  running: 'being read',
  up_to_date: 'up to date',
  no_match: 'the patient is not known there',
  ambiguous_match: 'several patients there could be meant',
  failed: 'could not be read',
  paused: 'paused',
};

function sourcesText(sources: readonly SourceState[]): string {
  if (sources.length === 0) return 'No source is connected; this record is made of uploaded documents.';
  return table(
    ['Source', 'State', 'Last synchronization'],
    sources.map(({ name, state, synchronizedAt }) => [
      inline(name, 80),
      SOURCE_STATES[state],
      synchronizedAt === null ? 'never' : moment(synchronizedAt),
    ]),
  );
}

function batchTable(batches: readonly BatchState[], withheld: number): string {
  if (withheld !== 0)
    return table(
      ['Received', 'State', 'Upload'],
      batches.map(({ receivedAt, status, batchId }) => [moment(receivedAt), STATES[status], batchId]),
    );
  const row = (batch: BatchState): string[] => [
    moment(batch.receivedAt),
    STATES[batch.status],
    listed(
      [counted(batch.documents, 'document'), batch.rejected > 0 && `${batch.rejected} not readable`],
      ', ',
    ),
    listed(
      [
        `${batch.created} new`,
        batch.updated > 0 && `${batch.updated} changed`,
        batch.unchanged > 0 && `${batch.unchanged} known already`,
      ],
      ', ',
    ),
    batch.batchId,
  ];
  return table(['Received', 'State', 'Documents', 'Resources', 'Upload'], batches.map(row));
}
