import type { ProjectId } from '../../../../contract/brands.ts';
import { one, type Queryable } from '../../../platform/db/db.ts';
import { forbidden } from '../../../platform/kernel/refusal.ts';
import type { AppIdentity } from './app-identity.ts';
import { selectStanding, type StandingRow } from './judgements.sql.ts';

export interface AppStanding {
  /** The organization stopped it, or lets in only those that it vouches for. */
  refusal: 'client_blocked' | 'client_not_vouched' | null;
  isVouched: boolean;
}

/** Returns how an app stands with the organization of a project, at this moment. */
export const findStanding = async (
  on: Queryable,
  app: AppIdentity,
  { projectId, now }: { projectId: ProjectId; now: Date },
): Promise<AppStanding> => toStanding(await one(on, selectStanding(app, projectId, now)));

function toStanding(row: StandingRow): AppStanding {
  if (row.blocked) return { refusal: 'client_blocked', isVouched: false };
  const refusal = row.only_vouched && !row.vouched ? 'client_not_vouched' : null;
  return { refusal, isVouched: row.vouched };
}

const DETAILS = {
  client_blocked: 'The organization has stopped this app.',
  client_not_vouched: 'The organization lets in only apps that it knows.',
} as const;

/** Throws where the organization does not let the app in. */
export function requireAllowedApp(row: StandingRow): void {
  const { refusal } = toStanding(row);
  if (refusal !== null) throw forbidden(DETAILS[refusal], refusal);
}
