/** Every action that an audit entry may have, with what it says: `docs/audit.md` lists them from here. */
export const AUDIT_ACTIONS = {
  'mcp.tools_call': 'a tool was called through MCP; `detail`: tool, categories, first and last day, entries',
  'fhir.everything': 'a whole record, or a page of it, was read as FHIR',
  'fhir.read': 'one resource was read as FHIR',
  'consent.recorded':
    'a patient consented, narrowed or withdrew; `detail`: type, status, end, what it covers',
  'consent.record_viewed': 'consent records, summaries or scopes were read',
  'consent.evidence_viewed': 'screenshots of a decision were read',
  'access_log.viewed': "an admin read a patient's access log",
  'upload.removed': 'a patient took an upload out of the record; `detail`: its batch',
  'document.stated_harmless':
    'a patient stated that a document that could not be read holds nothing very private; `detail`: its digest',
  'document.statement_withdrawn': 'a patient took such a statement back',
  'oauth.code_exchanged': 'a client exchanged its code for tokens',
  'oauth.denied': 'a patient denied what a client requested',
  'oauth.grant_revoked':
    'a grant ended: by the client, the patient, a withdrawal, or a code or refresh token used twice',
  'patients.enrolled': 'a list of patients was enrolled; `detail`: how many',
  'patient.enrolled': 'one patient of such a list',
  'test_patient.created': 'a test patient was created',
  'test_patient.password_renewed': 'a test patient got a new password',
  'test_patient.deleted': 'a test patient was deleted with all data',
  'patient.invited': 'a patient was sent the invitation again',
  'patient.updated': 'what an organization wrote of a patient was corrected; `detail`: which fields',
  'enrollment.ended': "an organization ended a patient's enrollment, and what it permitted with it",
  'organization.updated':
    'how the organization presents itself to people was changed; `detail`: which fields',
  'project.created': 'a project was created',
  'project.updated': "a project's settings or words for patients were changed",
  'source.created': 'a FHIR server was connected',
  'source.changed': 'a connected FHIR server was changed',
  'source.deleted': 'a connected FHIR server was removed',
  'source.sync_requested': 'fetching from a connected FHIR server was requested',
  'webhook.created': 'a webhook was registered',
  'webhook.changed': 'a webhook was changed',
  'webhook.deleted': 'a webhook was deleted',
  'webhook.paused': 'a webhook was paused',
  'webhook.resumed': 'a webhook was resumed',
  'webhook.secret_rotated': 'a webhook got a new secret',
  'webhook.tested': 'a test event was sent',
  'webhook.redelivered': 'a delivery was sent again',
  'webhook.replayed': 'deliveries of a time were sent again; `detail`: how many',
  'webhook.failing_announced': 'the service announced that a webhook fails',
  'webhook.suspended': 'the service suspended a webhook whose endpoint is gone (410)',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
