export const USAGE_KINDS = ['tool_call', 'fhir_read', 'upload', 'mail', 'delivery'] as const;

/** What the service counts of an organization's use of it. */
export type UsageKind = (typeof USAGE_KINDS)[number];
