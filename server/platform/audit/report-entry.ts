import type { ReportActivity } from '../http/activity.ts';
import type { AuditEntry } from './append.ts';

/** Reports decisions and refused reads, which have an audit entry each; without the patient, who is in that entry alone. */
export function reportAuditEntry(report: ReportActivity, entry: AuditEntry): void {
  const { action, outcome, organizationId, projectId, consentRecordId, detail = {} } = entry;
  const ids = { organizationId, projectId };
  if (action === 'consent.recorded') {
    const kind = detail['consentStatus'] === 'OPTED_OUT' ? 'consent_withdrawn' : 'consent_granted';
    report(kind, { ...ids, consentRecordId, consentType: readText(detail['consentType']) });
  } else if (outcome === 'refused') {
    report('read_refused', { ...ids, action, reason: readText(detail['reason']) });
  }
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
