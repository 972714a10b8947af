import { readCcda } from '../../../documents/ccda/convert-ccda.ts';
import { converters } from '../../../documents/converters.ts';
import type { File } from '../sample-data.ts';
import { readCcdaStatements, spellDay, type CcdaStatement } from './ccda-statements.ts';
import { normalize } from './text-units.ts';

/** What became of a statement: in the resource of its entry, or a reason why not, or `missing`. */
export type Outcome =
  | 'in the entry'
  | 'in the note of its section'
  | 'the entry is left out by name'
  | Reason
  | 'missing';

type Reason = (typeof REASONS)[number]['reason'];

/** Statements that FHIR states in other words than the narrative, and those that contradict it. */
const REASONS = [
  {
    reason: 'the name of an element of FHIR',
    element: /\/code$/,
    wordings: /^(Status|Age|Age At Onset|Severity|Diagnosis|Health status|Medication Instructions)$/,
  },
  {
    reason: 'the kind of an allergy, which is a code of FHIR',
    element: /\/(code|value)$/,
    wordings:
      /^(Propensity to |Adverse reaction to substance|(Food |Drug )?(allergy|intolerance) to|Intolerance to|Allergy excluded)/i,
  },
  {
    reason: 'a status, which is a code of FHIR',
    element: /\/value$/,
    wordings: /^(Ordered|No Longer Active|Expired)/,
  },
  {
    reason: 'a day of a group, whose members have days of their own',
    element: /^organizer\/effectiveTime$/,
    wordings: /./,
  },
  {
    reason: 'a pressure in one text, shown as two numbers',
    element: /\/value$/,
    wordings: /^\d+\/\d+ mmHg$/,
  },
  {
    reason: 'a date with a broken time, shown as it is written',
    element: /\/effectiveTime$/,
    wordings: /^2014-03-21$/,
  },
  {
    reason: 'the day of a rating, which the narrative uses for something else',
    element: /^entryRelationship\/observation\/effectiveTime$/,
    wordings: /^2013-06-15$/,
  },
  {
    reason: 'the severity of a reaction that stands outside of its allergy',
    element: /^entryRelationship\/observation\/value$/,
    wordings: /^Moderate$/,
  },
] as const;

const findReason = ({ element, wordings }: CcdaStatement): Reason | undefined =>
  REASONS.find((each) => each.element.test(element) && wordings.some((words) => each.wordings.test(words)))
    ?.reason;

export interface SweptStatement extends CcdaStatement {
  path: string;
  outcome: Outcome;
}

const documentId = '11111111-1111-8111-8111-111111111111';

/** Compares what a document states with what its conversion holds of the same entry. */
export async function sweepDocument({ path, bytes }: File): Promise<SweptStatement[]> {
  const statements = readCcdaStatements(bytes);
  if (statements.length === 0) return [];
  const { items, skipped } = await readCcda({ bytes, path, documentId }, converters);
  const words = items.map(({ resource, position }) => ({
    position,
    words: ` ${normalize(listWords(resource).join(' \n '))} `,
  }));
  const find = (isHere: (position: string) => boolean, wordings: readonly string[]): boolean =>
    words.some(
      (item) => isHere(item.position) && wordings.some((each) => item.words.includes(` ${normalize(each)} `)),
    );
  return statements.map((statement) => {
    const { position } = statement;
    const section = position.replace(/\.entry\[\d+\]$/, '');
    const wordings = statement.wordings.flatMap(spellLike);
    return { ...statement, path, outcome: chooseOutcome() };

    function chooseOutcome(): Outcome {
      if (find((each) => each === position || each.startsWith(`${position}.`), wordings))
        return 'in the entry';
      if (find((each) => each === section, wordings)) return 'in the note of its section';
      if (skipped.some((each) => 'position' in each && each.position === position))
        return 'the entry is left out by name';
      return findReason(statement) ?? 'missing';
    }
  });
}

/** A day is spelled as FHIR writes it. */
function spellLike(wordings: string): string[] {
  const digits = /^\d{4,8}$/.test(wordings) ? spellDay(wordings) : [];
  return [wordings, ...digits];
}

/** Every text and number of a resource; documents inside of it are read. */
function listWords(value: unknown): string[] {
  if (typeof value === 'string')
    return [value, ...decode(value), ...(/^\d{4}-\d\d-\d\dT/.test(value) ? [value.slice(0, 10)] : [])];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listWords);
}

const decode = (text: string): string[] =>
  text.length > 40 && /^[A-Za-z0-9+/]+=*$/.test(text) ? [Buffer.from(text, 'base64').toString('utf8')] : [];
