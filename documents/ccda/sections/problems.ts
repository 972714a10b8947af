import type { Element } from 'slimdom';
import { addQualifiers, toCodeableConcept } from '../concepts.ts';
import { selectAll, getChild, getChildren, hasTemplateId, getNullFlavor } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { toQuantity } from '../quantities.ts';
import type { Context, CdaEntry, EntryConverter, SectionKind } from '../section.ts';
import type { SkipReason } from '../resource-list.ts';
import { buildDateTime, findTime, formatTime, getEnd, getStart } from '../times.ts';
import { getConcernStatus, isNullified, getStatedStatus } from './clinical-status.ts';
import { formatWording } from './denied-names.ts';
import {
  conceptFromValue,
  buildNotes,
  findRelated,
  SEVERITY,
  STATUS,
  buildConcept,
  formatValue,
} from './entry-relationships.ts';
import { toProblem, type Problem } from './problem-names.ts';

const AGE = { codes: ['445518008', '397659008', '35267-4'], templates: ['2.16.840.1.113883.10.20.22.4.31'] };

/** Converts the problem list and resolved problems: a Condition for each Problem Observation of a Problem Concern Act. */
export const problems: SectionKind = {
  name: 'problems',
  codes: ['11450-4', '11348-0'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.5',
    '2.16.840.1.113883.10.20.22.2.5.1',
    '2.16.840.1.113883.10.20.22.2.20',
    '2.16.840.1.113883.10.20.1.11',
  ],
  convert: createConverter('problem-list-item'),
};

/** Converts admission, discharge, preoperative and postoperative diagnoses: acts with the same observations. */
export const diagnoses: SectionKind = {
  name: 'diagnoses',
  codes: ['11535-2', '46241-6', '10219-4', '10218-6', '59769-0', '29308-4'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.24',
    '2.16.840.1.113883.10.20.22.2.43',
    '2.16.840.1.113883.10.20.22.2.34',
    '2.16.840.1.113883.10.20.22.2.35',
    '2.16.840.1.113883.10.20.22.2.36',
  ],
  convert: createConverter('encounter-diagnosis'),
};

/** Converts complications, findings and indications of a procedure as diagnoses. */
export const findings: SectionKind = {
  name: 'findings of procedures',
  codes: ['55109-3', '59776-5', '59768-2'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.37',
    '2.16.840.1.113883.10.20.22.2.28',
    '2.16.840.1.113883.10.20.22.2.29',
  ],
  convert: createConverter('encounter-diagnosis'),
};

function createConverter(category: Category): EntryConverter {
  return ({ statement, position }: CdaEntry, context: Context): SkipReason | null => {
    if (getNullFlavor(statement) !== undefined) return 'null_flavored';
    const found = findProblemObservations(statement);
    if (found.length === 0) return statement.localName === 'act' ? 'no_content' : 'no_form';
    const contents = found.map((observation) =>
      buildCondition(
        observation,
        { concern: statement === observation ? undefined : statement, category },
        context,
      ),
    );
    for (const content of contents)
      if (content !== undefined) context.resources.add('Condition', position, content);
    return contents.some((content) => content !== undefined) ? null : 'null_flavored';
  };
}

function findProblemObservations(statement: Element): Element[] {
  if (statement.localName === 'observation') return [statement];
  const inside = selectAll(statement, 'entryRelationship/observation');
  const problems = inside.filter((one) => hasTemplateId(one, '2.16.840.1.113883.10.20.22.4.4'));
  return problems.length > 0 ? problems : inside.filter((one) => getChild(one, 'value') !== undefined);
}

type Category = 'problem-list-item' | 'encounter-diagnosis';

/** Converts a Problem Observation to a Condition; returns undefined where it only says that nothing is known. */
export function buildCondition(
  observation: Element,
  { concern, category }: { concern: Element | undefined; category: Category },
  context: Context,
): FhirObject | undefined {
  const { narrative, people } = context;
  const problem = toProblem(observation, context);
  if (problem === undefined) return undefined;
  const author = people.findAuthor(observation) ?? people.findAuthor(concern);
  const severity = conceptFromValue(getChild(findRelated(observation, SEVERITY), 'value'), narrative);
  const bodySite = getChildren(observation, 'targetSiteCode').flatMap(
    (site) => addQualifiers(toCodeableConcept(site, narrative), site, narrative) ?? [],
  );
  return {
    identifier: toIdentifiers(observation),
    ...buildStatus(observation, { concern, problem }, context),
    category: [buildConcept('condition-category', category)],
    severity,
    code: problem.code,
    bodySite,
    subject: context.patient,
    ...(category === 'encounter-diagnosis' && { encounter: context.encounter }),
    ...buildDateTime('recordedDate', findTime(author?.when, getStart(getChild(concern, 'effectiveTime')))),
    recorder: author?.who,
  };
}

/** Builds statuses, onset and abatement, and notes of what these can't express. */
function buildStatus(
  observation: Element,
  { concern, problem }: { concern: Element | undefined; problem: Problem },
  { narrative }: Context,
): FhirObject {
  const interval = getChild(observation, 'effectiveTime');
  const [onset, end] = [getStart(interval), getEnd(interval)];
  const { isRefuted, wording } = problem;
  const isEnteredInError = isNullified(observation);
  const statedStatus = getStatedStatus(observation, narrative);
  const status = statedStatus ?? (end === undefined ? getConcernStatus(concern) : 'resolved');
  const age = getChild(findRelated(observation, AGE), 'value');
  // FHIR con-4: a condition with an abatement is not active. A document that says both keeps its status, and the end as text.
  const isOver = end !== undefined && /^(inactive|resolved|remission)$/.test(status ?? '') && !isRefuted;
  const endNote = end !== undefined && !isOver ? [`Ended: ${formatTime(end) ?? ''}`] : [];
  const ageInWords = formatValue(age, narrative);
  const ageNote = ageInWords !== undefined && onset !== undefined ? [`Age at onset: ${ageInWords}`] : [];
  return {
    ...(status !== undefined &&
      !isRefuted &&
      !isEnteredInError && { clinicalStatus: buildConcept('condition-clinical', status) }),
    ...buildVerificationStatus({ isRefuted, isEnteredInError }),
    ...(onset !== undefined ? buildDateTime('onsetDateTime', onset) : buildOnset(age, ageInWords)),
    ...(isOver && buildDateTime('abatementDateTime', end)),
    note: buildNotes(observation, {
      narrative,
      exclude: [
        findRelated(observation, STATUS),
        findRelated(observation, AGE),
        findRelated(observation, SEVERITY),
      ].filter((one) => one !== undefined),
      more: [...formatWording(wording), ...endNote, ...ageNote],
    }),
  };
}

const buildVerificationStatus = ({
  isRefuted,
  isEnteredInError,
}: {
  isRefuted: boolean;
  isEnteredInError: boolean;
}): FhirObject =>
  isEnteredInError || isRefuted
    ? {
        verificationStatus: buildConcept(
          'condition-ver-status',
          isEnteredInError ? 'entered-in-error' : 'refuted',
        ),
      }
    : {};

const buildOnset = (age: Element | undefined, inWords: string | undefined): FhirObject => {
  const measured = toQuantity(age);
  return measured?.['code'] === undefined ? { onsetString: inWords } : { onsetAge: measured };
};
