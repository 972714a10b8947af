import type { FhirClient } from './fhir-client.ts';
import { parseJsonBody } from './fhir-client.ts';
import { isObject, readObjects, readString, type JsonObject } from './json.ts';
import type { SourceLimits } from './limits.ts';
import { SourceFault } from './source-fault.ts';

/** What a server declares in its CapabilityStatement. */
export interface Capabilities {
  fhirVersion: string | null;
  /** `Person`: a service that has brought several patients' records together under one person, whatever else it offers. */
  everything: 'Patient' | 'Person' | null;
  match: boolean;
  /** Search parameters by type; null where the statement names no resources. */
  search: ReadonlyMap<string, ReadonlySet<string>> | null;
}

const UNKNOWN: Capabilities = { fhirVersion: null, everything: null, match: false, search: null };

/** Reads the CapabilityStatement; throws `not_r4` for another release. A server that refuses it is queried without. */
export async function readCapabilities(
  client: FhirClient,
  { metadataBytes, firstRequestMs }: SourceLimits,
): Promise<Capabilities> {
  try {
    return parseCapabilities(parseJsonBody(await client.get('/metadata', metadataBytes, firstRequestMs)));
  } catch (error) {
    const isHidden = error instanceof SourceFault && ['gone', 'forbidden', 'rejected'].includes(error.code);
    if (!isHidden) throw error;
    return UNKNOWN;
  }
}

export function parseCapabilities(statement: JsonObject): Capabilities {
  if (statement['resourceType'] !== 'CapabilityStatement') throw new SourceFault('not_fhir');
  const fhirVersion = readString(statement['fhirVersion']);
  if (fhirVersion !== null && !/^4\.0\b/.test(fhirVersion)) throw new SourceFault('not_r4');
  const servers = readObjects(statement['rest']).filter(({ mode }) => mode === 'server');
  const resources = servers.flatMap(({ resource }) => readObjects(resource));
  const operations = [
    ...servers.flatMap(({ operation }) => readObjects(operation)),
    ...resources.flatMap(({ operation }) => readObjects(operation)),
  ];
  const hasOperation = (type: string, name: string): boolean =>
    operations.some(({ definition }) => hasSuffix(definition, `/${type}-${name}`)) ||
    resources.some((each) => each['type'] === type && readObjects(each['operation']).some(isNamed(name)));
  return {
    fhirVersion,
    everything: hasOperation('Person', 'everything')
      ? 'Person'
      : hasOperation('Patient', 'everything')
        ? 'Patient'
        : null,
    match: hasOperation('Patient', 'match'),
    search: resources.length === 0 ? null : new Map(resources.flatMap(listSearchParameters)),
  };
}

const isNamed =
  (name: string) =>
  (operation: JsonObject): boolean =>
    operation['name'] === name || operation['name'] === `$${name}`;

const hasSuffix = (definition: unknown, end: string): boolean =>
  (readString(definition) ?? '').split('|', 1)[0]?.endsWith(end) === true;

/** Lists the search parameters of a type that can be searched, or that declares no interactions. */
function listSearchParameters(resource: JsonObject): [string, ReadonlySet<string>][] {
  const type = readString(resource['type']);
  const interactions = readObjects(resource['interaction']);
  if (type === null) return [];
  if (interactions.length > 0 && !interactions.some(({ code }) => code === 'search-type')) return [];
  return [
    [type, new Set(readObjects(resource['searchParam']).flatMap(({ name }) => readString(name) ?? []))],
  ];
}

const OAUTH_URIS = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris';

/** Finds the token endpoint of servers older than `.well-known/smart-configuration` (SMART App Launch 1.0 §2.1). */
export function findTokenEndpoint(statement: JsonObject): string | null {
  const secured = readObjects(statement['rest'])
    .map(({ security }) => security)
    .filter(isObject);
  return (
    secured
      .flatMap(({ extension }) => readObjects(extension))
      .filter(({ url }) => url === OAUTH_URIS)
      .flatMap(({ extension }) => readObjects(extension))
      .filter(({ url }) => url === 'token')
      .map(({ valueUri }) => readString(valueUri))
      .find((uri) => uri !== null) ?? null
  );
}
