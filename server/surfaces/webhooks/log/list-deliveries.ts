import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { WebhookKey } from '../webhooks.sql.ts';
import * as statements from './deliveries.sql.ts';
import type { DeliveryPage, DeliveryRow, Lead } from './deliveries.sql.ts';

/** Candidates that are looked at for what else is asked: in milliseconds, and all of them where they are few. */
const MAX_CANDIDATES = 1000;

/**
 * Returns a page of a webhook's deliveries, newest first. A filter that has an index in their order leads: where what it finds
 * is few, or much of it fits, the page is among its newest candidates. The rest is looked for among all deliveries.
 */
export async function listDeliveries(
  db: Db,
  webhook: WebhookKey,
  page: DeliveryPage,
): Promise<DeliveryRow[]> {
  const leads = findLeads(page);
  if (leads.length === 1 && isOfAnswerOnly(page))
    return db.query(statements.selectAmongCandidates(webhook, page, { lead: 'answer', most: page.limit }));
  const found: DeliveryRow[] = [];
  let { before } = page;
  for (const lead of leads) {
    const rest = { ...page, before, limit: page.limit - found.length };
    // First, so that what comes in meanwhile is in one part and not in the other.
    const end = await maybeOne(
      db,
      statements.findCandidatesEnd(webhook, rest, { lead, most: MAX_CANDIDATES }),
    );
    const newest = { ...rest, from: end?.event_id ?? page.from };
    found.push(...(await db.query(statements.selectAmongCandidates(webhook, newest, { lead, most: null }))));
    if (end === null || found.length >= page.limit) return found;
    before = end.event_id;
  }
  const rest = { ...page, before, limit: page.limit - found.length };
  return [...found, ...(await db.query(statements.selectDeliveries(webhook, rest)))];
}

function findLeads({ answer, type, projectId, reach }: DeliveryPage): Lead[] {
  const leads: Lead[] = [];
  // What most attempts come to narrows least.
  const isAcknowledged = answer?.includes('2xx') ?? false;
  if (answer !== undefined && !isAcknowledged) leads.push('answer');
  if (type !== undefined) leads.push('type');
  if (projectId !== undefined || reach.projectIds !== null) leads.push('project');
  if (isAcknowledged) leads.push('answer');
  return leads;
}

const isOfAnswerOnly = ({ answer, status, type, projectId, patientId, reach }: DeliveryPage): boolean =>
  answer !== undefined &&
  [status, type, projectId, patientId].every((filter) => filter === undefined) &&
  reach.projectIds === null;
