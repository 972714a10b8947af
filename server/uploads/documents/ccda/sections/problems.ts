import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { all, attribute, child, children, hasTemplate, isNegated, nullFlavor } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import { quantity } from '../quantities.ts';
import type { Context, Entry, EntryConverter, SectionKind } from '../section.ts';
import type { LeftOut } from '../resource-list.ts';
import { dated, endOf, startOf } from '../times.ts';
import { absentStatement, tellsNothing } from './absent-statement.ts';
import { concernStatus, isNullified, toldStatus } from './clinical-status.ts';
import {
  conceptOfValue,
  notesOf,
  phraseOf,
  related,
  SEVERITY,
  STATUS,
  termOf,
  valueInWords,
} from './entry-parts.ts';
import { codesOf, surelyNamed } from './own-words.ts';
import { cellBeside } from './narrative-row.ts';

const AGE = { codes: ['445518008', '397659008', '35267-4'], templates: ['2.16.840.1.113883.10.20.22.4.31'] };

/** Negated, these say that there is no problem at all: problem, disease, finding, complaint, condition. */
const ANY_PROBLEM = new Set([
  '55607006',
  '64572001',
  '404684003',
  '418799008',
  '409586006',
  '75326-9',
  '75323-6',
  '43116000',
]);

/** Problem list and resolved problems: a Condition for each Problem Observation of a Problem Concern Act. */
export const problems: SectionKind = {
  name: 'problems',
  codes: ['11450-4', '11348-0'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.5',
    '2.16.840.1.113883.10.20.22.2.5.1',
    '2.16.840.1.113883.10.20.22.2.20',
    '2.16.840.1.113883.10.20.1.11',
  ],
  convert: converterOf('problem-list-item'),
};

/** Admission, discharge, preoperative and postoperative diagnoses: acts that hold the same observations. */
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
  convert: converterOf('encounter-diagnosis'),
};

function converterOf(category: Category): EntryConverter {
  return ({ statement, position }: Entry, context: Context): LeftOut | null => {
    if (nullFlavor(statement) !== undefined) return 'null_flavored';
    const found = observationsOf(statement);
    if (found.length === 0) return statement.localName === 'act' ? 'no_content' : 'no_form';
    const contents = found.map((observation) =>
      conditionOf(
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

function observationsOf(statement: Element): Element[] {
  if (statement.localName === 'observation') return [statement];
  const inside = all(statement, 'entryRelationship/observation');
  const problems = inside.filter((one) => hasTemplate(one, '2.16.840.1.113883.10.20.22.4.4'));
  return problems.length > 0 ? problems : inside.filter((one) => child(one, 'value') !== undefined);
}

type Category = 'problem-list-item' | 'encounter-diagnosis';

/** A Problem Observation as Condition; undefined where it says no more than that nothing is known. */
export function conditionOf(
  observation: Element,
  { concern, category }: { concern: Element | undefined; category: Category },
  context: Context,
): FhirObject | undefined {
  const { narrative, people } = context;
  const code = codeOf(observation, context);
  if (code === undefined) return undefined;
  const author = people.author(observation) ?? people.author(concern);
  const severity = conceptOfValue(child(related(observation, SEVERITY), 'value'), narrative);
  const bodySite = children(observation, 'targetSiteCode').flatMap((site) => siteOf(site, context) ?? []);
  return {
    identifier: identifiers(observation),
    ...statusOf(observation, concern, context),
    category: [termOf('condition-category', category)],
    severity,
    code,
    bodySite,
    subject: context.patient,
    ...(category === 'encounter-diagnosis' && { encounter: context.encounter }),
    ...dated('recordedDate', author?.when ?? startOf(child(concern, 'effectiveTime'))),
    recorder: author?.who,
  };
}

/** Negated, the observation says that there is no problem at all. */
const isAnyProblem = (observation: Element): boolean => {
  const codes = codesOf(child(observation, 'value'));
  return codes.length === 0 || codes.some((code) => ANY_PROBLEM.has(code));
};

function codeOf(observation: Element, { narrative }: Context): CodeableConcept | undefined {
  const value = child(observation, 'value');
  const said = phraseOf(observation, narrative);
  if (nullFlavor(observation) !== undefined) return undefined;
  if (isNegated(observation) && isAnyProblem(observation)) return absentStatement('problem', said);
  const coded = surelyNamed(value, narrative) ?? conceptOfValue(value, narrative);
  if (coded !== undefined && isNegated(observation)) return unnegated(coded);
  if (coded !== undefined) return isGeneral(coded) ? undefined : coded;
  const text =
    said ?? cellBeside(observation, /^(problem|condition|name|description|diagnosis)s?( name)?$/i, narrative);
  return text === undefined || tellsNothing(text) ? undefined : { text };
}

/** "Clinical finding" names no problem unless somebody wrote which. */
const isGeneral = ({ coding = [], text }: CodeableConcept): boolean =>
  coding.length > 0 &&
  coding.every(({ code }) => ANY_PROBLEM.has(code ?? '')) &&
  coding.some(({ display }) => display === text);

/** The narrative says "No diabetes": beside "refuted" it would read as the contrary. */
const unnegated = (code: CodeableConcept): CodeableConcept => ({
  ...code,
  text: code.coding?.find(({ display }) => display !== undefined)?.display ?? code.text,
});

/** Statuses, beginning and end, and the notes that keep what these can't. */
function statusOf(observation: Element, concern: Element | undefined, { narrative }: Context): FhirObject {
  const interval = child(observation, 'effectiveTime');
  const [onset, end] = [startOf(interval), endOf(interval)];
  const refuted = isNegated(observation) && !isAnyProblem(observation);
  const nullified = isNullified(observation, concern);
  const told = toldStatus(observation, narrative);
  const status = told ?? (end === undefined ? concernStatus(concern) : 'resolved');
  const age = child(related(observation, AGE), 'value');
  // FHIR con-4: what has ended is not active. A document that says both keeps its status, and the end in words.
  const isOver = end !== undefined && /^(inactive|resolved|remission)$/.test(status ?? '') && !refuted;
  const ended = end !== undefined && !isOver ? [`Ended: ${end.value}`] : [];
  const ageInWords = valueInWords(age, narrative);
  const atAge = ageInWords !== undefined && onset !== undefined ? [`Age at onset: ${ageInWords}`] : [];
  return {
    ...(status !== undefined &&
      !refuted &&
      !nullified && { clinicalStatus: termOf('condition-clinical', status) }),
    ...verification({ refuted, nullified }),
    ...(onset !== undefined ? dated('onsetDateTime', onset) : ageOf(age, ageInWords ?? unreadable(interval))),
    ...(isOver && dated('abatementDateTime', end)),
    note: notesOf(observation, {
      narrative,
      besides: [
        related(observation, STATUS),
        related(observation, AGE),
        related(observation, SEVERITY),
      ].filter((one) => one !== undefined),
      more: [...ended, ...atAge],
    }),
  };
}

const verification = ({ refuted, nullified }: { refuted: boolean; nullified: boolean }): FhirObject =>
  nullified || refuted
    ? { verificationStatus: termOf('condition-ver-status', nullified ? 'entered-in-error' : 'refuted') }
    : {};

const ageOf = (age: Element | undefined, inWords: string | undefined): FhirObject => {
  const measured = quantity(age);
  return measured?.['code'] === undefined ? { onsetString: inWords } : { onsetAge: measured };
};

/** A beginning that is no date ("200130311") is kept in the digits it was written in; zeros alone say nothing. */
const unreadable = (interval: Element | undefined): string | undefined => {
  const written = attribute(child(interval, 'low'), 'value') ?? attribute(interval, 'value');
  return written === undefined || /^0+$/.test(written) ? undefined : written;
};

const siteOf = (site: Element, { narrative }: Context): CodeableConcept | undefined => {
  const read = concept(site, narrative);
  const qualifiers = children(site, 'qualifier').flatMap(
    (qualifier) => concept(child(qualifier, 'value'), narrative)?.text ?? [],
  );
  return read && qualifiers.length > 0
    ? { ...read, text: `${read.text ?? ''} (${qualifiers.join(', ')})`.trim() }
    : read;
};
