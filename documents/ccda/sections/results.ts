import type { Element } from 'slimdom';
import { selectAll, getChild, getNullFlavor, getXsiType } from '../elements.ts';
import type { CodeableConcept, FhirObject, Reference } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, Section, SectionKind } from '../section.ts';
import { buildPeriodOrDateTime } from '../times.ts';
import { buildNotes, buildConcept } from './entry-relationships.ts';
import {
  getInherited,
  isEmpty,
  isExcluded,
  buildObservation,
  toObservationStatus,
  getObservationCode,
  getPerformers,
  type InheritedValues,
} from './observations.ts';
import { toNamedConcept } from './named-concepts.ts';

/** Converts results: a DiagnosticReport for each organizer, an Observation for each of its results. */
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

function convertResults(
  { statement, position }: CdaEntry,
  context: Context,
  section: Section,
): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const isOrganizer = statement.localName === 'organizer';
  if (!isOrganizer && statement.localName !== 'observation') return 'no_form';
  const observed = isOrganizer ? collectObservations(statement) : [statement];
  const included = observed.filter(
    (one) => !isEmpty(one, context.narrative) && !isExcluded(one, context.narrative),
  );
  if (included.length === 0) return observed.length === 0 ? 'no_content' : 'null_flavored';
  const panel = isOrganizer ? toNamedConcept(getChild(statement, 'code'), context.narrative) : undefined;
  const isImage = included.some((one) => isImaging(one, panel, context));
  const organizer = isOrganizer ? statement : undefined;
  const inherited = getInherited(organizer, context);
  const references = included.map((one) =>
    context.resources.add('Observation', position, buildResult(one, { isImage, inherited }, context)),
  );
  if (organizer !== undefined) {
    const only =
      included.length === 1 && included[0] ? getObservationCode(included[0], context.narrative) : undefined;
    const code = panel ?? only ?? { text: section.title ?? 'Results' };
    const report = { code, isImage, results: references, inherited, first: included[0] };
    context.resources.add('DiagnosticReport', position, buildReport(organizer, report, context));
  }
  return null;
}

/** Collects the observations of an organizer and of organizers inside of it. */
function collectObservations(organizer: Element): Element[] {
  return selectAll(organizer, 'component').flatMap((component) => [
    ...[getChild(component, 'observation')].filter((one) => one !== undefined),
    ...[getChild(component, 'organizer')].flatMap((one) =>
      one === undefined ? [] : collectObservations(one),
    ),
  ]);
}

function buildResult(
  observation: Element,
  { isImage, inherited }: { isImage: boolean; inherited: InheritedValues },
  context: Context,
): FhirObject {
  const code = getObservationCode(observation, context.narrative) ?? { text: 'Result without a name' };
  const content = buildObservation(observation, { code, inherited }, context);
  return { ...content, category: [buildConcept('observation-category', isImage ? 'imaging' : 'laboratory')] };
}

interface ReportInput {
  code: CodeableConcept;
  isImage: boolean;
  results: readonly Reference[];
  inherited: InheritedValues;
  first: Element | undefined;
}

function buildReport(organizer: Element, report: ReportInput, context: Context): FhirObject {
  const { inherited, first } = report;
  const hasTime = Object.keys(inherited.when).length > 0;
  return {
    identifier: toIdentifiers(organizer),
    status: toObservationStatus(organizer),
    category: [buildConcept('v2-0074', report.isImage ? 'RAD' : 'LAB')],
    code: report.code,
    subject: context.patient,
    ...(hasTime ? inherited.when : buildPeriodOrDateTime('effective', getChild(first, 'effectiveTime'))),
    performer: getPerformers(inherited.performers),
    specimen: inherited.specimen && [inherited.specimen],
    result: report.results,
    ...buildConclusion(organizer, context),
  };
}

/** Builds the conclusion from the organizer's notes: a report has no note. */
function buildConclusion(organizer: Element, { narrative }: Context): FhirObject {
  const texts = buildNotes(organizer, { narrative, exclude: [] }).flatMap(({ text }) =>
    typeof text === 'string' ? text : [],
  );
  return { conclusion: texts.join('\n') || undefined };
}

const IMAGING =
  /\b(x-?rays?|radiograph\w*|radiolog\w*|ultraso\w+|sonogra\w+|mammogra\w+|echocardiogra\w+|tomogra\w+|fluoroscop\w+|imaging|angiogra\w+|scintigra\w+)\b/i;
/** Case-sensitive: in small letters these are words and parts of names. */
const MODALITY = /\b(CT|MRI|MR|PET|DXA|DEXA)\b/;

/** Says whether a result is imaging: its name says so, and its value is no quantity, which a laboratory measures. */
function isImaging(
  observation: Element,
  panel: CodeableConcept | undefined,
  { narrative }: Context,
): boolean {
  if (getXsiType(getChild(observation, 'value')) === 'PQ') return false;
  const own = getObservationCode(observation, narrative);
  return [panel, own]
    .flatMap((one) => [one?.text, ...(one?.coding ?? []).map(({ display }) => display)])
    .some((name) => IMAGING.test(name ?? '') || MODALITY.test(name ?? ''));
}
