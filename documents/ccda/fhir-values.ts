/** A number that is serialized with the digits it was written in (`JSON.rawJSON`). */
export interface RawNumber {
  readonly rawJSON: string;
}

export type FhirValue = string | boolean | number | RawNumber | FhirObject | readonly FhirValue[];
export type FhirObject = { readonly [element: string]: FhirValue | undefined };

export type Resource = { readonly resourceType: string; readonly id: string } & FhirObject;

export type Reference = { reference?: string; display?: string | undefined; type?: string };
export type Coding = { system?: string | undefined; code?: string | undefined; display?: string | undefined };
export type CodeableConcept = { coding?: readonly Coding[]; text?: string | undefined };
export type Extension = { url: string } & FhirObject;
export type Period = {
  start?: string;
  end?: string;
  _start?: FhirObject | undefined;
  _end?: FhirObject | undefined;
};

const json = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value);

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/**
 * Returns the number in the digits it was written in: 1.00 stays 1.00. JSON has no `+5`, `.5`, `5.` and `007`, so those
 * lose the sign, get or lose a zero; what is no number ("80-100", "1,234") gives undefined.
 */
export function toRawNumber(raw: string | undefined): RawNumber | undefined {
  const match = NUMBER.exec(raw?.trim() ?? '');
  if (!match) return undefined;
  const [, sign, integer = '', fraction = '', exponent = ''] = match;
  if (integer === '' && fraction === '') return undefined;
  const digits = integer.replace(/^0+(?=\d)/, '') || '0';
  return json.rawJSON(
    `${sign === '-' ? '-' : ''}${digits}${fraction === '' ? '' : `.${fraction}`}${exponent}`,
  );
}

/** Serializes a resource without undefined, empty strings, empty arrays and empty objects, which FHIR forbids. */
export function serializeResource(resource: FhirObject): string {
  return JSON.stringify(pruneEmpty(resource));
}

function pruneEmpty(value: FhirValue | undefined): FhirValue | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'object' || isRawNumber(value)) return value;
  if (isList(value)) {
    const items = value.map(pruneEmpty).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const entries = Object.entries(value)
    .map(([name, item]) => [name, pruneEmpty(item)] as const)
    .filter(([, item]) => item !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export const isList = (value: FhirValue): value is readonly FhirValue[] => Array.isArray(value);
