import { decideTestPatientConsent } from '../../contract/consent.ts';
import type { Audit } from '../audit/append.ts';
import { serve, type Routes } from '../http/serve.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/db.ts';
import { recordTestPatientDecision } from './record-decision.ts';

export function testPatientConsentRoute(routes: Routes, deps: { db: Db; clock: Clock; audit: Audit }): void {
  serve(routes, decideTestPatientConsent, async ({ params, body }) => ({
    consentRecordId: await recordTestPatientDecision(deps, {
      ...params,
      consentType: body.consentType,
      consentStatus: body.consentStatus,
      expiresAt: body.expirationTimestamp === undefined ? null : new Date(body.expirationTimestamp),
    }),
  }));
}
