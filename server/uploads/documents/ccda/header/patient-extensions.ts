import type { Element } from 'slimdom';
import { codings, concept } from '../concepts.ts';
import { child, first, nullFlavor, sdtcChildren } from '../elements.ts';
import type { Extension, FhirObject } from '../fhir-values.ts';
import type { NarrativePlaces } from '../narrative-places.ts';

const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
const FHIR = 'http://hl7.org/fhir/StructureDefinition';

/** The five races and two ethnicities of the US Office of Management and Budget; other codes are details of them. */
const RACES = new Set(['1002-5', '2028-9', '2054-5', '2076-8', '2106-3']);
const ETHNICITIES = new Set(['2135-2', '2186-5']);

/** Race, ethnicity (US Core), religion and place of birth, where they are told. */
export function patientExtensions(person: Element | undefined, narrative: NarrativePlaces): Extension[] {
  const codes = (name: string): Element[] => [
    ...[child(person, name)].filter((code) => code !== undefined),
    ...sdtcChildren(person, name),
  ];
  const religion = concept(child(person, 'religiousAffiliationCode'), narrative);
  return [
    ...classified('us-core-race', { codes: codes('raceCode'), categories: RACES }),
    ...classified('us-core-ethnicity', { codes: codes('ethnicGroupCode'), categories: ETHNICITIES }),
    ...(religion ? [{ url: `${FHIR}/patient-religion`, valueCodeableConcept: religion }] : []),
    ...birthPlace(first(person, 'birthplace/place/addr')),
  ];
}

interface Classification {
  codes: readonly Element[];
  categories: ReadonlySet<string>;
}

function classified(name: string, { codes, categories }: Classification): Extension[] {
  const told = codes.flatMap(codings);
  const parts: Extension[] = told.map((valueCoding) => ({
    url: categories.has(valueCoding.code ?? '') ? 'ombCategory' : 'detailed',
    valueCoding,
  }));
  const text = told.flatMap(({ display, code }) => display ?? code ?? []).join(', ');
  const unknown = codes.map(nullFlavor).find((flavor) => flavor === 'UNK' || flavor === 'ASKU');
  if (told.length === 0 && unknown === undefined) return [];
  if (told.length === 0)
    parts.push({ url: 'ombCategory', valueCoding: { system: NULL_FLAVOR, code: unknown } });
  parts.push({ url: 'text', valueString: text || 'Unknown' });
  return [{ url: `${US_CORE}/${name}`, extension: parts }];
}

const NULL_FLAVOR = 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor';

function birthPlace(addr: Element | undefined): Extension[] {
  const part = (name: string): string | undefined => child(addr, name)?.textContent?.trim() || undefined;
  const place: FhirObject = {
    city: part('city'),
    state: part('state'),
    postalCode: part('postalCode'),
    country: part('country'),
  };
  return Object.values(place).every((value) => value === undefined)
    ? []
    : [{ url: `${FHIR}/patient-birthPlace`, valueAddress: place }];
}
