import type { ProjectId } from '../../../../contract/brands.ts';
import { one, type Queryable } from '../../../platform/db/db.ts';
import { forbidden } from '../../../platform/kernel/refusal.ts';
import { toOwnTarget, type AppIdentity } from './app-identity.ts';
import { selectStanding } from './judgements.sql.ts';

export interface AppStanding {
  /** The organization stopped it, or lets in only those that it vouches for. */
  refusal: 'client_blocked' | 'client_not_vouched' | null;
  isVouched: boolean;
}

/** Returns how an app stands with the organization of a project, at this moment. */
export async function findStanding(
  on: Queryable,
  { appId, targets }: AppIdentity,
  { projectId, now }: { projectId: ProjectId; now: Date },
): Promise<AppStanding> {
  const row = await one(on, selectStanding({ projectId, targets, ownTarget: toOwnTarget(appId), now }));
  if (row.blocked) return { refusal: 'client_blocked', isVouched: false };
  const refusal = row.only_vouched && !row.vouched ? 'client_not_vouched' : null;
  return { refusal, isVouched: row.vouched };
}

const DETAILS = {
  client_blocked: 'The organization has stopped this app.',
  client_not_vouched: 'The organization lets in only apps that it knows.',
} as const;

/** Throws where the organization does not let the app in. */
export async function requireAllowedApp(...input: Parameters<typeof findStanding>): Promise<void> {
  const { refusal } = await findStanding(...input);
  if (refusal !== null) throw forbidden(DETAILS[refusal], refusal);
}
