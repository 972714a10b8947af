/** Every action that an audit entry may have, with what it says: `docs/audit.md` lists them from here. */
export const AUDIT_ACTIONS = {
  'mcp.tools_call': 'a tool was called through MCP; `detail`: tool, categories, first and last day, entries',
  'fhir.everything':
    'a whole record, or a page of it, was read as FHIR. This and the next two are `patientsOnly` where patients read their own by their own token',
  'fhir.everything_ended':
    'an answer of `fhir.everything` gave less than that entry says; `detail`: which one (`of`), how many entries were sent at most, and why: the permission ended (`access_revoked`) or was narrowed (`consent_narrowed`), the patient took something out (`record_changed`), the reader went away (`reader_left`), or an error',
  'fhir.read':
    'one resource was read as FHIR; refused as `not_found` where there is none that the reader gets',
  'consent.recorded':
    'a patient consented, narrowed or withdrew; `detail`: type, status, end, what it covers, and `parts` where it has several: each with its scopes and its end',
  'consent.record_viewed': 'consent records, summaries or scopes were read',
  'consent.evidence_viewed':
    'screenshots of a decision were read; `detail`: `view: opened` where the console opened all of it, by one entry',
  'evidence.exported': 'the evidence of a decision was downloaded: record, screenshots, entries of the log',
  'access_log.viewed': 'somebody read what the log says of one patient',
  'audit.exported': 'entries of the log were exported; `detail`: format and filter',
  'audit.entries_dropped':
    'months of the log were dropped by CHARTGATE_AUDIT_RETENTION_MONTHS; `detail`: until when, how many entries, of which blocks',
  'upload.confirmed':
    'a patient said that an upload is about them; `detail`: its batch. This and the next three are `patientsOnly` where the organization may read nothing of what they concern: its lists and exports leave them out',
  'upload.removed': 'a patient took an upload out of the record; `detail`: its batch',
  'document.stated_harmless':
    'a patient stated that a document that could not be read holds nothing very private; `detail`: its digest',
  'document.statement_withdrawn': 'a patient took such a statement back',
  'oauth.code_exchanged': 'a client exchanged its code for tokens',
  'oauth.denied': 'a patient denied what a client requested',
  'oauth.grant_revoked':
    'a grant ended: by the client, the patient, the organization, or a code or refresh token used twice (a withdrawal is `consent.recorded`)',
  'patients.enrolled': 'a list of patients was enrolled; `detail`: how many',
  'patient.enrolled': 'one patient of such a list',
  'test_patient.created': 'a test patient was created',
  'test_patient.password_renewed': 'a test patient got a new password',
  'test_patient.token_issued':
    'somebody of the organization took a token of a test patient; `detail`: what a narrower one covers',
  'test_patient.record_generated':
    'a record was made up for a test patient; `detail`: its batch, years and seed',
  'test_patient.deleted': 'a test patient was deleted with all data',
  'patient.viewed':
    "an organization looked at a patient's details: enrollments, decisions and what happened; nothing of the record",
  'patient.invited': 'a patient was sent the invitation again',
  'patient.updated': 'what an organization wrote of a patient was corrected; `detail`: which fields',
  'enrollment.ended':
    "a patient's enrollment ended, and what it permitted with it: by the organization, or by the system (the person is known by another id, or is gone)",
  'doctor.started':
    'somebody had the deployment checked, with a test patient who was deleted afterwards; `detail`: the id of the run',
  'organization.updated':
    'how the organization presents itself to people was changed; `detail`: which fields',
  'console.signed_in': 'a member signed in to the console; `detail`: with which second factor',
  'console.sign_in_failed':
    'somebody named a member and did not sign in; `detail`: whether password or code was wrong',
  'console.signed_out': 'a member signed out',
  'console.session_ended': 'a member ended one of their sessions from another',
  'console.confirmed': 'a member proved to be present; `detail`: by what',
  'console.password_link_sent': 'a member said that they forgot their password, and was mailed a link',
  'console.password_changed':
    'a member chose another password; their other sessions ended; `detail`: whether by a mailed link',
  'console.passkey_added': 'a member added a passkey',
  'console.passkey_removed': 'a member removed a passkey',
  'console.identity_joined': "a member joined their login at the organization's identity provider",
  'console.factor_changed': 'a member set up an authenticator app, or renewed their recovery codes',
  'member.invited': 'somebody was invited to become a member; `detail`: role and projects, never the address',
  'member.invitation_revoked': 'an invitation was taken back',
  'member.joined': 'somebody accepted an invitation, or came from the identity provider, and is a member',
  'member.changed': "a member's name, or role and projects, were changed",
  'member.address_changed': 'a member has another address at the identity provider, and has it here too',
  'member.address_kept':
    'a member has another address at the identity provider, which signs in somebody else here: theirs stays',
  'member.removed': 'a member was removed; their sessions ended',
  'member.reset_requested': 'a member was sent what lets them choose password and factor anew',
  'member.factor_reset': 'a member chose a password anew; their factor and sessions ended',
  'api_key.created': 'an API key was created; `detail`: its id, role, projects and end',
  'api_key.rotated': 'an API key got a new secret; `detail`: its id, and how long the one before is accepted',
  'api_key.secret_ended':
    'the secret of an API key from before its last rotation was ended; `detail`: its id',
  'api_key.revoked': 'an API key was revoked, with all tokens obtained with it; `detail`: its id',
  'project.created': 'a project was created',
  'project.updated': "a project's settings or words for patients were changed",
  'client.vouched': 'somebody vouched for an app; `detail`: which, and until when',
  'client.unvouched': 'that was taken back',
  'client.blocked':
    'an app was blocked; `detail`: which, what the block acts on, how many connections of how many patients it ended',
  'client.unblocked': 'a block was taken back; what it ended stays ended',
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
  'webhook.secret_ended':
    'the secrets of a webhook from before its last rotation were ended; `detail`: how many',
  'webhook.tested': 'a test event was sent',
  'webhook.redelivered': 'a delivery was sent again',
  'webhook.replayed': 'deliveries of a time were sent again; `detail`: how many',
  'webhook.replay_stopped': 'what a replay had not sent yet was taken back',
  'webhook.failing_announced': 'the service announced that a webhook fails',
  'webhook.suspended': 'the service suspended a webhook whose endpoint is gone (410)',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** What a patient does with their record; an entry says `patientsOnly` in the log of an organization that shares in nothing of it. */
const PATIENT_ACTIONS = [
  'upload.confirmed',
  'upload.removed',
  'document.stated_harmless',
  'document.statement_withdrawn',
] as const satisfies readonly AuditAction[];
export type PatientAction = (typeof PATIENT_ACTIONS)[number];

/** Reads as FHIR; what a patient reads of their own record by their own token is `patientsOnly`, for no consent limits it. */
export const FHIR_ACTIONS = [
  'fhir.everything',
  'fhir.everything_ended',
  'fhir.read',
] as const satisfies readonly AuditAction[];

/** Actions of patients whose entries may be `patientsOnly`. */
export const PRIVATE_ACTIONS = [...PATIENT_ACTIONS, ...FHIR_ACTIONS] as const;
