import type { Caller } from '../../../contract/audience.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';

interface View {
  action: 'consent.record_viewed' | 'consent.evidence_viewed' | 'evidence.exported';
  patientId?: PatientId;
  projectId?: ProjectId;
  consentRecordId?: ConsentRecordId;
  detail?: Readonly<Record<string, unknown>>;
}

/**
 * Audits that an organization viewed a record; resolves when the entry is durable, before the answer is sent. What patients
 * view of themselves is not audited.
 */
export async function auditView(audit: Audit, caller: Caller, view: View): Promise<void> {
  if (caller.kind === 'patient') return;
  await audit.append({ organizationId: caller.organizationId, actor: toActor(caller), ...view });
}
