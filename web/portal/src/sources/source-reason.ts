import type { PatientSource } from '../../../../contract/account/patient-sources.ts';
import type { Words } from '../words/en.ts';

type SourceReason = keyof Words['myData']['sources']['reasons'];

/** The reason behind each code, as far as it makes a difference to a person. */
export const REASON_BY_CODE: ReadonlyMap<string, SourceReason> = new Map(
  Object.entries({
    partial: 'partial',
    notKnown: 'nobody_found',
    noNumber: 'no_external_id',
    noBirthDate: 'no_birth_date',
    otherEmail: 'email_differs',
    several: 'several_found',
    otherPerson: 'birth_date_differs name_differs',
    notTestData: 'not_test_data',
    notServed: 'not_served',
    unreachable: 'unreachable tls_failed timeout malformed_answer unavailable too_many_requests',
    notOurs:
      'address_refused redirected no_token_endpoint alg_not_supported token_refused token_malformed unauthorized ' +
      'forbidden rejected gone not_fhir not_r4 operation_outcome endless_paging paging_elsewhere',
    tooLarge: 'answer_too_large too_large took_too_long',
    otherPatient: 'wrong_patient',
    notStored: 'not_stored',
    ourFault: 'internal_error',
    pausedThere: 'source_paused',
    notShared: 'no_consent',
  } satisfies Partial<Record<SourceReason, string>>).flatMap(([reason, codes]) =>
    codes.split(' ').map((code) => [code, reason as SourceReason]),
  ),
);

/** Returns why a source is in its state and what to do; null where the state says it all. */
export function toSourceReason({ state, code }: Pick<PatientSource, 'state' | 'code'>): SourceReason | null {
  if (code === null || state === 'running') return null;
  if (state === 'waiting') return 'again';
  return REASON_BY_CODE.get(code) ?? (state === 'failed' ? 'notOurs' : null);
}
