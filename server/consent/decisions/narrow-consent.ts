import type { z } from 'zod';
import type { ConsentRecordId, DataMask, PatientId, ProjectId } from '../../../contract/brands.ts';
import type {
  ConsentDataResourceScopes,
  ConsentDataSensitivityScopes,
} from '../../../contract/data-categories.ts';
import type { ConsentType } from '../../../contract/account/consent.ts';
import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { toDataScopes, toWithheldMask } from '../access/sensitivity-labels.ts';
import { getCurrentScopes, joinParts, narrowParts, toStoredConsent } from './consent-parts.ts';
import { API_TERMS, decide, NARROWING_FLOW, type DecisionDeps } from './decide.ts';

interface NarrowConsentInput {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
  resourceScopes: z.infer<typeof ConsentDataResourceScopes>;
  /** null: NORMAL alone. */
  sensitivityScopes: z.infer<typeof ConsentDataSensitivityScopes>;
  /** The hash of the built page. */
  uiHash: string;
  /** Of the page. */
  language: string | undefined;
}

/**
 * Narrows what a consent covers, until the expiry that was agreed. Grants stay in force: each read checks what the decision
 * in force leaves out. The new scopes are compared with the decision they replace, in its transaction, so that a
 * narrowing never widens another. What its record says is what remains.
 */
export async function narrowConsent(
  deps: DecisionDeps & { db: Db },
  { patientId, projectId, consentType, uiHash, language, ...input }: NarrowConsentInput,
): Promise<ConsentRecordId> {
  const scopes = toDataScopes(input.resourceScopes, input.sensitivityScopes ?? ['NORMAL']);
  const { consentRecordId } = await deps.db.tx((tx) =>
    decide(tx, deps, {
      patientId,
      projectId,
      consentType,
      resolveTerms({ previous, now }) {
        if (previous?.consent_status !== 'OPTED_IN' || previous.expires_at <= now)
          throw new Refusal(409, 'no_consent', { detail: 'Nothing is shared with this project now.' });
        const withheld = toWithheldMask(scopes);
        const current = toStoredConsent(previous);
        if (!isNarrower(withheld, toWithheldMask(getCurrentScopes(current, now))))
          throw createNotNarrowerRefusal();
        // Each part keeps its end, and covers no more than it did: what is named may be of several.
        const [first, ...others] = narrowParts(current, { withheld, now });
        if (!first) throw createNotNarrowerRefusal();
        return {
          ...API_TERMS,
          consentStatus: 'OPTED_IN',
          ...joinParts([first, ...others]),
          parts: others.length > 0 ? [first, ...others] : null,
          uiFlow: NARROWING_FLOW,
          uiHash,
          language,
        };
      },
    }),
  );
  return consentRecordId;
}

const createNotNarrowerRefusal = (): Refusal =>
  new Refusal(400, 'not_narrower', {
    detail: 'Name fewer categories or classes than are shared now, and none besides them.',
  });

/** True when all that was left out still is, and something more. */
const isNarrower = (withheld: DataMask, before: DataMask): boolean =>
  (withheld & before) === before && withheld !== before;
