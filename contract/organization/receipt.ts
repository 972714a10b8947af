import { z } from 'zod';
import { ConsentType } from '../account/consent.ts';
import { ResourceScope, SensitivityScope } from '../data-categories.ts';
import { ConsentRecordId, OrganizationId, PatientId, ProjectId, ScreenshotId } from '../brands.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const dateTime = z.iso.datetime();

/** RFC 7519 claims that every receipt has; `iss` is the service, whose published keys verify it. */
const claims = { iss: z.string(), iat: z.int(), jti: z.string() };

const Party = z.object({
  party_id: z.string(),
  party_role: z.enum(['pii_principal', 'pii_controller', 'recipient', 'authorized_representative']),
  party_name: z.string().nullable(),
  party_contact: z
    .object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
    .nullable(),
});

const otherLanguage = z
  .enum(['en', 'es'])
  .optional()
  .describe(
    'Of a text that the page showed in another language than its own, since it is not written in that one',
  );

/** The decision, in the field names of ISO/IEC TS 27560:2023, 6.3. */
const PiiProcessing = z.object({
  privacy_notice: z
    .object({
      study_id: ProjectId,
      study_snapshot_id: z.string(),
      title: z.string(),
      title_language: otherLanguage,
    })
    .describe('The project as the patient saw it, by its version'),
  language: z.string(),
  purposes: z.array(
    z.object({
      purpose: z
        .string()
        .nullable()
        .describe('What the patient read; null when that content is no longer stored'),
      purpose_language: otherLanguage,
      purpose_type: ConsentType,
      lawful_basis: z.literal('explicit_consent'),
      pii_information: z.array(
        z.object({
          pii_type: ResourceScope,
          sensitive_pii_category: z.literal(true).describe('All of it is health data'),
          sensitivity_scopes: z.array(SensitivityScope),
          purpose: z
            .string()
            .nullable()
            .default(null)
            .describe('What the organization said it needs it for, in its words as the patient read them'),
          purpose_language: otherLanguage,
        }),
      ),
      pii_controllers: z.array(Party),
      recipient_third_parties: z.array(Party),
      recipient_limits: z
        .object({
          party_id: z.string(),
          pii_types: z.array(ResourceScope),
          sensitivity_scopes: z.array(SensitivityScope),
          expiry: dateTime,
        })
        .optional()
        .describe('What the recipient gets, where that is less than the consent covers or ends sooner'),
      parts: z
        .array(
          z.object({
            pii_types: z.array(ResourceScope),
            sensitivity_scopes: z.array(SensitivityScope),
            expiry: dateTime,
          }),
        )
        .optional()
        .describe('Where parts of it end at different times, each of them; the last one at `expiry`'),
      collection_method: z.string().describe('consentUIFlow'),
      storage_conditions: z.string(),
      geographic_restrictions: z.string().nullable(),
      withdrawal_method: z.string(),
      privacy_rights: z.array(z.string()),
      expiry: dateTime.nullable(),
    }),
  ),
});

/** The states of a consent of the Data Privacy Vocabulary: revoked is ended by another than the patient. */
const EventState = z.enum(['given', 'refused', 'withdrawn', 'revoked']);

/** Payload of a consent receipt: a compact JWS of type `consent-receipt+jwt`. */
export const ConsentReceipt = z
  .object({
    ...claims,
    sub: PatientId,
    schema_version: z.literal('ISO/IEC TS 27560:2023'),
    record_id: ConsentRecordId,
    pii_principal_id: PatientId,
    pii_processing: PiiProcessing,
    party_identification: z.array(Party),
    event_schema: z.array(
      z.object({
        event_type: z.literal('explicit'),
        event_state: EventState,
        event_time: dateTime,
        validity_duration: z.string().nullable().describe('ISO 8601 duration'),
        entity: z.string().describe('party_id of the person who decided'),
      }),
    ),
    evidence: z
      .object({
        organizationId: OrganizationId,
        studySnapshotId: z.string(),
        consentUIFlow: z.string(),
        uiHash: z.string(),
        screenshots: z.array(z.object({ id: ScreenshotId, screen: z.string(), sha256 })),
        recordHash: sha256.describe(
          'Over what is fixed in the record, as the service stores it: the same in every receipt of the record and in its mailed short form',
        ),
      })
      .describe('The evidence, by hash'),
  })
  .meta({ id: 'ConsentReceipt' });
export type ConsentReceipt = z.infer<typeof ConsentReceipt>;

/** Payload of the mailed `consent-receipt-reference+jwt`: it identifies the receipt without its content. */
export const ReceiptReference = z.object({
  ...claims,
  record_id: ConsentRecordId,
  event_state: EventState,
  event_time: dateTime,
  expiry: dateTime.nullable(),
  record_hash: sha256.describe('`evidence.recordHash` of the receipt'),
});
export type ReceiptReference = z.infer<typeof ReceiptReference>;

/** Payload of the `consent-evidence+jwt` in the archive of a decision's evidence: every other file of it, by its hash. */
export const EvidenceManifest = z.object({
  ...claims,
  record_id: ConsentRecordId,
  files: z.array(z.object({ path: z.string().min(1), sha256, bytes: z.int().min(0) })),
});
export type EvidenceManifest = z.infer<typeof EvidenceManifest>;
