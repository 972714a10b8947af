import type { PatientId } from '../../../../contract/brands.ts';

/** WebAuthn §5.4.3: says who it is and nothing about them. The bytes of the patient's id. */
export const toUserHandle = (patientId: PatientId): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(patientId.replaceAll('-', ''), 'hex'));
