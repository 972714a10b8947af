import { createHash, randomUUID } from 'node:crypto';
import { writeDecision, type Decision } from '../../server/consent/write-decision.ts';
import { enrolledPatient } from '../../server/consent/consent.sql.ts';
import { ResourceScope, SensitivityScope, type RestrictedScope } from '../../contract/data-categories.ts';
import { dataScopes, EVERYTHING, type DataScopes } from '../../server/consent/data-classes.ts';
import { auditLog } from '../../server/audit/append.ts';
import type { ConsentRecordId, PatientId, ProjectId, ScreenshotId } from '../../contract/ids.ts';
import { one } from '../../server/storage/db.ts';
import { png } from './evidence.ts';
import { emitter } from '../../server/webhooks/events/emit.ts';
import type { TestService } from './service.ts';

interface Seen {
  consentRecordId: ConsentRecordId;
  screenshotId: ScreenshotId;
}

type Whose = { id: string; projectId: string };

/** A decision as the consent page would have written it, with the images given, or one small one. */
export async function recordWithScreenshots(
  { store: { db }, clock }: Pick<TestService, 'store' | 'clock'>,
  patient: Whose,
  { images = [png()], ...more }: Partial<Decision> & { images?: readonly Buffer[] } = {},
): Promise<Seen> {
  const patientId = patient.id as PatientId;
  const projectId = patient.projectId as ProjectId;
  const now = clock.now();
  const screenshots = images.map((bytes, place) => ({
    screenshotId: randomUUID() as ScreenshotId,
    screen: place === 0 ? 'review' : 'signature',
    takenAt: now,
    contentType: 'image/png' as const,
    sha256: createHash('sha256').update(bytes).digest(),
    bytes,
  }));
  const deps = { clock, audit: auditLog({ db, clock }), endGrants: async () => {}, emit: emitter(() => {}) };
  const { consentRecordId } = await db.tx(async (tx) =>
    writeDecision(tx, deps, {
      decision: {
        patientId,
        projectId,
        consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        consentStatus: 'OPTED_IN',
        scopes: EVERYTHING,
        expiresAt: null,
        uiFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        uiHash: 'c0ffee',
        stats: { sessionLength: 42, interactions: [] },
        client: 'https://agent.example/client.json',
        clientName: 'Test agent',
        language: 'en',
        screenshots,
        ...more,
      },
      patient: await one(tx, enrolledPatient(patientId, projectId)),
    }),
  );
  return { consentRecordId, screenshotId: screenshots[0]?.screenshotId ?? (randomUUID() as ScreenshotId) };
}

/** A consent that leaves out these categories and classes and nothing else; it replaces the one in force. */
export const consentWithout = (
  service: Pick<TestService, 'store' | 'clock'>,
  patient: Whose,
  ...left: readonly (ResourceScope | RestrictedScope)[]
): Promise<Seen> => recordWithScreenshots(service, patient, { scopes: scopesWithout(left) });

export const scopesWithout = (left: readonly (ResourceScope | RestrictedScope)[]): DataScopes =>
  dataScopes(
    ResourceScope.options.filter((name) => !left.includes(name)),
    SensitivityScope.options.filter((name) => !(left as readonly string[]).includes(name)),
  );
