import { selectAll, getChild, hasTemplateId, getNullFlavor } from '../elements.ts';
import type { Element } from 'slimdom';
import type { CodeableConcept } from '../fhir-values.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, EntryConverter, SectionKind } from '../section.ts';
import { buildConcept } from './entry-relationships.ts';
import { isDenied } from './clinical-status.ts';
import { getInherited, hasValue, isEmpty, buildObservation, getObservationCode } from './observations.ts';
import { getCodes } from './named-concepts.ts';

const LOINC = 'http://loinc.org';

/**
 * LOINC codes for templates whose code is only "assertion": in R1.1 smoking status and pregnancy have no code of their
 * own, and a search by LOINC would miss them.
 */
const TEMPLATE_CODES: readonly {
  templates: readonly string[];
  values: readonly string[];
  code: string;
  text: string;
}[] = [
  {
    // One vendor leaves out the middle of the template's root.
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
  convert: createConverter('social-history'),
};

/** Functional and mental status, nutrition: observations, alone or in organizers. */
export const functionalStatus: SectionKind = {
  name: 'functional status',
  codes: ['47420-5', '10190-7', '61144-2'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.14',
    '2.16.840.1.113883.10.20.22.2.56',
    '2.16.840.1.113883.10.20.22.2.57',
    '2.16.840.1.113883.10.20.1.5',
  ],
  convert: createConverter('survey'),
};

export const advanceDirectives: SectionKind = {
  name: 'advance directives',
  codes: ['42348-3'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.21',
    '2.16.840.1.113883.10.20.22.2.21.1',
    '2.16.840.1.113883.10.20.1.1',
  ],
  convert: createConverter(undefined),
};

function createConverter(category: string | undefined): EntryConverter {
  return ({ statement, position }: CdaEntry, context: Context): SkipReason | null => {
    if (getNullFlavor(statement) !== undefined) return 'null_flavored';
    const found = getObservations(statement);
    if (found.length === 0) return 'no_form';
    const present = found.filter((one) => !isEmpty(one, context.narrative));
    const organizer = statement.localName === 'organizer' ? statement : undefined;
    const inherited = getInherited(organizer, context);
    let madeCount = 0;
    for (const observation of present) {
      const code = toTemplateCode(observation) ?? getObservationCode(observation, context.narrative);
      if (code === undefined) continue;
      // What is denied without a value is kept in the narrative of its section, which becomes a note.
      if (isDenied(observation) && !hasValue(observation, context.narrative)) continue;
      const content = buildObservation(observation, { code, inherited }, context);
      madeCount++;
      context.resources.add('Observation', position, {
        ...content,
        category: category === undefined ? [] : [buildConcept('observation-category', category)],
      });
    }
    if (madeCount > 0) return null;
    return present.length === 0 ? 'null_flavored' : 'no_form';
  };
}

function getObservations(statement: Element): Element[] {
  if (statement.localName === 'observation') return [statement];
  return statement.localName === 'organizer' ? selectAll(statement, 'component/observation') : [];
}

function toTemplateCode(observation: Element): CodeableConcept | undefined {
  const found = TEMPLATE_CODES.find(
    ({ templates, values }) =>
      hasTemplateId(observation, ...templates) ||
      getCodes(getChild(observation, 'value')).some((code) => values.includes(code)),
  );
  const isAssertion = getCodes(getChild(observation, 'code')).every((code) => code === 'ASSERTION');
  return found !== undefined && isAssertion
    ? { coding: [{ system: LOINC, code: found.code, display: found.text }], text: found.text }
    : undefined;
}
