import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { toPlainClientName } from '../../../contract/account/client-name.ts';
import { ResourceScope, type ClientGrant } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import {
  localizeContent,
  type LocalizedContent,
  type LocalizedText,
} from '../../../contract/organization/localize-content.ts';
import type { Contact, ProjectContent } from '../../../contract/organization/projects.ts';
import type { ConsentReceipt } from '../../../contract/organization/receipt.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { toScopesDto } from '../access/sensitivity-labels.ts';
import { resolveConsentContent } from '../../identity/organizations/version-content.ts';
import { DELETION_FLOW, INVITATION_FLOW } from '../decisions/decide.ts';
import { toPartsDto } from '../decisions/grant-dto.ts';
import { resolveSnapshotId } from '../decisions/study-snapshot.ts';
import { toRecordGrantDto } from '../records/consent-record.ts';
import { classifyDecision } from '../records/decision-kind.ts';
import { selectRecordForReceipt, type ReceiptRow } from './receipt.sql.ts';
import { getReceiptWords, type ReceiptWords } from './receipt-words.ts';

export interface RecordKey {
  patientId: PatientId;
  consentRecordId: ConsentRecordId;
}

/** Finds a record with what its receipt says; null where the patient has no such record. */
export const findRecordForReceipt = (
  db: Db,
  { patientId, consentRecordId }: RecordKey,
): Promise<ReceiptRow | null> => maybeOne(db, selectRecordForReceipt(patientId, consentRecordId));

/** Claims that are added when it is signed. */
export type IssuedClaim = 'iss' | 'iat' | 'jti';

/** Returns what the decision did; a change is a consent like the first. */
export function getEventState(row: ReceiptRow): ReceiptPayload['event_schema'][number]['event_state'] {
  const kind = classifyDecision(row);
  return kind === 'changed' ? 'given' : kind;
}

export const formatExpiry = (row: ReceiptRow): string | null =>
  row.consent_status === 'OPTED_IN' ? row.expires_at.toISOString() : null;

/** A receipt before it is signed. */
export type ReceiptPayload = Omit<z.input<typeof ConsentReceipt>, IssuedClaim | 'sub'>;

/** Builds what a receipt says from the record, which never changes: the same on every request. */
export function buildReceipt(row: ReceiptRow, { consentAppUrl }: { consentAppUrl: string }): ReceiptPayload {
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
        entity: findDecider(row),
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

function findDecider(row: ReceiptRow): string {
  if (getEventState(row) === 'revoked') return row.organization_id;
  return row.representative === null ? row.patient_id : REPRESENTATIVE;
}

function buildParties(row: ReceiptRow): Party[] {
  const ownContact = row.organization_contact;
  const contact =
    parseContent(row)?.contact ?? (ownContact === null ? null : (JSON.parse(ownContact) as Contact));
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
  const language = row.words_language ?? 'en';
  const words = getReceiptWords(language);
  const { title, purpose, categoryPurposes } = resolveNotice(row, language);
  const filterByRole = (role: Party['party_role']): Party[] =>
    parties.filter(({ party_role }) => party_role === role);
  return {
    privacy_notice: {
      study_id: row.project_id,
      study_snapshot_id: row.study_snapshot_id,
      title: title.text,
      ...(isInOther(title, language) && { title_language: title.lang }),
    },
    language,
    purposes: [
      {
        ...quotePurpose(purpose, language),
        purpose_type: row.consent_type,
        lawful_basis: 'explicit_consent',
        pii_information: buildPiiInformation(row, { categoryPurposes, language }),
        pii_controllers: filterByRole('pii_controller'),
        recipient_third_parties: filterByRole('recipient'),
        ...buildRecipientLimits(row),
        ...buildParts(row),
        collection_method: row.consent_ui_flow,
        storage_conditions: words.storage,
        geographic_restrictions: null,
        withdrawal_method: words.withdrawal(`${consentAppUrl}/#/my-data`),
        privacy_rights: listRights(row, words),
        expiry: formatExpiry(row),
      },
    ],
  };
}

/** Lists the rights that are left after the decision: of a consent that is not in force any more, none about sharing. */
function listRights(row: ReceiptRow, { rights }: ReceiptWords): string[] {
  if (row.consent_ui_flow === DELETION_FLOW) return [];
  return [...(row.consent_status === 'OPTED_IN' ? rights.sharing : []), ...rights.data];
}

/** What the app gets, where that is less than what the organization does. */
function buildRecipientLimits(row: ReceiptRow): Pick<Processing['purposes'][number], 'recipient_limits'> {
  const grant = toRecordGrantDto(row);
  if (row.client_id === null || grant === null) return {};
  return {
    recipient_limits: { party_id: row.client_id, ...formatLimits(grant) },
  };
}

/** What ends when, where parts of it end at different times. */
function buildParts(row: ReceiptRow): Pick<Processing['purposes'][number], 'parts'> {
  const parts = toPartsDto(row.parts);
  return parts === null ? {} : { parts: parts.map(formatLimits) };
}

const formatLimits = (grant: ClientGrant): NonNullable<Processing['purposes'][number]['parts']>[number] => ({
  pii_types: grant.consentDataResourceScopes ?? [...ResourceScope.options],
  sensitivity_scopes: grant.consentDataSensitivityScopes ?? ['NORMAL'],
  expiry: grant.expirationTimestamp,
});

function buildPiiInformation(
  row: ReceiptRow,
  { categoryPurposes, language }: Pick<Notice, 'categoryPurposes'> & { language: string },
): Processing['purposes'][number]['pii_information'] {
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: classes } = toScopesDto({
    resourceScopes: row.consent_data_resource_scopes,
    sensitivityScopes: row.consent_data_sensitivity_scopes,
  });
  return (categories ?? ResourceScope.options).map((pii_type) => ({
    pii_type,
    sensitive_pii_category: true,
    sensitivity_scopes: [...(classes ?? (['NORMAL'] as const))],
    ...quotePurpose(categoryPurposes.get(pii_type) ?? null, language),
  }));
}

const toPageLanguage = (language: string): LocalizedText['lang'] => (language === 'es' ? 'es' : 'en');

/** Whether a text was shown in the other language, for want of one in that of the page. */
const isInOther = ({ lang }: LocalizedText, language: string): boolean => lang !== toPageLanguage(language);

/** States a purpose as it was read, with its language where that is not the page's. */
function quotePurpose(
  purpose: LocalizedText | null,
  language: string,
): { purpose: string | null; purpose_language?: LocalizedText['lang'] } {
  if (purpose === null) return { purpose: null };
  return { purpose: purpose.text, ...(isInOther(purpose, language) && { purpose_language: purpose.lang }) };
}

/** What the patient read, in the words of the type of consent that they decided on. */
const parseContent = (row: ReceiptRow): ProjectContent | null => resolveConsentContent(row, row.consent_type);

type Notice = Pick<LocalizedContent, 'purpose' | 'categoryPurposes'> & { title: LocalizedText };

/**
 * Returns what the patient read, each text in the language of the page where it was written in it, else in the other, as the
 * review shows it; without content, name and purpose.
 */
function resolveNotice(row: ReceiptRow, language: string): Notice {
  const lang = toPageLanguage(language);
  const localized = localizeContent(parseContent(row), lang);
  if (localized?.title) return { ...localized, title: localized.title };
  const { project_name, project_purpose } = row;
  const currentSnapshotId = resolveSnapshotId(row.project_id, {
    study_snapshot_id: null,
    project_name,
    project_purpose,
  });
  const title = { text: project_name, lang };
  const categoryPurposes = new Map<ResourceScope, LocalizedText>();
  // A receipt must not claim that the patient read a purpose that the project was given only later. A version without words of
  // its own shows the project's.
  const isSame = row.version !== null || currentSnapshotId === row.study_snapshot_id;
  if (!isSame) return { title, purpose: null, categoryPurposes };
  const text = project_purpose ?? describeUnsaidPurpose(row, language);
  return { title, purpose: text === null ? null : { text, lang }, categoryPurposes };
}

/** What the review says where the project has no purpose; null for a decision that was made without a review. */
function describeUnsaidPurpose(row: ReceiptRow, language: string): string | null {
  const words = getReceiptWords(language);
  if (row.client_id !== null)
    return words.askedByPatient(toPlainClientName(row.client_name) || words.unnamedClient);
  return row.consent_ui_flow === INVITATION_FLOW ? words.notSaid(row.organization_name) : null;
}

/** SHA-256 over all that is fixed in the record: the same in every receipt of it. */
export const hashRecord = (row: ReceiptRow): string =>
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
        // Hashes of records without it stay what they were.
        ...(row.grant_expires_at
          ? [row.grant_resource_scopes, row.grant_sensitivity_scopes, row.grant_expires_at.toISOString()]
          : []),
        ...(row.parts === null ? [] : [row.parts]),
      ]),
    )
    .digest('hex');
