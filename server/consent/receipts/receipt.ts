import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { SignJWT, type JWTPayload } from 'jose';
import { ResourceScope } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import type { ProjectContent } from '../../../contract/organization/projects.ts';
import type { ConsentReceipt, ReceiptReference } from '../../../contract/organization/receipt.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { toScopesDto } from '../access/sensitivity-labels.ts';
import { resolveConsentContent } from '../../identity/organizations/version-content.ts';
import { resolveSnapshotId } from '../decisions/study-snapshot.ts';
import { selectRecordForReceipt, type ReceiptRow } from './receipt.sql.ts';
import { getReceiptWords } from './receipt-words.ts';

export interface ReceiptDeps {
  db: Db;
  clock: Clock;
  keys: SigningKeys;
  baseUrl: string;
  consentAppUrl: string;
}

/** RFC 8725 §3.11: explicit types, so that no other token of this service passes for one of these or the reverse. */
export const RECEIPT_TYPE = 'consent-receipt+jwt';
export const REFERENCE_TYPE = 'consent-receipt-reference+jwt';

interface RecordKey {
  patientId: PatientId;
  consentRecordId: ConsentRecordId;
}

/**
 * Signs the receipt of a decision as a compact JWS; null where the patient has no such record. It is built on request from
 * the record, which never changes, and signed with the current key, so that the published keys verify it however old the
 * decision is.
 */
export async function signReceipt(deps: ReceiptDeps, record: RecordKey): Promise<string | null> {
  const row = await findRecordForReceipt(deps.db, record);
  return row && signJwt(deps, RECEIPT_TYPE, { ...buildReceipt(row, deps), sub: row.patient_id });
}

/** Signs a reference that may lie in a mailbox: it identifies a receipt and its record, and holds nothing of its content. */
export async function signReference(deps: ReceiptDeps, record: RecordKey): Promise<string | null> {
  const row = await findRecordForReceipt(deps.db, record);
  if (!row) return null;
  const reference: Omit<z.input<typeof ReceiptReference>, IssuedClaim> = {
    record_id: row.consent_record_id,
    event_state: getEventState(row),
    event_time: row.decided_at.toISOString(),
    expiry: formatExpiry(row),
    record_hash: hashRecord(row),
  };
  return signJwt(deps, REFERENCE_TYPE, reference);
}

type IssuedClaim = 'iss' | 'iat' | 'jti';

const findRecordForReceipt = (
  db: Db,
  { patientId, consentRecordId }: RecordKey,
): Promise<ReceiptRow | null> => maybeOne(db, selectRecordForReceipt(patientId, consentRecordId));

async function signJwt(
  { keys, clock, baseUrl }: ReceiptDeps,
  typ: string,
  payload: JWTPayload,
): Promise<string> {
  const { kid, key } = await keys.getCurrentKey();
  const iat = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({ ...payload, iss: baseUrl, iat, jti: generateId() })
    .setProtectedHeader({ alg: 'ES256', kid, typ })
    .sign(key);
}

const getEventState = (row: ReceiptRow) =>
  row.consent_status === 'OPTED_IN' ? ('given' as const) : ('withdrawn' as const);

const formatExpiry = (row: ReceiptRow): string | null =>
  row.consent_status === 'OPTED_IN' ? row.expires_at.toISOString() : null;

type ReceiptPayload = Omit<z.input<typeof ConsentReceipt>, IssuedClaim | 'sub'>;

function buildReceipt(row: ReceiptRow, { consentAppUrl }: ReceiptDeps): ReceiptPayload {
  const parties = buildParties(row);
  return {
    schema_version: 'ISO/IEC TS 27560:2023',
    record_id: row.consent_record_id,
    pii_principal_id: row.patient_id,
    pii_processing: buildProcessing(row, { consentAppUrl, parties }),
    party_identification: parties,
    event_schema: [
      {
        event_type: 'explicit',
        event_state: getEventState(row),
        event_time: row.decided_at.toISOString(),
        validity_duration:
          row.consent_status === 'OPTED_IN'
            ? `PT${Math.round((row.expires_at.getTime() - row.decided_at.getTime()) / 1000)}S`
            : null,
        entity: row.representative === null ? row.patient_id : REPRESENTATIVE,
      },
    ],
    evidence: {
      organizationId: row.organization_id,
      studySnapshotId: row.study_snapshot_id,
      consentUIFlow: row.consent_ui_flow,
      uiHash: row.ui_hash,
      screenshots: JSON.parse(row.screenshots) as ReceiptPayload['evidence']['screenshots'],
      recordHash: hashRecord(row),
    },
  };
}

type Party = ReceiptPayload['party_identification'][number];

const REPRESENTATIVE = 'representative';

function buildParties(row: ReceiptRow): Party[] {
  const { contact = null } = parseContent(row) ?? {};
  const representative =
    row.representative === null
      ? null
      : (JSON.parse(row.representative) as { name: string; authority: string });
  const toParty = (
    party_role: Party['party_role'],
    party_id: string,
    rest: Partial<Pick<Party, 'party_name' | 'party_contact'>> = {},
  ): Party => ({ party_id, party_role, party_name: null, party_contact: null, ...rest });
  return [
    toParty('pii_principal', row.patient_id),
    toParty('pii_controller', row.organization_id, {
      party_name: row.organization_name,
      party_contact: contact,
    }),
    ...(row.client_id === null ? [] : [toParty('recipient', row.client_id, { party_name: row.client_name })]),
    ...(representative
      ? [
          toParty('authorized_representative', REPRESENTATIVE, {
            party_name: `${representative.name} (${representative.authority})`,
          }),
        ]
      : []),
  ];
}

type Processing = ReceiptPayload['pii_processing'];

function buildProcessing(
  row: ReceiptRow,
  { consentAppUrl, parties }: { consentAppUrl: string; parties: readonly Party[] },
): Processing {
  const language = row.language ?? 'en';
  const words = getReceiptWords(language);
  const { title, purpose } = resolveNotice(row, language);
  const filterByRole = (role: Party['party_role']): Party[] =>
    parties.filter(({ party_role }) => party_role === role);
  return {
    privacy_notice: { study_id: row.project_id, study_snapshot_id: row.study_snapshot_id, title },
    language,
    purposes: [
      {
        purpose,
        purpose_type: row.consent_type,
        lawful_basis: 'explicit_consent',
        pii_information: buildPiiInformation(row),
        pii_controllers: filterByRole('pii_controller'),
        recipient_third_parties: filterByRole('recipient'),
        collection_method: row.consent_ui_flow,
        storage_conditions: words.storage,
        geographic_restrictions: null,
        withdrawal_method: words.withdrawal(`${consentAppUrl}/#/my-data`),
        privacy_rights: [...words.rights],
        expiry: formatExpiry(row),
      },
    ],
  };
}

function buildPiiInformation(row: ReceiptRow): Processing['purposes'][number]['pii_information'] {
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: classes } = toScopesDto({
    resourceScopes: row.consent_data_resource_scopes,
    sensitivityScopes: row.consent_data_sensitivity_scopes,
  });
  return (categories ?? ResourceScope.options).map((pii_type) => ({
    pii_type,
    sensitive_pii_category: true,
    sensitivity_scopes: [...(classes ?? (['NORMAL'] as const))],
  }));
}

/** What the patient read, in the words of the type of consent that they decided on. */
const parseContent = (row: ReceiptRow): ProjectContent | null => resolveConsentContent(row, row.consent_type);

/** Returns title and purpose of the content, in the language of the page if available; without content, name and purpose. */
function resolveNotice(row: ReceiptRow, language: string): { title: string; purpose: string | null } {
  const content = parseContent(row);
  const text = (language === 'es' && content?.es) || (content?.en ?? content?.es);
  if (text) return { title: text.title, purpose: text.purpose };
  const { project_name, project_purpose } = row;
  const currentSnapshotId = resolveSnapshotId(row.project_id, {
    study_snapshot_id: null,
    project_name,
    project_purpose,
  });
  // A receipt must not claim that the patient read a purpose that the project was given only later.
  return {
    title: project_name,
    purpose: currentSnapshotId === row.study_snapshot_id ? project_purpose : null,
  };
}

/** SHA-256 over all that is fixed in the record: the same in every receipt of it. */
const hashRecord = (row: ReceiptRow): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        row.patient_id,
        row.consent_record_id,
        row.organization_id,
        row.project_id,
        row.consent_type,
        row.consent_status,
        row.decided_at.toISOString(),
        row.expires_at.toISOString(),
        row.study_snapshot_id,
        row.consent_config_snapshot_id,
        row.consent_ui_flow,
        row.ui_hash,
        row.consent_stats,
        row.consent_data_resource_scopes,
        row.consent_data_sensitivity_scopes,
        row.language,
        row.client_id,
        row.client_name,
        row.representative,
        row.screenshots,
      ]),
    )
    .digest('hex');
