import { isCandidate, type Demographics } from './demographic-match.ts';
import { parseJsonBody } from './fhir-client.ts';
import { isObject, readObjects, type JsonObject } from './json.ts';
import type { MatchContext } from './matched-patient.ts';
import { SourceFault } from './source-fault.ts';

const MATCH_GRADE = 'http://hl7.org/fhir/StructureDefinition/match-grade';

/** Calls `Patient/$match` (FHIR R4, Patient.operation.match); returns null where the server has none. */
export async function callMatchOperation(
  context: MatchContext,
  demographics: Demographics,
): Promise<JsonObject[] | null> {
  if (!context.capabilities.match) return null;
  const body = {
    resourceType: 'Parameters',
    parameter: [
      { name: 'resource', resource: buildPatient(demographics) },
      { name: 'count', valueInteger: 10 },
      { name: 'onlyCertainMatches', valueBoolean: true },
    ],
  };
  try {
    const bundle = parseJsonBody(await context.client.post('/Patient/$match', body));
    return readObjects(bundle['entry'])
      .filter(isCertain)
      .map(({ resource }) => resource)
      .filter((resource) => isObject(resource))
      .filter(isCandidate);
  } catch (error) {
    if (error instanceof SourceFault && ['gone', 'rejected', 'forbidden'].includes(error.code)) return null;
    throw error;
  }
}

const buildPatient = ({ firstName, lastName, dateOfBirth, email, phone }: Demographics): object => ({
  resourceType: 'Patient',
  name: [{ family: lastName, given: [firstName] }],
  birthDate: dateOfBirth,
  telecom: [
    { system: 'email', value: email },
    ...(phone === null ? [] : [{ system: 'phone', value: phone }]),
  ],
});

/** Checks the server's match grade; without one, `onlyCertainMatches` applies. */
function isCertain({ search }: JsonObject): boolean {
  const grades = isObject(search)
    ? readObjects(search['extension']).filter(({ url }) => url === MATCH_GRADE)
    : [];
  return grades.every(({ valueCode }) => valueCode === 'certain');
}
