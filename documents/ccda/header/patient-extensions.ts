import type { Element } from 'slimdom';
import { toCodings, toCodeableConcept } from '../concepts.ts';
import { getChild, selectFirst, getNullFlavor, getSdtcChildren } from '../elements.ts';
import type { Extension, FhirObject } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';

const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
const FHIR = 'http://hl7.org/fhir/StructureDefinition';

/** The five races and two ethnicities of the US Office of Management and Budget; other codes are details of them. */
const RACES = new Set(['1002-5', '2028-9', '2054-5', '2076-8', '2106-3']);
const ETHNICITIES = new Set(['2135-2', '2186-5']);

/** Builds the extensions for race, ethnicity (US Core), religion and birth place, where the document has them. */
export function buildPatientExtensions(person: Element | undefined, narrative: NarrativeIndex): Extension[] {
  const getCodes = (name: string): Element[] => [
    ...[getChild(person, name)].filter((code) => code !== undefined),
    ...getSdtcChildren(person, name),
  ];
  const religion = toCodeableConcept(getChild(person, 'religiousAffiliationCode'), narrative);
  return [
    ...buildOmbExtensions('us-core-race', { codes: getCodes('raceCode'), categories: RACES }),
    ...buildOmbExtensions('us-core-ethnicity', {
      codes: getCodes('ethnicGroupCode'),
      categories: ETHNICITIES,
    }),
    ...(religion ? [{ url: `${FHIR}/patient-religion`, valueCodeableConcept: religion }] : []),
    ...buildBirthPlace(selectFirst(person, 'birthplace/place/addr')),
  ];
}

interface Classification {
  codes: readonly Element[];
  categories: ReadonlySet<string>;
}

function buildOmbExtensions(name: string, { codes, categories }: Classification): Extension[] {
  const valueCodings = codes.flatMap(toCodings);
  const parts: Extension[] = valueCodings.map((valueCoding) => ({
    url: categories.has(valueCoding.code ?? '') ? 'ombCategory' : 'detailed',
    valueCoding,
  }));
  const text = valueCodings.flatMap(({ display, code }) => display ?? code ?? []).join(', ');
  const unknown = codes.map(getNullFlavor).find((flavor) => flavor === 'UNK' || flavor === 'ASKU');
  if (valueCodings.length === 0 && unknown === undefined) return [];
  if (valueCodings.length === 0)
    parts.push({ url: 'ombCategory', valueCoding: { system: NULL_FLAVOR, code: unknown } });
  parts.push({ url: 'text', valueString: text || 'Unknown' });
  return [{ url: `${US_CORE}/${name}`, extension: parts }];
}

const NULL_FLAVOR = 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor';

function buildBirthPlace(addr: Element | undefined): Extension[] {
  const getPart = (name: string): string | undefined =>
    getChild(addr, name)?.textContent?.trim() || undefined;
  const address: FhirObject = {
    city: getPart('city'),
    state: getPart('state'),
    postalCode: getPart('postalCode'),
    country: getPart('country'),
  };
  return Object.values(address).every((value) => value === undefined)
    ? []
    : [{ url: `${FHIR}/patient-birthPlace`, valueAddress: address }];
}
