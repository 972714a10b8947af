import {
  readRecord,
  type ConsentedAccess,
  type RecordQueries,
  type RecordReadResult,
} from '../../../consent/access/record-access.ts';
import { findRecordVersion } from '../../../clinical/store/kept-answers.sql.ts';
import { findPending, type PendingState } from '../../../clinical/sources/record-state.sql.ts';
import type { ToolDeps } from '../tool.ts';
import { replaceDocumentPaths } from './document-names.ts';
import { joinParagraphs } from './markdown.ts';
import { renderPending, renderReadInPart } from './pending-text.ts';

export interface AnswerRead<Queries> extends RecordReadResult<Queries> {
  /** The line about what is on its way into the record; null when nothing is. */
  pending: string | null;
  /** What stands over the answer: that line, and the one about uploads that were read in part. */
  notice: string | null;
  /** Of the record. */
  version: number | null;
}

/** Reads a record for an answer, with what is on its way into it: one statement, since both must be of one moment. */
export async function readForAnswer<Queries extends RecordQueries>(
  deps: ToolDeps,
  access: ConsentedAccess,
  queries: Queries,
): Promise<AnswerRead<Queries>> {
  const { rows, ...read } = await readRecord(deps, access, {
    ...queries,
    pendingStates: findPending(access),
    versions: findRecordVersion(access),
  });
  const { pendingStates, versions, ...own } = rows;
  replaceDocumentPaths(Object.values(own).flat());
  const [state] = pendingStates as readonly PendingState[];
  const pending = renderPending(state, deps.clock.now());
  const [head] = versions as readonly { version: number }[];
  return {
    ...read,
    rows: own as unknown as AnswerRead<Queries>['rows'],
    pending,
    notice: joinParagraphs(pending, renderReadInPart(state, read.withheld)) || null,
    version: head?.version ?? null,
  };
}
