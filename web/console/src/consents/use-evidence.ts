import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { getJwks } from '../../../../contract/account/auth.ts';
import type { ConsentRecord } from '../../../../contract/organization/consent-records.ts';
import type {
  openConsentRecord,
  OrganizationConsent,
} from '../../../../contract/organization/organization-consents.ts';
import { useConsole, type Console } from '../api/use-console.ts';
import { verifyEvidence, type Check } from './verify-evidence.ts';

export interface Picture {
  id: string;
  screen: string;
  takenAt: string;
  /** A data URL; null: it could not be loaded. */
  source: string | null;
}

export interface Evidence {
  record: ConsentRecord;
  receipt: string;
  pictures: Picture[];
  checks: Check[];
  /** The patient's newest decisions, this one mostly among them. */
  decisions: readonly OrganizationConsent[];
}

/**
 * Loads a decision with its evidence and verifies it. A look is one request, which is one entry in the log of the patient:
 * nothing is asked before `isShown`, and nothing again when the tab is come back to.
 */
export function useEvidence(consentRecordId: string, isShown: boolean): UseQueryResult<Evidence> {
  const console = useConsole();
  return useQuery({
    queryKey: ['evidence', consentRecordId],
    queryFn: () => loadEvidence(console, consentRecordId),
    enabled: isShown,
    staleTime: Infinity,
    // A picture is megabytes: it is not kept for a page that was left.
    gcTime: 0,
  });
}

async function loadEvidence({ call }: Console, consentRecordId: string): Promise<Evidence> {
  const params = { consentRecordId };
  // A decision that is not there is asked for once.
  const opened = await call<typeof openConsentRecord>(
    'GET /v1/organizations/{orgId}/consent-records/{consentRecordId}',
    { params },
  );
  const { record, receipt, screenshots, decisions } = opened;
  const { keys } = await call<typeof getJwks>('GET /.well-known/jwks.json');
  const checks = await verifyEvidence({
    record,
    receipt,
    keys,
    pictures: screenshots.map(({ id, data }) => ({ id, bytes: data === null ? null : decodeBase64(data) })),
  });
  // The page's policy shows images of data and of our own address only; the latter would be another look.
  const pictures = screenshots.map(({ id, screen, takenAt, data }) => ({
    id,
    screen,
    takenAt,
    source: data === null ? null : `data:image/png;base64,${data}`,
  }));
  return { record, receipt, pictures, checks, decisions };
}

/** Returns null for what is no base64: its check fails. */
function decodeBase64(text: string): ArrayBuffer | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
  } catch {
    return null;
  }
}
