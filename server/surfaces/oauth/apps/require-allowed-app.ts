import type { ProjectId } from '../../../../contract/brands.ts';
import { one, type Queryable } from '../../../platform/db/db.ts';
import { forbidden } from '../../../platform/kernel/refusal.ts';
import type { AppIdentity } from './app-identity.ts';
import { selectStanding } from './apps.sql.ts';
import type { StandingRow } from './judgements.sql.ts';

export interface AppStanding {
  /** The organization stopped it, or lets in only those that it vouches for. */
  refusal: 'client_blocked' | 'client_not_vouched' | null;
  isVouched: boolean;
  /** It is in the organization's list, as it describes itself now. */
  isNoted: boolean;
}

/** Returns how an app stands with the organization of a project, at this moment. */
export async function findStanding(
  on: Queryable,
  app: AppIdentity,
  subject: { projectId: ProjectId; now: Date; about: string | null },
): Promise<AppStanding> {
  const { refusal, vouched, noted } = await one(on, selectStanding(app, subject));
  return { refusal, isVouched: vouched && refusal === null, isNoted: noted };
}

const DETAILS = {
  client_blocked: 'The organization has stopped this app.',
  client_not_vouched: 'The organization lets in only apps that it knows.',
} as const;

/** Throws where the organization does not let the app in. */
export function requireAllowedApp({ refusal }: Pick<StandingRow, 'refusal'>): void {
  if (refusal !== null) throw forbidden(DETAILS[refusal], refusal);
}

/** Throws where the organization does not let the app in, or knows no such client and takes no new ones. */
export function requireAdmission({
  refusal,
  isKnown,
}: Pick<StandingRow, 'refusal'> & { isKnown: boolean }): void {
  requireAllowedApp({ refusal });
  if (!isKnown) throw forbidden('The organization takes no new apps.', 'client_not_known');
}
