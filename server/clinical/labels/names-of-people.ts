import type { Element } from '../entries/element.ts';

/** Elements of references to people, also where they lead nowhere. */
export const PEOPLE: ReadonlySet<string> = new Set(
  [
    'individual actor performer primaryPerformer author recorder asserter requester sender recipient source agent',
    'informationSource practitioner provider enterer party authenticator legalAuthenticator who onBehalfOf reporter',
    'generalPractitioner careManager member attester operator signer interpreter resultsInterpreter collector owner',
    'prescriber subject patient beneficiary subscriber policyHolder for responsible responsibleParty physician',
    'participant supervisor evaluator witness verifier counselor dispenser receiver expressedBy transcriber administrator',
  ].flatMap((line) => line.split(' ')),
);

const PERSON = /^(?:Patient|Practitioner|PractitionerRole|RelatedPerson|Person)$/;
const TO_PERSON = /(?:^|\/)(?:Patient|Practitioner|PractitionerRole|RelatedPerson|Person)\//;
/** The address of a resource, whatever type it has. */
export const TO_TYPE = /(?:^|\/)[A-Z][A-Za-z]{2,40}\//;

/** A narrative of somebody that speaks of medicines, too, or holds data. */
const SAYS_MORE = /[{]|medic|prescri|pill|drug|contracep|[0-9] ?m?c?g|tak(?:e|ing)|device/i;

/** Where an element is: the element that holds it, and the type of the resource. */
export interface Place {
  name: string;
  owner: string;
}

/** Whether a member of an element is what somebody is called: a name, or the display of a reference to them. */
export function namesPerson(element: Element, key: string, { name, owner }: Place): boolean {
  switch (key) {
    case 'display':
      return !('code' in element) && !('system' in element) && leadsToPerson(element, name);
    case 'text':
      return name === 'name' && typeof element[key] === 'string';
    case 'name':
      return name === 'contact' || PERSON.test(owner);
    case 'div':
      return PERSON.test(owner) && !SAYS_MORE.test(String(element[key]));
    case 'authorString':
      return true;
    default:
      return false;
  }
}

/** One word without a reference to somebody may be a device that took part. */
function leadsToPerson({ reference, type, display }: Element, name: string): boolean {
  const address = typeof reference === 'string' ? reference : '';
  if (TO_TYPE.test(address)) return TO_PERSON.test(address);
  if (typeof type === 'string') return PERSON.test(type);
  return PEOPLE.has(name) && typeof display === 'string' && /\S\s+\S/.test(display);
}
