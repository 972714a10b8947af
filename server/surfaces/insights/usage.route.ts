import { listAttention } from '../../../contract/organization/attention.ts';
import * as contract from '../../../contract/organization/usage.ts';
import type { AttentionCheck } from '../../platform/attention/attention.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { findAttention } from './attention.ts';
import type { Db } from '../../platform/db/db.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { getUsage } from './usage.ts';

export interface UsageDeps {
  db: Db;
  clock: Clock;
  attentionChecks: readonly AttentionCheck[];
}

/** What an organization used, and what of it needs somebody. */
export function registerUsageRoutes(routes: Routes, { db, clock, attentionChecks }: UsageDeps): void {
  serve(routes, listAttention, async ({ caller }) => ({
    results: await findAttention(attentionChecks, caller, clock.now()),
  }));
  serve(routes, contract.getUsage, ({ caller, query }) => getUsage(db, caller, query));
}
