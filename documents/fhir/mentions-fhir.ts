/** A quote, as it is written or inside of a string of JSON, HTML or an address, and white space. */
const QUOTE = String.raw`(?:["'${'`'}\s\\]|\\u0022|&quot;|&#34;|%22){0,20}`;

/** `"resourceType": "Patient"`, without quotes too, as YAML has it. */
const RESOURCE_TYPE = new RegExp(`resourceType${QUOTE}(?::|%3A)${QUOTE}[A-Z][A-Za-z]{2}`);

const NAMESPACE =
  /\bxmlns(?::[\w.-]{1,40})?\s{0,10}=\s{0,10}\\?["'](?:http:\/\/hl7\.org\/fhir|urn:hl7-org:v3)\\?["']/;

/** True for a text that holds a FHIR resource as JSON. */
export const mentionsFhirJson = (text: string): boolean =>
  text.includes('resourceType') && RESOURCE_TYPE.test(text);

/** True for a text that holds FHIR or CDA as XML. */
export const mentionsFhirXml = (text: string): boolean => text.includes('xmlns') && NAMESPACE.test(text);

/** True for a text that holds FHIR or CDA, which is no note: its facts would be missing, and be shared as a note is. */
export const mentionsFhir = (text: string): boolean => mentionsFhirJson(text) || mentionsFhirXml(text);

/** True for a text that is FHIR or CDA from its beginning on: words of people that mention it are none. */
export const isFhir = (text: string): boolean =>
  (/^\s*(?:\{|\[\s*\{)/.test(text) && mentionsFhirJson(text)) ||
  (/^\s*</.test(text) && mentionsFhirXml(text));
