import { all, child, hasTemplate, isNegated, nullFlavor } from '../elements.ts';
import type { Element } from 'slimdom';
import type { CodeableConcept } from '../fhir-values.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, EntryConverter, SectionKind } from '../section.ts';
import { termOf } from './entry-parts.ts';
import { inheritedFrom, isEmpty, observationOf, observedCode } from './observations.ts';
import { codesOf } from './own-words.ts';

const LOINC = 'http://loinc.org';

/**
 * What templates say by themselves, where the code is but "assertion": in R1.1 smoking status and pregnancy have no code
 * of their own, and nobody who searches by LOINC would find them.
 */
const MEANINGS: readonly {
  templates: readonly string[];
  values: readonly string[];
  code: string;
  text: string;
}[] = [
  {
    // One vendor writes the root of the template without its middle.
    templates: ['2.16.840.1.113883.10.20.22.4.78', '2.16.840.1.113883.10.22.4.78'],
    values: [],
    code: '72166-2',
    text: 'Tobacco smoking status',
  },
  {
    templates: ['2.16.840.1.113883.10.20.22.4.85'],
    values: [],
    code: '11367-0',
    text: 'History of tobacco use',
  },
  {
    templates: ['2.16.840.1.113883.10.20.15.3.8', '2.16.840.1.113883.10.20.22.4.293'],
    values: ['77386006'],
    code: '82810-3',
    text: 'Pregnancy status',
  },
];

/** Smoking status, pregnancy, sex at birth, occupation … */
export const socialHistory: SectionKind = {
  name: 'social history',
  codes: ['29762-2'],
  templates: ['2.16.840.1.113883.10.20.22.2.17', '2.16.840.1.113883.10.20.1.15'],
  convert: observationsOf('social-history'),
};

/** Functional and mental status, nutrition, advance directives: observations, alone or in organizers. */
export const functionalStatus: SectionKind = {
  name: 'functional status',
  codes: ['47420-5', '10190-7', '61144-2'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.14',
    '2.16.840.1.113883.10.20.22.2.56',
    '2.16.840.1.113883.10.20.22.2.57',
    '2.16.840.1.113883.10.20.1.5',
  ],
  convert: observationsOf('survey'),
};

export const advanceDirectives: SectionKind = {
  name: 'advance directives',
  codes: ['42348-3'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.21',
    '2.16.840.1.113883.10.20.22.2.21.1',
    '2.16.840.1.113883.10.20.1.1',
  ],
  convert: observationsOf(undefined),
};

function observationsOf(category: string | undefined): EntryConverter {
  return ({ statement, position }: Entry, context: Context): LeftOut | null => {
    if (nullFlavor(statement) !== undefined) return 'null_flavored';
    const found = observationsIn(statement);
    if (found.length === 0) return 'no_form';
    const told = found.filter((one) => !isEmpty(one));
    const organizer = statement.localName === 'organizer' ? statement : undefined;
    const inherited = inheritedFrom(organizer, context);
    let made = 0;
    for (const observation of told) {
      const code = meaningOf(observation) ?? observedCode(observation, context.narrative);
      if (code === undefined) continue;
      const content = observationOf(observation, { code, inherited }, context);
      // R4 has no negation; what was denied is told by the words of its section, which become a note.
      if (isNegated(observation)) continue;
      made++;
      context.resources.add('Observation', position, {
        ...content,
        category: category === undefined ? [] : [termOf('observation-category', category)],
      });
    }
    if (made > 0) return null;
    return told.length === 0 ? 'null_flavored' : 'no_form';
  };
}

function observationsIn(statement: Element): Element[] {
  if (statement.localName === 'observation') return [statement];
  return statement.localName === 'organizer' ? all(statement, 'component/observation') : [];
}

function meaningOf(observation: Element): CodeableConcept | undefined {
  const found = MEANINGS.find(
    ({ templates, values }) =>
      hasTemplate(observation, ...templates) ||
      codesOf(child(observation, 'value')).some((code) => values.includes(code)),
  );
  const isAssertion = codesOf(child(observation, 'code')).every((code) => code === 'ASSERTION');
  return found !== undefined && isAssertion
    ? { coding: [{ system: LOINC, code: found.code, display: found.text }], text: found.text }
    : undefined;
}
