import type { Element } from 'slimdom';
import { all, child, isNegated, nullFlavor, typeOf } from '../elements.ts';
import type { CodeableConcept, FhirObject, Reference } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, Section, SectionKind } from '../section.ts';
import { timed } from '../times.ts';
import { tellsNothing } from './absent-statement.ts';
import { notesOf, phraseOf, termOf } from './entry-parts.ts';
import {
  inheritedFrom,
  isEmpty,
  observationOf,
  observationStatus,
  observedCode,
  performersOf,
  type Inherited,
} from './observations.ts';
import { namedConcept } from './own-words.ts';

/** Results: a DiagnosticReport for each organizer, an Observation for each of its results. */
export const results: SectionKind = {
  name: 'results',
  codes: ['30954-2'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.3',
    '2.16.840.1.113883.10.20.22.2.3.1',
    '2.16.840.1.113883.10.20.1.14',
  ],
  convert: convertResults,
};

function convertResults({ statement, position }: Entry, context: Context, section: Section): LeftOut | null {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  const isOrganizer = statement.localName === 'organizer';
  if (!isOrganizer && statement.localName !== 'observation') return 'no_form';
  const observed = isOrganizer ? observationsIn(statement) : [statement];
  const told = observed.filter((one) => !isEmpty(one) && !isLeftOut(one, context));
  if (told.length === 0) return observed.length === 0 ? 'no_content' : 'null_flavored';
  const panel = isOrganizer ? namedConcept(child(statement, 'code'), context.narrative) : undefined;
  const isImage = told.some((one) => isImaging(one, panel, context));
  const organizer = isOrganizer ? statement : undefined;
  const inherited = inheritedFrom(organizer, context);
  const references = told.map((one) =>
    context.resources.add('Observation', position, resultOf(one, { isImage, inherited }, context)),
  );
  if (organizer !== undefined) {
    const only = told.length === 1 && told[0] ? observedCode(told[0], context.narrative) : undefined;
    const code = panel ?? only ?? { text: section.title ?? 'Results' };
    const report = { code, isImage, results: references, inherited, first: told[0] };
    context.resources.add('DiagnosticReport', position, reportOf(organizer, report, context));
  }
  return null;
}

/** Of the organizer and of organizers in it. */
function observationsIn(organizer: Element): Element[] {
  return all(organizer, 'component').flatMap((component) => [
    ...[child(component, 'observation')].filter((one) => one !== undefined),
    ...[child(component, 'organizer')].flatMap((one) => (one === undefined ? [] : observationsIn(one))),
  ]);
}

/** "Result excluded/not available", negated: there is no result to show. */
function isLeftOut(observation: Element, { narrative }: Context): boolean {
  const value = child(observation, 'value');
  const nothing = value === undefined || nullFlavor(value) !== undefined;
  return nothing && (isNegated(observation) || tellsNothing(phraseOf(observation, narrative)));
}

function resultOf(
  observation: Element,
  { isImage, inherited }: { isImage: boolean; inherited: Inherited },
  context: Context,
): FhirObject {
  const code = observedCode(observation, context.narrative) ?? { text: 'Result without a name' };
  const content = observationOf(observation, { code, inherited }, context);
  return { ...content, category: [termOf('observation-category', isImage ? 'imaging' : 'laboratory')] };
}

interface Report {
  code: CodeableConcept;
  isImage: boolean;
  results: readonly Reference[];
  inherited: Inherited;
  first: Element | undefined;
}

function reportOf(organizer: Element, report: Report, context: Context): FhirObject {
  const { inherited, first } = report;
  const when = Object.keys(inherited.when).length > 0;
  return {
    identifier: identifiers(organizer),
    status: observationStatus(organizer),
    category: [termOf('v2-0074', report.isImage ? 'RAD' : 'LAB')],
    code: report.code,
    subject: context.patient,
    ...(when ? inherited.when : timed('effective', child(first, 'effectiveTime'))),
    performer: performersOf(inherited.performers),
    specimen: inherited.specimen && [inherited.specimen],
    result: report.results,
    ...notes(organizer, context),
  };
}

/** A report has no note: what is said of the whole is its conclusion. */
function notes(organizer: Element, { narrative }: Context): FhirObject {
  const said = notesOf(organizer, { narrative, besides: [] }).flatMap(({ text }) =>
    typeof text === 'string' ? text : [],
  );
  return { conclusion: said.join('\n') || undefined };
}

const IMAGING =
  /\b(x-?rays?|radiograph\w*|radiolog\w*|ultraso\w+|sonogra\w+|mammogra\w+|echocardiogra\w+|tomogra\w+|fluoroscop\w+|imaging|angiogra\w+|scintigra\w+)\b/i;
/** In small letters these are words and parts of names. */
const MODALITY = /\b(CT|MRI|MR|PET|DXA|DEXA)\b/;

/** A name that tells of pictures, and a value that is no quantity: quantities are measured by a laboratory. */
function isImaging(
  observation: Element,
  panel: CodeableConcept | undefined,
  { narrative }: Context,
): boolean {
  if (typeOf(child(observation, 'value')) === 'PQ') return false;
  const own = observedCode(observation, narrative);
  return [panel, own]
    .flatMap((one) => [one?.text, ...(one?.coding ?? []).map(({ display }) => display)])
    .some((name) => IMAGING.test(name ?? '') || MODALITY.test(name ?? ''));
}
