import { createHash, randomUUID } from 'node:crypto';
import { decide, type DecisionTerms } from '../../server/consent/decisions/decide.ts';
import type { ConsentType } from '../../contract/account/consent.ts';
import { ResourceScope, SensitivityScope, type RestrictedScope } from '../../contract/data-categories.ts';
import {
  toDataScopes,
  ALL_DATA_SCOPES,
  type DataScopes,
} from '../../server/consent/access/sensitivity-labels.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import type { ConsentRecordId, PatientId, ProjectId, ScreenshotId } from '../../contract/brands.ts';
import { createPng } from './evidence.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import type { TestService } from './service.ts';

interface RecordedConsent {
  consentRecordId: ConsentRecordId;
  screenshotId: ScreenshotId;
}

type PatientRef = { id: string; projectId: string };

/** A decision as the consent page would have written it, with the images given, or one small one. */
export async function recordConsentWithScreenshots(
  { store: { db }, clock }: Pick<TestService, 'store' | 'clock'>,
  patient: PatientRef,
  {
    images = [createPng()],
    consentType = 'PATIENT_DIRECTED_DATA_EXCHANGE',
    ...more
  }: Partial<DecisionTerms> & { images?: readonly Buffer[]; consentType?: ConsentType } = {},
): Promise<RecordedConsent> {
  const patientId = patient.id as PatientId;
  const projectId = patient.projectId as ProjectId;
  const now = clock.now();
  const screenshots = images.map((bytes, index) => ({
    screenshotId: randomUUID() as ScreenshotId,
    screen: index === 0 ? 'review' : 'signature',
    takenAt: now,
    contentType: 'image/png' as const,
    sha256: createHash('sha256').update(bytes).digest(),
    bytes,
    size: null,
  }));
  const deps = {
    clock,
    audit: createAuditLog({ db, clock }),
    denyRequests: async () => {},
    emit: createEmitter(() => {}),
  };
  const { consentRecordId } = await db.tx(async (tx) =>
    decide(tx, deps, {
      patientId,
      projectId,
      consentType,
      resolveTerms: () => ({
        consentStatus: 'OPTED_IN',
        scopes: ALL_DATA_SCOPES,
        expiresAt: null,
        uiFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        uiHash: 'c0ffee',
        stats: { sessionLength: 42, interactions: [] },
        client: 'https://agent.example/client.json',
        clientName: 'Test agent',
        language: 'en',
        screenshots,
        ...more,
      }),
    }),
  );
  return { consentRecordId, screenshotId: screenshots[0]?.screenshotId ?? (randomUUID() as ScreenshotId) };
}

/** A consent that leaves out these categories and classes and nothing else; it replaces the one in force. */
export const recordConsentWithout = (
  service: Pick<TestService, 'store' | 'clock'>,
  patient: PatientRef,
  ...excluded: readonly (ResourceScope | RestrictedScope)[]
): Promise<RecordedConsent> =>
  recordConsentWithScreenshots(service, patient, { scopes: buildScopesWithout(excluded) });

export const buildScopesWithout = (excluded: readonly (ResourceScope | RestrictedScope)[]): DataScopes =>
  toDataScopes(
    ResourceScope.options.filter((name) => !excluded.includes(name)),
    SensitivityScope.options.filter((name) => !(excluded as readonly string[]).includes(name)),
  );
