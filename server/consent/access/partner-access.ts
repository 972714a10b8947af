import type { Caller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { forbidden } from '../../platform/kernel/refusal.ts';

declare const accessBrand: unique symbol;

/**
 * The permission to ask for a patient's record as FHIR; only this room makes one. Whether it permits anything is settled by
 * every statement it is used in (`partner-gate.sql.ts`).
 */
export interface PartnerAccess {
  readonly [accessBrand]: true;
  readonly patientId: PatientId;
  /** The organization that the patient must share with now; null: the patient reads their own record. */
  readonly organizationId: OrganizationId | null;
}

/** Of an organization's token, the patients who share with it; of a patient's own, themselves. Throws `wrong_patient`. */
export function partnerAccessFor(caller: Caller, patientId: PatientId): PartnerAccess {
  if (caller.kind !== 'patient') return { patientId, organizationId: caller.organizationId } as PartnerAccess;
  if (caller.patientId !== patientId)
    throw forbidden('A patient token reads the record of its own patient only.', 'wrong_patient');
  return { patientId, organizationId: null } as PartnerAccess;
}
