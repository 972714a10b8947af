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

const toStanding = ({ refusal, vouched }: StandingRow): AppStanding => ({
  refusal,
  isVouched: vouched && refusal === null,
});

const DETAILS = {
  client_blocked: 'The organization has stopped this app.',
  client_not_vouched: 'The organization lets in only apps that it knows.',
} as const;

/** Throws where the organization does not let the app in. */
export function requireAllowedApp({ refusal }: Pick<StandingRow, 'refusal'>): void {
  if (refusal !== null) throw forbidden(DETAILS[refusal], refusal);
}
