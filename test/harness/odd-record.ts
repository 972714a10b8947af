/** Resources whose text a reader that parses and writes again would change. */
export const ODD_TEXTS: Readonly<Record<string, string>> = {
  'digits.json':
    '{"resourceType":"Observation","id":"digits","status":"final","code":{"text":"1.00"},"component":[' +
    '{"code":{"text":"a"},"valueQuantity":{"value":1.00}},{"code":{"text":"b"},"valueQuantity":{"value":1E-22}},' +
    '{"code":{"text":"c"},"valueQuantity":{"value":1.000000000000000000E-245}},{"code":{"text":"d"},"valueQuantity":{"value":-0.0}},' +
    '{"code":{"text":"e"},"valueInteger":9007199254740993},{"code":{"text":"f"},"valueQuantity":{"value":66.899999999999991}}]}',
  'letters.json':
    '{"resourceType":"Observation","id":"letters","status":"final","code":{"text":"a\\/b \\u00e9 é 漢字 🩺 \\ud83e\\ude7a \\"quoted\\" \\\\ }],{\\t"}}',
  'lines.json':
    '{\n  "resourceType" : "Observation",\n  "id" : "lines",\n\n  "status" : "final",\n  "code" : {\n    "text" : "over\\nlines" },\n  "valueQuantity" : { "value" : 2.50 }\n}',
  'returns.json':
    '{\r\n\t"resourceType": "Observation",\r\n\t"id": "returns",\r\n\t"status": "final",\r\n\t"code": {"text": "CRLF"},\r\n\t"valueQuantity": {"value": 3.10}\r\n}',
  'mac.json':
    '{\r"resourceType": "Observation",\r"id": "mac",\r"status": "final",\r"code": {"text": "CR alone"},\r"valueQuantity": {"value": 4.0}\r}',
};

const MEBIBYTE = 1024 * 1024;

/** A scan larger than a chunk of the stream of a record. */
export const HUGE_RESOURCE = JSON.stringify({
  resourceType: 'Binary',
  id: 'huge',
  contentType: 'image/tiff',
  data: Buffer.alloc(2 * MEBIBYTE, 'a scanned page').toString('base64'),
});

/** In a record of their own places: small ones before and after what is odd or huge. */
export function buildOddRecord(): Record<string, string> {
  const buildObservation = (id: string): string =>
    JSON.stringify({
      resourceType: 'Observation',
      id,
      status: 'final',
      code: { text: 'Weight' },
      subject: { reference: 'Patient/p' },
      effectiveDateTime: '2025-01-01',
    });
  const buildObservations = (from: number, to: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: to - from }, (_, index) => [
        `o${from + index}.json`,
        buildObservation(`o${from + index}`),
      ]),
    );
  return {
    'patient.json': PATIENT_TEXT,
    ...buildObservations(10, 20),
    'huge.json': HUGE_RESOURCE,
    ...ODD_TEXTS,
    'condition.json':
      '{"resourceType":"Condition","id":"c","code":{"text":"Gout"},"subject":{"reference":"Patient/p"}}',
    ...buildObservations(20, 27),
  };
}

/** Says where she lives in every way that a Patient can. */
export const PATIENT_TEXT = JSON.stringify({
  resourceType: 'Patient',
  id: 'p',
  text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">SECRET street</div>' },
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/patient-birthPlace',
      valueAddress: { city: 'SECRET town' },
    },
    { url: 'urn:kept', valueDecimal: 1 },
    { url: 'urn:nested', extension: [{ url: 'phone', valueContactPoint: { value: 'SECRET 555' } }] },
  ],
  name: [{ text: 'Ada Nowak', family: 'Nowak' }],
  telecom: [{ system: 'phone', value: 'SECRET 1' }],
  gender: 'female',
  birthDate: '1970-04-01',
  address: [{ line: ['SECRET 2'] }],
  contact: [{ name: { text: 'SECRET kin' }, telecom: [{ value: 'SECRET 3' }] }],
}).replace('"valueDecimal":1}', '"valueDecimal":1.00}');
