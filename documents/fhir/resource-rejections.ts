import { RESOURCE_LIMITS } from './resource-limits.ts';

/**
 * Why a resource is not read, whether it was written as JSON or as XML. The codes are stable; patients may read the
 * messages.
 */
export const RESOURCE_REJECTIONS = {
  not_utf8:
    'The letters are neither in UTF-8, the only encoding FHIR allows, nor in another one that is read.',
  not_json: 'The JSON is not well-formed or is cut off.',
  not_fhir: 'This is not a FHIR resource: it has no resourceType.',
  unknown_resource_type: 'The resourceType is not one that FHIR R4 (4.0.1) knows.',
  repeated_member:
    'Something in it has two members of the same name (or one called __proto__): programs would read it differently.',
  unsafe_narrative:
    'The narrative holds scripts or markup that FHIR does not allow there: its words were kept, its markup was not.',
  too_deep: `The JSON is nested deeper than ${RESOURCE_LIMITS.depth} levels.`,
  nested_too_deep:
    'The Bundle, or the Parameters with resources, lies inside one that is itself inside another.',
  resource_too_large: `The resource is larger than ${RESOURCE_LIMITS.bytes / 1024 / 1024} MiB.`,
  too_many_values: `The resource is made of more than ${RESOURCE_LIMITS.values.toLocaleString('en-US')} values.`,
  unsupported_bundle_type:
    'Bundles of type history, message and subscription-notification report events; they are not a record.',
  deletion_not_applied:
    'This asks for a deletion (a Bundle entry with DELETE), which an upload does not do: what the record has stays. Take the upload out that brought it.',
  server_message:
    'This is what a server said about its answer (OperationOutcome); it is no part of a record.',
} as const;

export type ResourceRejectionCode = keyof typeof RESOURCE_REJECTIONS;
