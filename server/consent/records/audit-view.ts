import type { Caller } from '../../../contract/audience.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';

interface View {
  action: 'consent.record_viewed' | 'consent.evidence_viewed';
  patientId?: PatientId;
  projectId?: ProjectId;
  consentRecordId?: ConsentRecordId;
  detail?: Readonly<Record<string, unknown>>;
}

/**
 * Says in the organization's log that it looked; resolves when that is durable, and no answer leaves before. What
 * patients read of themselves is nobody's to know.
 */
export async function auditView(audit: Audit, caller: Caller, view: View): Promise<void> {
  if (caller.kind === 'patient') return;
  await audit.append({ organizationId: caller.organizationId, actor: toActor(caller), ...view });
}
