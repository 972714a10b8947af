import type { DataMask, PatientId, ProjectId } from '../../../contract/brands.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { excludeLabels, toDataScopes, toScopesDto, toWithheldMask } from '../access/sensitivity-labels.ts';
import type { GrantTerms } from '../decisions/consent.sql.ts';
import { selectLastGrant, type LastGrantRow } from './short-form.sql.ts';

/** An app that asks, as the person would see it. */
export interface AskingClient {
  patientId: PatientId;
  projectId: ProjectId;
  clientId: string;
  clientName: string | null;
  /** Where the answer goes: an app that asks again from elsewhere is not the same to a person. */
  redirectHost: string;
  /** It asks to read while the person is away. */
  refreshable: boolean;
}

/** What a decision would be made on now. */
export interface ReviewState {
  studySnapshotId: string;
  uiHash: string;
  /** What the review would offer of the consent in force to an app whose grant leaves this out; null while none is in force. */
  getConsent: ((grant: DataMask) => GrantTerms) | null;
}

/**
 * Returns what the short form of the review may say yes to: what the app has already, until the consent in force ends. Null
 * where anything is not as it was when this person last decided on this app: its name, where its answer goes, whether it
 * reads while they are away, the words of the project, the page, who signs, and until when the app was let in.
 */
export async function findShortFormTerms(
  on: Queryable,
  client: AskingClient,
  state: ReviewState,
): Promise<GrantTerms | null> {
  if (state.getConsent === null) return null;
  const last = await maybeOne(on, selectLastGrant(client));
  if (!last?.is_connected || !isSame(last, client, state)) return null;
  const consent = state.getConsent(last.withheld);
  if (last.expires_at < consent.expiresAt) return null;
  const scopes = toPresetScopes(consent, last);
  // 42 CFR 2.31 has elements of its own, which the whole review shows.
  if (scopes.sensitivityScopes?.includes('SUD_PART_2') === true) return null;
  return { scopes, expiresAt: consent.expiresAt };
}

const isSame = (last: LastGrantRow, client: AskingClient, state: ReviewState): boolean =>
  last.client_name === client.clientName &&
  last.redirect_host === client.redirectHost &&
  (last.refreshable || !client.refreshable) &&
  !last.has_representative &&
  last.study_snapshot_id === state.studySnapshotId &&
  last.ui_hash === state.uiHash;

/** Returns what the whole review would preset, as its decision is read: where no class is named, none is shared. */
function toPresetScopes({ scopes }: GrantTerms, { withheld }: LastGrantRow): GrantTerms['scopes'] {
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: classes } = toScopesDto(
    excludeLabels(scopes, withheld),
  );
  return toDataScopes(categories, classes ?? ['NORMAL']);
}

/**
 * Refuses a decision that was made on the short form (`full_review_required`) unless it is just what that form may say yes to,
 * in the transaction of the decision.
 */
export async function requireShortForm(
  on: Queryable,
  client: AskingClient,
  { chosen, ...state }: ReviewState & { chosen: GrantTerms & { representative: object | null } },
): Promise<void> {
  const terms = await findShortFormTerms(on, client, state);
  const isAllowed =
    terms !== null &&
    chosen.representative === null &&
    toWithheldMask(chosen.scopes) === toWithheldMask(terms.scopes) &&
    chosen.expiresAt.getTime() === terms.expiresAt.getTime();
  if (!isAllowed)
    throw new Refusal(409, 'full_review_required', {
      detail: 'Something differs from the last decision on this app: show the whole review.',
    });
}
