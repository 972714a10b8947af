import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { getJwks } from '../../../../contract/account/auth.ts';
import type {
  ConsentRecord,
  getConsentRecord,
  getReceipt,
  getScreenshot,
  listScreenshots,
} from '../../../../contract/organization/consent-records.ts';
import { Refusal } from '../../../kit/http/refusal.ts';
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
}

/**
 * Loads a decision with its evidence and verifies it. Every look is in the log of the patient, so nothing is asked before
 * `isShown`, and nothing again when the tab is come back to.
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

async function loadEvidence({ call, download }: Console, consentRecordId: string): Promise<Evidence> {
  const params = { consentRecordId };
  // A decision that is not there is asked for once.
  const record = await call<typeof getConsentRecord>('GET /v1/consents/{consentRecordId}', { params });
  const [{ screenshots }, receipt, jwks] = await Promise.all([
    call<typeof listScreenshots>('GET /v1/consents/{consentRecordId}/screenshots', { params }),
    // Whoever accepts JSON gets the receipt in it.
    call<typeof getReceipt>('GET /v1/consents/{consentRecordId}/receipt', { params }) as Promise<unknown>,
    call<typeof getJwks>('GET /.well-known/jwks.json'),
  ]);
  const blobs = await Promise.all(
    screenshots.map(({ id: screenshotId }) =>
      download<typeof getScreenshot>('GET /v1/consents/{consentRecordId}/screenshots/{screenshotId}', {
        params: { consentRecordId, screenshotId },
      }).catch((error: unknown) => {
        if (error instanceof Refusal) return null;
        throw error;
      }),
    ),
  );
  const jws = (receipt as { receipt: string }).receipt;
  const bytes = await Promise.all(blobs.map(async (blob) => (blob === null ? null : blob.arrayBuffer())));
  const checks = await verifyEvidence({
    record,
    receipt: jws,
    keys: jwks.keys,
    pictures: screenshots.map(({ id }, index) => ({ id, bytes: bytes[index] ?? null })),
  });
  const sources = await Promise.all(blobs.map(async (blob) => (blob === null ? null : readAsDataUrl(blob))));
  const pictures = screenshots.map(({ id, screen, takenAt }, index) => ({
    id,
    screen,
    takenAt,
    source: sources[index] ?? null,
  }));
  return { record, receipt: jws, pictures, checks };
}

/** The page's policy shows images of data and of our own address only; the latter would be another look. */
const readAsDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('the picture cannot be read')));
    reader.readAsDataURL(new Blob([blob], { type: 'image/png' }));
  });
