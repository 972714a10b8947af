/** FHIR R4 §2.24.0.1; each is a number as JSON writes it, too. */
const NUMBERS = new Map([
  ['decimal', /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/],
  ['integer', /^-?(?:0|[1-9][0-9]*)$/],
  ['unsignedInt', /^(?:0|[1-9][0-9]*)$/],
  ['positiveInt', /^[1-9][0-9]*$/],
]);

/** What JSON writes for the value of a primitive; null where the type doesn't have that value. Digits stay as they are. */
export function parsePrimitive(written: string, type: string): unknown {
  const number = NUMBERS.get(type);
  if (number) {
    // XML Schema collapses white space around numbers, and FHIR lets a positiveInt begin with a plus.
    const digits = written.trim().replace(/^\+(?=[1-9])/, '');
    return number.test(digits) ? JSON.rawJSON(digits) : null;
  }
  if (type !== 'boolean') return written;
  const word = written.trim();
  return word === 'true' || word === 'false' ? word === 'true' : null;
}
