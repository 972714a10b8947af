interface FaultDefinition {
  /** One sentence for the organization; never quotes what the server sent. */
  message: string;
  /** The fault may be transient: the sync is retried a few times. */
  passes?: true;
}

/** Why a source could not be read, by the code on the wire. */
export const FAULTS = {
  address_refused: {
    message: 'The address is not one that may be asked: not https, or not on the public internet.',
  },
  unreachable: { message: 'The server cannot be reached.', passes: true },
  tls_failed: { message: 'The server’s certificate is not valid for its name.', passes: true },
  timeout: { message: 'The server did not answer in time.', passes: true },
  malformed_answer: { message: 'The server’s answer is not HTTP, or is cut off.', passes: true },
  unavailable: { message: 'The server reports an error of its own.', passes: true },
  too_many_requests: { message: 'The server asks us to slow down.', passes: true },
  redirected: { message: 'The server redirects elsewhere; redirects are not followed.' },
  no_token_endpoint: { message: 'The server names no token endpoint.' },
  alg_not_supported: { message: 'The server accepts neither ES384 nor RS384 client assertions.' },
  token_refused: { message: 'The token endpoint refuses this client.' },
  token_malformed: { message: 'The token endpoint’s answer is not a bearer token.' },
  unauthorized: { message: 'The server does not accept our credentials.' },
  forbidden: { message: 'The server does not permit us to read this.' },
  rejected: { message: 'The server does not understand the request.' },
  gone: { message: 'The server has no such resource.' },
  not_fhir: { message: 'The answer is not FHIR JSON.' },
  not_r4: { message: 'The server speaks another FHIR release than R4.' },
  operation_outcome: { message: 'The server reports that its answer is not complete.' },
  answer_too_large: { message: 'One answer is larger than we take.' },
  too_large: { message: 'The record is larger than we take.' },
  endless_paging: { message: 'The pages have no end.' },
  paging_elsewhere: { message: 'A page leads to another address than the server’s own.' },
  wrong_patient: { message: 'The server sent something of another patient; nothing was stored.' },
  took_too_long: { message: 'The record could not be fetched within half an hour.' },
  not_stored: { message: 'What was fetched could not be read into the record; see the batch.' },
  internal_error: { message: 'We failed; the operator finds it in the log.' },
} as const satisfies Record<string, FaultDefinition>;

export type FaultCode = keyof typeof FAULTS;

/** Why nothing is fetched although nothing failed. */
export const OUTCOME_MESSAGES = {
  no_external_id: 'The patient was enrolled without an external id.',
  no_birth_date: 'The patient was enrolled without a date of birth.',
  nobody_found: 'The server knows nobody like this patient.',
  email_differs: 'Somebody of this name and birth date is known there, but not by this e-mail address.',
  several_found: 'The server knows several patients like this one.',
  birth_date_differs:
    'The patient of this id was born on another day. Correct the external id or the birth date, then fetch again.',
  name_differs:
    'The patient of this id has neither the family name nor the confirmed e-mail address. Correct the external id or the name, then fetch again.',
  not_served: 'The source serves test patients only, or real patients only.',
  not_test_data: 'What is not tagged as test data (HTEST) was refused for a test patient.',
  source_paused: 'The organization has paused this source.',
  no_consent: 'The patient shares with no project of this source now.',
  partial: 'Fetched in part: the server did not give everything, or not all of it could be read.',
} as const;

export type OutcomeCode = keyof typeof OUTCOME_MESSAGES;

/** Returns the sentence of a code; null for an unknown one. */
export const findMessage = (code: string | null): string | null =>
  code === null
    ? null
    : ((FAULTS as Record<string, FaultDefinition>)[code]?.message ??
      (OUTCOME_MESSAGES as Record<string, string>)[code] ??
      null);

/** A source cannot be read; holds nothing of what it sent. */
export class SourceFault extends Error {
  readonly code: FaultCode;
  /** The HTTP status it came with; 0 where there was none. */
  readonly status: number;
  readonly retryAfterMs: number | null;

  constructor(code: FaultCode, { status = 0, retryAfterMs = null as number | null } = {}) {
    super(`source: ${code}`);
    this.name = 'SourceFault';
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  get isTransient(): boolean {
    return 'passes' in FAULTS[this.code];
  }
}
