import type { Caller, OrganizationReach } from '../../../contract/audience.ts';
import type { PatientId } from '../../../contract/brands.ts';
import { forbidden, type Refusal } from '../../platform/kernel/refusal.ts';

declare const accessBrand: unique symbol;

/**
 * The permission to query a patient's record as FHIR; only this module creates one. Every statement that uses it checks
 * anew whether it permits anything (`partner-gate.sql.ts`).
 */
export interface PartnerAccess {
  readonly [accessBrand]: true;
  readonly patientId: PatientId;
  /** The organization, or those of its projects, that the patient must share with now; null: the patient's own record. */
  readonly reach: OrganizationReach | null;
  /** Whose password or key it was obtained with, which must be in force. */
  readonly caller: Caller;
}

/** Creates the access of an organization to any patient, or of a patient to themselves; throws `wrong_patient`. */
export function partnerAccessFor(caller: Caller, patientId: PatientId): PartnerAccess {
  if (caller.kind !== 'patient') {
    const { organizationId, projectIds } = caller;
    return { patientId, reach: { organizationId, projectIds }, caller } as PartnerAccess;
  }
  if (caller.patientId !== patientId) throw createWrongPatientRefusal();
  return { patientId, reach: null, caller } as PartnerAccess;
}

/** The refusal for a patient's token that names anybody else, or nobody. */
export const createWrongPatientRefusal = (): Refusal =>
  forbidden('A patient token reads the record of its own patient only.', 'wrong_patient');
