import { z } from 'zod';
import { MAX_QUESTION_LENGTH } from '../text-limits.ts';
import { ResourceScope } from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { DocumentId } from '../brands.ts';
import { PageQuery } from '../page-query.ts';

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;

/** What a fact says besides its title, date, status and value; each in the record's own words. */
export const FACT_DETAILS = [
  'dosage',
  'begins',
  'onset',
  'abatement',
  'severity',
  'stage',
  'verification',
  'reactions',
  'criticality',
  'lastOccurrence',
  'bodySite',
  'reason',
  'notDoneReason',
  'dose',
  'site',
  'route',
  'lot',
  'manufacturer',
  'subpotent',
  'serviceType',
  'location',
  'practitioner',
  'participants',
  'prescriber',
  'performer',
  'author',
  'asserter',
  'specimen',
  'method',
  'position',
  'device',
  'outcome',
  'complications',
  'followUp',
  'statusReason',
  'refills',
  'supply',
  'validUntil',
  'disposition',
  'diagnoses',
  'interpretation',
  'reported',
  'panel',
  'order',
  'part',
  'note',
  'replacedBy',
  'replaces',
  'appendedBy',
  'appends',
  'unreadable',
] as const;

/** What a record says of the person it is about. */
export const PERSON_DETAILS = [
  'name',
  'birthDate',
  'gender',
  'maritalStatus',
  'language',
  'deceased',
  'address',
  'phone',
  'email',
  'otherContact',
] as const;

const Flag = z.enum(['normal', 'high', 'low', 'critical high', 'critical low', 'abnormal', 'critical']);

const Measurement = z.object({
  name: z.string().nullable().describe('Of a part: "Systolic"; null for the value of the fact itself'),
  text: z.string().describe('Value and unit, digits as written; or why there is none'),
  range: z.string().nullable(),
  flag: Flag.nullable().describe("The source's, else ours by comparing value and range"),
});

/** Where a fact comes from. */
const FactSource = z.object({
  organization: z.string().nullable(),
  path: z.string().describe('The file of the upload, or the connected source, that it came in'),
  documentId: DocumentId.nullable().describe('The original, where it is kept as a document of its own'),
});

const writtenDay = z
  .string()
  .nullable()
  .describe('2021, 2021-03 or 2021-03-05, as precise as it was written');

const FactDetail = z.object({ name: z.enum(FACT_DETAILS), text: z.string() });

export const RecordFact = z
  .object({
    id: z
      .string()
      .regex(/^\d{1,15}\.\d{1,9}$/)
      .describe('Names it until the record changes'),
    reference: z.string().describe('`Type/id` of its resource'),
    kind: z.string(),
    category: ResourceScope,
    title: z.string(),
    day: writtenDay,
    time: z.string().nullable(),
    end: writtenDay,
    status: z.string().nullable(),
    isCurrent: z.boolean(),
    endedBy: z
      .object({ status: z.string().nullable(), day: writtenDay, reason: z.string().nullable() })
      .nullable()
      .optional()
      .describe('Of a drug in force: a later record by which it was stopped or put on hold'),
    begins: writtenDay.optional().describe('Of a drug that is active and not begun yet: from which day on'),
    next: z
      .object({ day: z.string(), dosage: z.string().nullable() })
      .nullable()
      .optional()
      .describe('What follows a drug from a later day on; the dosage where it is another one'),
    isNotDone: z.boolean().describe('A vaccine that was not given'),
    measurements: z.array(Measurement),
    laterWithoutValue: z
      .object({ day: writtenDay, reason: z.string().nullable() })
      .nullable()
      .optional()
      .describe('What was tried after it and states no value; absent: from a node of a version before'),
    details: z.array(FactDetail),
    text: z.string().nullable().describe('The words of a note or document; in lists their beginning'),
    isCut: z.boolean().describe('There is more text than is shown'),
    source: FactSource,
    elsewhere: z.array(
      FactSource.extend({
        reference: z.string(),
        isSame: z.boolean().describe('False: it says something else'),
        title: z.string(),
        day: writtenDay,
        end: writtenDay
          .optional()
          .describe('Where it says something else; absent: from a node of a version before'),
        status: z.string().nullable(),
        measurements: z.array(Measurement),
        details: z.array(FactDetail).optional().describe('What it says otherwise, or besides'),
      }),
    ),
    times: z.int().min(1).describe('How often it is recorded'),
    firstDay: writtenDay,
    lastDay: writtenDay,
  })
  .meta({ id: 'RecordFact' });
export type RecordFact = z.infer<typeof RecordFact>;

const PersonDetail = z.object({ name: z.enum(PERSON_DETAILS), text: z.string() });
export type PersonDetail = z.infer<typeof PersonDetail>;

export const countMyRecord = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/record',
  name: 'countMyRecord',
  summary: "How many facts the signed-in person's own record holds, by category",
  response: z.object({
    total: z.int().min(0),
    categories: z.array(z.object({ category: ResourceScope, facts: z.int().min(0) })),
    isArriving: z.boolean().describe('Something is being read into it now'),
    isAsked: z.boolean().describe('An upload waits for the answer whether it is about the person'),
  }),
});

export const listMyFacts = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/record/facts',
  name: 'listMyFacts',
  summary:
    "What the person's own record holds of one category, newest first; what is recorded often stands once",
  query: PageQuery.extend({ category: ResourceScope, limit: PageQuery.shape.limit.pipe(z.int().max(200)) }),
  response: z.object({
    person: z.array(PersonDetail).describe('Of the categories that describe the person'),
    results: z.array(RecordFact),
    next: z.string().nullable().describe('`offset` of the next page; null on the last'),
  }),
});

export const getMyFact = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/record/fact',
  name: 'getMyFact',
  summary: 'One fact with all its text, and each time that it was recorded, newest first; at most 300',
  query: z.object({ id: RecordFact.shape.id }),
  response: z.object({ fact: RecordFact, recorded: z.array(RecordFact) }),
  refusals: { 404: 'The person has no such fact' },
});

export const searchMyRecord = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/record/search',
  name: 'searchMyRecord',
  summary: "Searches the person's own record as agents do, with nothing left out; the best 50",
  body: z.object({ query: z.string().max(MAX_QUESTION_LENGTH) }),
  response: z.object({
    results: z.array(RecordFact.extend({ around: z.string().describe('The words around what was found') })),
    hasMore: z.boolean(),
    isRelated: z
      .boolean()
      .optional()
      .describe('Nothing is what was asked for, only related to it; absent: from a node of a version before'),
    readAs: z
      .array(
        z.object({
          phrase: z.string(),
          names: z.array(z.string()),
          spanishNames: z
            .array(z.string().nullable())
            .optional()
            .describe('Each beside its name; null: there is none; absent: from a node of a version before'),
        }),
      )
      .describe('Phrases that were understood, by the names of what they mean'),
  }),
});
