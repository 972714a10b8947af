import type { PersonDetail } from '../../../../contract/account/record-facts.ts';
import type { ResourceScope } from '../../../../contract/data-categories.ts';
import { formatConcept } from '../../../clinical/entries/codeable-concept.ts';
import { getPath, readText, readTexts, toElements, type Element } from '../../../clinical/entries/element.ts';

/** The categories of what a Patient resource says of the person: the rest of it is for machines. */
const CATEGORY_BY_NAME: Readonly<Record<PersonDetail['name'], ResourceScope>> = {
  name: 'DEMOGRAPHICS',
  birthDate: 'DEMOGRAPHICS',
  gender: 'DEMOGRAPHICS',
  maritalStatus: 'DEMOGRAPHICS',
  language: 'DEMOGRAPHICS',
  deceased: 'DEMOGRAPHICS',
  address: 'CONTACT_INFO',
  phone: 'CONTACT_INFO',
  email: 'CONTACT_INFO',
  otherContact: 'CONTACT_INFO',
};

/** Reads what the Patient resources of a record say of the person, each once however many sources say so. */
export function readPersonDetails(
  bodies: readonly (string | null)[],
  category: ResourceScope,
): PersonDetail[] {
  const details = bodies.flatMap((body) => (body === null ? [] : readPatient(JSON.parse(body) as Element)));
  const distinct = new Map(details.map((each) => [`${each.name} ${each.text.toLowerCase()}`, each]));
  return [...distinct.values()].filter(({ name }) => CATEGORY_BY_NAME[name] === category);
}

function readPatient(patient: Element): PersonDetail[] {
  const all: [PersonDetail['name'], (string | null)[]][] = [
    ['name', toElements(patient['name']).map(formatPersonName)],
    ['birthDate', [readText(patient['birthDate'])]],
    ['gender', [readText(patient['gender'])]],
    ['maritalStatus', [formatConcept(patient['maritalStatus'])]],
    ['language', toElements(patient['communication']).map(({ language }) => formatConcept(language))],
    ['deceased', [readText(patient['deceasedDateTime'])]],
    ['address', toElements(patient['address']).map(formatAddress)],
    ...toElements(patient['telecom']).map(readTelecom),
  ];
  return all.flatMap(([name, texts]) => texts.flatMap((text) => (text === null ? [] : [{ name, text }])));
}

const formatPersonName = (name: Element): string | null =>
  readText(name['text']) ??
  toLine([...readTexts(name['prefix']), ...readTexts(name['given']), readText(name['family'])], ' ');

const formatAddress = (address: Element): string | null =>
  toLine(
    [
      ...readTexts(address['line']),
      toLine([readText(address['postalCode']), readText(address['city'])], ' '),
      readText(address['state']),
      readText(address['country']),
    ],
    ', ',
  ) ?? readText(address['text']);

function readTelecom(telecom: Element): [PersonDetail['name'], (string | null)[]] {
  const system = readText(getPath(telecom, 'system'));
  const name = system === 'phone' || system === 'email' ? system : 'otherContact';
  return [name, [readText(telecom['value'])]];
}

const toLine = (parts: readonly (string | null)[], separator: string): string | null =>
  parts.filter((part) => part !== null && part.trim() !== '').join(separator) || null;
