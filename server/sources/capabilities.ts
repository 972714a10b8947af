import type { FhirClient } from './fhir-client.ts';
import { jsonOf } from './fhir-client.ts';
import { isObject, objects, text, type Json } from './json.ts';
import { SourceFault } from './source-fault.ts';

/** What a server says of itself in its CapabilityStatement. */
export interface Capabilities {
  fhirVersion: string | null;
  /** `Person`: a service that has brought several patients' records together under one person. */
  everything: 'Patient' | 'Person' | null;
  match: boolean;
  /** Search parameters by type; null where the statement names no resources. */
  search: ReadonlyMap<string, ReadonlySet<string>> | null;
}

const UNKNOWN: Capabilities = { fhirVersion: null, everything: null, match: false, search: null };

/** Throws `not_r4` for another release; a server that does not show its statement is asked without. */
export async function readCapabilities(client: FhirClient, maxBytes: number): Promise<Capabilities> {
  try {
    return capabilitiesOf(jsonOf(await client.get('/metadata', maxBytes)));
  } catch (error) {
    const hidden = error instanceof SourceFault && ['gone', 'forbidden', 'rejected'].includes(error.code);
    if (!hidden) throw error;
    return UNKNOWN;
  }
}

export function capabilitiesOf(statement: Json): Capabilities {
  if (statement['resourceType'] !== 'CapabilityStatement') throw new SourceFault('not_fhir');
  const fhirVersion = text(statement['fhirVersion']);
  if (fhirVersion !== null && !/^4\.0\b/.test(fhirVersion)) throw new SourceFault('not_r4');
  const servers = objects(statement['rest']).filter(({ mode }) => mode === 'server');
  const resources = servers.flatMap(({ resource }) => objects(resource));
  const operations = [
    ...servers.flatMap(({ operation }) => objects(operation)),
    ...resources.flatMap(({ operation }) => objects(operation)),
  ];
  const offers = (type: string, name: string): boolean =>
    operations.some(({ definition }) => endsIn(definition, `/${type}-${name}`)) ||
    resources.some((each) => each['type'] === type && objects(each['operation']).some(isNamed(name)));
  return {
    fhirVersion,
    everything: offers('Patient', 'everything')
      ? 'Patient'
      : offers('Person', 'everything')
        ? 'Person'
        : null,
    match: offers('Patient', 'match'),
    search: resources.length === 0 ? null : new Map(resources.flatMap(searchOf)),
  };
}

const isNamed =
  (name: string) =>
  (operation: Json): boolean =>
    operation['name'] === name || operation['name'] === `$${name}`;

const endsIn = (definition: unknown, end: string): boolean =>
  (text(definition) ?? '').replace(/\|.*$/, '').endsWith(end);

/** Only types that can be searched; one that says nothing of its interactions may be. */
function searchOf(resource: Json): [string, ReadonlySet<string>][] {
  const type = text(resource['type']);
  const interactions = objects(resource['interaction']);
  if (type === null) return [];
  if (interactions.length > 0 && !interactions.some(({ code }) => code === 'search-type')) return [];
  return [[type, new Set(objects(resource['searchParam']).flatMap(({ name }) => text(name) ?? []))]];
}

const OAUTH_URIS = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris';

/** Where servers from before `.well-known/smart-configuration` name their token endpoint (SMART App Launch 1.0 §2.1). */
export function tokenEndpointIn(statement: Json): string | null {
  const secured = objects(statement['rest'])
    .map(({ security }) => security)
    .filter(isObject);
  return (
    secured
      .flatMap(({ extension }) => objects(extension))
      .filter(({ url }) => url === OAUTH_URIS)
      .flatMap(({ extension }) => objects(extension))
      .filter(({ url }) => url === 'token')
      .map(({ valueUri }) => text(valueUri))
      .find((uri) => uri !== null) ?? null
  );
}
