import targetsByPath from '../fhir/reference-targets.json' with { type: 'json' };
import { isList, isRawNumber, type FhirObject, type FhirValue } from './fhir-values.ts';
import type { PositionedResource } from './resource-list.ts';

const TARGETS: Readonly<Record<string, string>> = targetsByPath;

/**
 * Reduces a reference to its display where FHIR R4 does not let the element point to a resource of that type. CDA lets an
 * organization or a device author anything; `Condition.recorder`, for one, is a person.
 */
export const keepPermittedTargets = ({ resource, position }: PositionedResource): PositionedResource => {
  const { resourceType, id, ...content } = resource;
  return {
    resource: { resourceType, id, ...(restrict(content, resourceType) as FhirObject) },
    position,
  };
};

function restrict(value: FhirValue | undefined, path: string): FhirValue | undefined {
  if (typeof value !== 'object' || isRawNumber(value)) return value;
  if (isList(value)) return value.map((item) => restrict(item, path) as FhirValue);
  const { reference } = value;
  if (typeof reference === 'string')
    return isPermitted(path, reference) ? value : { display: value['display'] };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, restrict(item, `${path}.${name}`)]),
  );
}

function isPermitted(path: string, reference: string): boolean {
  const types = Object.hasOwn(TARGETS, path) ? TARGETS[path]?.split(' ') : undefined;
  return (
    types === undefined || types.includes('Resource') || types.includes(reference.split('/')[0] as string)
  );
}
