declare global {
  /** ES2026 §25.5.3: in Node since 22, not yet in TypeScript's library. */
  interface JSON {
    rawJSON(text: string): RawNumber;
  }
}

export interface RawNumber {
  readonly rawJSON: string;
}

/**
 * FHIR R4 §2.24.0.1: the precision of a decimal is part of its meaning, 5.40 is not 5.4. `JSON.stringify`
 * writes the returned value as a number with exactly these places.
 */
export function toDecimal(value: number, places: number): RawNumber {
  return JSON.rawJSON(value.toFixed(places));
}
