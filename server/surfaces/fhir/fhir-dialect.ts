import type { OperationOutcome } from '../../../contract/fhir/fhir.ts';
import type { App } from '../../platform/http/app.ts';
import { buildChallenge } from '../../platform/http/challenge.ts';
import { logRefusal, toRefusal } from '../../platform/http/problem-dialect.ts';
import type { Refusal } from '../../platform/kernel/refusal.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { FHIR_JSON } from './media-type.ts';
import { createPathNotFoundRefusal } from './path-not-found.ts';

/** https://hl7.org/fhir/R4/valueset-issue-type.html, by status. */
const ISSUE_TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid'],
  [401, 'login'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'not-supported'],
  [406, 'not-supported'],
  [409, 'multiple-matches'],
  [410, 'expired'],
  [408, 'timeout'],
  [413, 'too-long'],
  [415, 'not-supported'],
  [429, 'throttled'],
  [500, 'exception'],
  [503, 'transient'],
  [507, 'no-store'],
]);

/** Codes of refusals that have another issue type than their status. */
const ISSUE_TYPES_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['unsupported_parameter', 'not-supported'],
]);

/** Renders refusals as an OperationOutcome, which names the parameter at fault. */
export function registerFhirErrors(app: App): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toFhirRefusal(toRefusal(error as Error, request));
    logRefusal(request, refusal, error);
    if (refusal.status === 401) reply.header('www-authenticate', buildChallenge(request));
    return reply
      .code(refusal.status)
      .headers(refusal.headers)
      .type(FHIR_JSON)
      .send(toOperationOutcome(refusal));
  });
}

/** Renders the 404 of unknown paths as an OperationOutcome too. */
export function registerFhirNotFound(app: App): void {
  registerFhirErrors(app);
  app.setNotFoundHandler(async () => {
    throw createPathNotFoundRefusal();
  });
}

/** Turns an id that no patient can have into the refusal of one who does not share: FHIR's ids are any text. */
function toFhirRefusal(refusal: Refusal): Refusal {
  const isUnknownPatient =
    refusal.code === 'invalid_input' && refusal.errors.some(({ path }) => path === 'patientId');
  return isUnknownPatient ? createNotSharedRefusal() : refusal;
}

function toOperationOutcome(refusal: Refusal): OperationOutcome {
  const code = ISSUE_TYPES_BY_CODE.get(refusal.code) ?? ISSUE_TYPES.get(refusal.status) ?? 'processing';
  const issues =
    refusal.errors.length === 0
      ? [{ diagnostics: refusal.message }]
      : refusal.errors.map(({ path, message }) => ({
          diagnostics: `${path || 'body'}: ${message}`,
          // http.html: an issue names a parameter like a search parameter.
          ...(path && { expression: [`http.${path}`] }),
        }));
  return {
    resourceType: 'OperationOutcome',
    issue: issues.map((issue) => ({ severity: 'error', code, ...issue })),
  };
}
