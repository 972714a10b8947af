import type { OrganizationId } from '../../../contract/brands.ts';
import { maybeOne, type Tx } from '../db/db.ts';
import { detachMonths, listDetached, listMonthsBefore } from '../db/detach-months.ts';
import { startOfMonth, subtractMonths } from '../db/months.ts';
import { raw } from '../db/sql.ts';
import type { Audit, AuditEntry } from './append.ts';
import { GENESIS_HASH } from './checkpoint.ts';
import { findDroppedEntries, type RetentionDetail } from './dropped-entries.ts';
import * as statements from './retention.sql.ts';
import { sealAll, type SealDeps } from './seal.ts';

export interface DropDeps extends SealDeps {
  audit: Pick<Audit, 'writeAll'>;
}

/**
 * Drops the months of the log that ended `months` ago. Each is detached beside readers and writers; then what it held is written
 * as an entry of each organization's log and the table is dropped, both or neither. Blocks and checkpoints stay.
 */
export async function dropAuditMonths(deps: DropDeps, months: number, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const before = startOfMonth(subtractMonths(clock.now(), months));
  // An entry that a slow clock dated back is sealed before it goes, like any other.
  await sealAll(deps, signal);
  const due = await listMonthsBefore(db, ['audit_entry'], before);
  // One after another, and first what an earlier run left: what a month is added to may be an entry of the month itself.
  for (const months of [[], ...due.map((month) => [month])]) {
    await detachMonths(db, { table: 'audit_entry', months }, signal);
    for (const { name } of await db.query(listDetached('audit_entry'))) {
      signal.throwIfAborted();
      await db.tx((tx) => recordAndDrop(tx, deps, { month: name, before }));
    }
  }
}

async function recordAndDrop(
  tx: Tx,
  { audit }: DropDeps,
  { month, before }: { month: string; before: Date },
): Promise<void> {
  // A month may be millions of entries.
  await tx.script("set local statement_timeout = 0; set local lock_timeout = '2s'");
  const entries: AuditEntry[] = [];
  for (const { organization_id: organizationId, entries: count } of await tx.query(
    statements.countByOrganization(month),
  )) {
    const detail = await describeDropped(tx, { organizationId, month });
    entries.push({
      organizationId,
      action: 'audit.entries_dropped',
      actor: { kind: 'system', id: 'retention' },
      detail: { ...detail, before: before.toISOString(), entries: detail.entries + count },
    });
  }
  if (entries.length > 0) await audit.writeAll(tx, entries);
  await tx.query(raw(`drop table ${month}`));
}

/** Adds what a month held to what was dropped before. */
async function describeDropped(
  tx: Tx,
  { organizationId, month }: { organizationId: OrganizationId; month: string },
): Promise<Omit<RetentionDetail, 'before'>> {
  const known =
    (await findDroppedEntries(tx, organizationId)) ?? (await findDroppedEntries(tx, organizationId, month));
  const partial = (known?.ofLaterBlocks ?? []).map(([block, dropped]) => ({ block, dropped }));
  const earlier = { through: known?.throughBlock ?? 0, partial };
  const last = await maybeOne(tx, statements.findDroppedThrough(month, organizationId, earlier));
  const through = last?.block ?? 0;
  const later = await tx.query(statements.selectPartial(month, organizationId, { through, partial }));
  return {
    entries: known?.entries ?? 0,
    throughBlock: through,
    blockHash: (last?.block_hash ?? GENESIS_HASH).toString('base64url'),
    ofLaterBlocks: later.map(({ block, dropped }) => [block, dropped]),
  };
}
