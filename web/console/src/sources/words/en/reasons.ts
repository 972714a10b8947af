/** Each code of docs/sources.md in words, with what to do. */
export const reasons = {
  not_test_data:
    'The server’s Patient is not tagged as test data. Tag it HTEST, or let the source serve real patients.',
  nobody_found:
    'The server has nobody like this. Check the external id, the name and the birth date of the enrollment.',
  no_external_id: 'The enrollment has no external id. Write it on the patient’s page.',
  no_birth_date:
    'The enrollment has no birth date, which is needed to find somebody by name. Write it on the patient’s page (Correct).',
  email_differs:
    'Name and birth date agree, the e-mail address does not. Have the hospital correct it, or the patient.',
  several_found:
    'Several people at the server fit. Give the enrollment the telephone number or the identifier that only one of them has. A source that looks by name and birth date alone takes no identifier: let it look for one first in its settings.',
  birth_date_differs:
    'The birth date at the server is another one. Find out which is wrong: yours is corrected on the patient’s page, the other one at the hospital.',
  name_differs:
    'Neither the family name nor the e-mail address agrees. Check that the external id is not somebody else’s.',
  partial:
    'Not everything came. Where kinds of data are named, ask the server’s operator for their scopes; otherwise a part of what it sent could not be read.',
  source_paused: 'The source is paused.',
  no_consent: 'The patient consents to no project of this source.',
  not_served: 'The source serves the other kind of patients: real ones, or test patients.',
  unreachable: 'The server does not answer at its address. Check the address and the server’s firewall.',
  tls_failed:
    'The server’s certificate cannot be trusted. Its operator has to mend the certificate or its chain.',
  timeout: 'The server takes too long to answer. Its operator can see why.',
  malformed_answer: 'What the server sends is no proper HTTP. Something in front of it may cut answers off.',
  unavailable: 'The server says that it is out of order. It is tried again.',
  too_many_requests: 'The server says that it is asked too much. It is tried again later.',
  address_refused: 'The address is not https, or not on the public internet.',
  redirected:
    'The server answers with a redirect, which is not followed. Write the address that it leads to.',
  no_token_endpoint: 'The server does not say where to sign in. Write the token endpoint in the settings.',
  alg_not_supported:
    'The server accepts neither ES384 nor RS384 signatures. Ask its operator for one of them.',
  token_refused:
    'The server refused to sign us in. Check the client id, and that the server has the address of our keys.',
  token_malformed: 'The server’s answer to signing in is no token. Check the token endpoint.',
  unauthorized: 'The server does not accept the token. Check the sign-in in the settings.',
  forbidden: 'The server permits this client too little. Ask its operator for the scopes.',
  rejected: 'The server rejects the request. Its operator can see why.',
  gone: 'There is nothing at this address. Check the FHIR base address.',
  not_fhir: 'What answers at this address is not FHIR. Check the FHIR base address.',
  not_r4: 'The server speaks another release of FHIR than R4. Look for its R4 address.',
  operation_outcome: 'The server says that its answer is incomplete. Its operator can see why.',
  answer_too_large: 'One answer of the server is larger than 64 MiB. Ask its operator for smaller pages.',
  too_large: 'The record is larger than what one fetch may bring (1,000 MiB).',
  took_too_long: 'Fetching took longer than half an hour.',
  endless_paging: 'The pages of the server repeat or do not end. Its operator has to mend that.',
  paging_elsewhere: 'The server’s pages lead to another address, which is not followed.',
  wrong_patient: 'The server sent data of another person. Nothing of it was kept: tell its operator.',
  not_stored: 'What was fetched could not be stored. The upload of this patient says why.',
  internal_error: 'This service failed. Its operator finds the fault in the log.',
};
