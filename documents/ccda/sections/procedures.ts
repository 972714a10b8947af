import type { Element } from 'slimdom';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  selectFirst,
  getNullFlavor,
  getText,
} from '../elements.ts';
import { toCodeableConcept } from '../concepts.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, EntryConverter, SectionKind } from '../section.ts';
import { buildPeriodOrDateTime } from '../times.ts';
import { getGroupedStatus, isDenied, isNullified, isPlanned } from './clinical-status.ts';
import { conceptFromValue, buildNotes, getPhrase, buildConcept } from './entry-relationships.ts';
import { isPlaceholder } from './absent-statement.ts';
import { medications } from './medications.ts';
import { findCell } from './narrative-table.ts';
import { describeValue } from './observation-value.ts';
import { buildResultValue } from './observations.ts';
import { toCheckedConcept } from './named-concepts.ts';
import { addDevices } from './product-instances.ts';

/** Converts Procedure Activity Procedure, Act and Observation to Procedure. */
export const procedures: SectionKind = {
  name: 'procedures',
  codes: ['47519-4'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.7',
    '2.16.840.1.113883.10.20.22.2.7.1',
    '2.16.840.1.113883.10.20.1.12',
  ],
  convert: convertProcedure,
};

/** Converts anesthesia: procedures, and the drugs given for it. */
export const anesthesia: SectionKind = {
  name: 'anesthesia',
  codes: ['59774-0'],
  templates: ['2.16.840.1.113883.10.20.22.2.25'],
  convert: (...args: Parameters<EntryConverter>) =>
    args[0].statement.localName === 'substanceAdministration'
      ? medications.convert(...args)
      : procedures.convert(...args),
};

const FORMS = new Set(['procedure', 'act', 'observation']);

export function convertProcedure({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  if (!FORMS.has(statement.localName)) return 'no_form';
  const code = toProcedureCode(statement, context);
  if (code === undefined)
    return getNullFlavor(getChild(statement, 'code')) === undefined ? 'no_content' : 'null_flavored';
  const procedure = context.resources.add(
    'Procedure',
    position,
    buildProcedure(statement, { code, position }, context),
  );
  const isObserved = statement.localName === 'observation' && !isPlanned(statement);
  const found = isObserved ? buildResultValue(statement, context.narrative) : {};
  if (Object.keys(found).some((name) => name.startsWith('value')))
    context.resources.add('Observation', position, {
      partOf: [procedure],
      status: isNullified(statement) ? 'entered-in-error' : 'final',
      category: [buildConcept('observation-category', 'procedure')],
      code,
      subject: context.patient,
      ...buildPeriodOrDateTime('effective', getChild(statement, 'effectiveTime')),
      ...found,
    });
  return null;
}

function toProcedureCode(statement: Element, { narrative }: Context): CodeableConcept | undefined {
  const code = getChild(statement, 'code');
  const read = toCheckedConcept(code, narrative);
  if (read?.text !== undefined) return read;
  const name =
    findCell(code, HEADING, narrative) ??
    findCell(statement, HEADING, narrative) ??
    getPhrase(statement, narrative);
  return name === undefined || isPlaceholder(name) ? read : { ...read, text: name };
}

const HEADING = /^(procedure|name|description|surgery|operation)/i;

function buildProcedure(
  statement: Element,
  { code, position }: { code: CodeableConcept; position: string },
  context: Context,
): FhirObject {
  const { narrative, patient, people, encounter } = context;
  const author = people.findAuthor(statement);
  // What was not implanted is no device of the patient.
  const devices = isDenied(statement) ? [] : addDevices(statement, position, context);
  const note = buildNotes(statement, {
    narrative,
    exclude: selectAll(statement, 'entryRelationship/observation'),
    more: formatPlannedValue(statement, context),
  });
  return {
    identifier: toIdentifiers(statement),
    status: toStatus(statement),
    code,
    subject: patient,
    encounter: isPartOfVisit(statement, context) ? encounter : undefined,
    ...buildPeriodOrDateTime('performed', getChild(statement, 'effectiveTime')),
    recorder: author?.who,
    performer: people.findPerformers(statement).map(({ who, organization }) => ({
      actor: who,
      onBehalfOf: who.reference?.startsWith('Practitioner/') ? organization : undefined,
    })),
    location: getLocation(statement, context),
    reasonCode: selectAll(statement, 'entryRelationship')
      .filter((one) => getAttribute(one, 'typeCode') === 'RSON')
      .flatMap((one) => conceptFromValue(selectFirst(one, 'observation/value'), narrative) ?? []),
    bodySite: getChildren(statement, 'targetSiteCode').flatMap(
      (site) => toCodeableConcept(site, narrative) ?? [],
    ),
    focalDevice: devices.map((manipulated) => ({ manipulated })),
    note,
  };
}

/** The value of what is planned was not observed. */
const formatPlannedValue = (statement: Element, { narrative }: Context): string[] =>
  isPlanned(statement)
    ? [describeValue(getChild(statement, 'value'), narrative)].flatMap((text) =>
        text === undefined ? [] : `Planned: ${text}`,
      )
    : [];

const STATUSES = new Map([
  ['completed', 'completed'],
  ['active', 'in-progress'],
  ['aborted', 'stopped'],
  ['cancelled', 'not-done'],
  ['suspended', 'on-hold'],
  ['held', 'on-hold'],
  ['new', 'preparation'],
  ['nullified', 'entered-in-error'],
]);

/** Returns the status: a negated procedure was not done, an intended one is in preparation unless it was given up. */
function toStatus(statement: Element): string {
  if (isNullified(statement)) return 'entered-in-error';
  const status = getGroupedStatus(statement) ?? '';
  const isGivenUp = status === 'aborted' || status === 'cancelled';
  if (isDenied(statement)) return 'not-done';
  if (getAttribute(statement, 'moodCode') !== 'EVN') return isGivenUp ? 'not-done' : 'preparation';
  return STATUSES.get(status) ?? 'unknown';
}

/** Says whether an entry names the documented visit by an encounter with its identifier. */
function isPartOfVisit(statement: Element, { visit }: Context): boolean {
  return selectAll(statement, 'entryRelationship/encounter/id').some((id) =>
    visit?.keys.includes(`${getAttribute(id, 'root') ?? ''}|${getAttribute(id, 'extension') ?? ''}`),
  );
}

function getLocation(statement: Element, { people }: Context): FhirObject | undefined {
  const role = getChildren(statement, 'participant')
    .filter((one) => getAttribute(one, 'typeCode') === 'LOC')
    .map((one) => getChild(one, 'participantRole'))[0];
  return people.resolveLocation(role, getText(selectFirst(role, 'playingEntity/name')));
}
