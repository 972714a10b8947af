import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { MAX_SEARCH_LENGTH } from '../text-limits.ts';
import { ConsentStatus, ConsentType } from '../account/consent.ts';
import { BatchId, ConsentRecordId, PatientId, ProjectId, SourceId } from '../brands.ts';
import { ConsentParts, ConsentScopes } from '../data-categories.ts';
import { DayOrInstant, FROM_MOMENT, TO_MOMENT } from '../day-or-instant.ts';
import { defineEndpoint } from '../endpoint.ts';
import { SourceState, sourceStateShape } from './source-syncs.ts';
import { Instant } from '../instant.ts';
import { acceptOneOrSeveral, acceptSeveral } from '../several.ts';

/** How far a person has come with a project. Each enrollment is in exactly one state; the first that applies, from the end of the list. */
export const PATIENT_STATES = [
  'enrolled',
  'invited',
  'opened',
  'has_account',
  'declined',
  'consents',
  'expired',
  'withdrew',
  'ended',
  'deleted',
] as const;
export const PatientState = z
  .enum(PATIENT_STATES)
  .describe(
    'enrolled: no invitation was sent; invited: it was sent; opened: the person came to it by the link mailed to their address, or signed in; has_account: they came to it, can sign in, and decided nothing; declined: they decided, and never consented; consents: a consent is in force; expired: consents ended by their date; withdrew: what was given was taken back; ended: the organization ended the enrollment; deleted: the person deleted their account',
  );
export type PatientState = z.infer<typeof PatientState>;

const project = z.object({ id: ProjectId, name: z.string() });
const time = z.iso.datetime();

/** A person in one project, as the organization enrolled them. */
export const ListedPatient = z
  .object({
    patientId: PatientId,
    project,
    email: z.string().nullable().describe('As the organization wrote it; null: the person came by an app'),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    externalId: z.string().nullable(),
    isTestPatient: z.boolean(),
    state: PatientState,
    since: time.describe('Since when they are in this state'),
    enrolledAt: time,
    lastInvitedAt: time.nullable().describe('The newest mail with the invitation'),
    lastReadAt: time.nullable().describe('When the record was last read for the project'),
  })
  .meta({ id: 'ListedPatient' });
export type ListedPatient = z.infer<typeof ListedPatient>;

/** The place of an enrollment in the list: its time and its keys. */
const ListCursor = z
  .string()
  .regex(/^\d{1,15}(\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}){2}$/, 'must be the `next` of a page');

/** The filters of the list and of what is done with all that they find. */
export const filterShape = {
  q: z
    .string()
    .trim()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .describe(
      'The beginning of a name ("Ana", "Ruiz", "Ruiz, Ana"), an e-mail address, an external id or a telephone number, or a whole patient id; without regard to case and accents',
    ),
  projectId: ProjectId.optional(),
  invitedBefore: Instant.optional().describe('Only those whose newest invitation is older'),
};

const shared = { tag: 'Patients', audience: ['organization'] } as const;

export const listPatients = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/organizations/{orgId}/patients',
  name: 'listPatients',
  summary:
    'The patients of the organization, or of the projects that the caller is limited to, newest enrollment first: each project that a person takes part in is an item',
  permission: 'patients.read',
  query: z.object({
    ...filterShape,
    state: acceptSeveral(PatientState).optional(),
    sourceState: acceptSeveral(SourceState)
      .optional()
      .describe(
        'Only those in one of these states at one of the connected servers, as `…/syncs` gives it; nobody whose enrollment has ended',
      ),
    after: ListCursor.optional().describe('`next` of the page before'),
    limit: wholeNumber(1, 1000).prefault(50),
  }),
  response: z.object({
    results: z.array(ListedPatient),
    next: z.string().nullable().describe('`after` of the next page; null on the last'),
  }),
});

export const getPatient = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/organizations/{orgId}/patients/{patientId}',
  name: 'getPatient',
  summary:
    'One patient: how far they have come, what they consent to, and what happened; nothing of the record. The patient sees in their own log that it was looked at',
  permission: 'patients.read',
  response: z
    .object({
      patientId: PatientId,
      email: z.string().nullable(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      isTestPatient: z.boolean(),
      phones: z.array(z.string()).describe('By which the organization finds the patient'),
      enrollments: z.array(
        z.object({
          project,
          externalId: z.string().nullable(),
          state: PatientState,
          since: time,
          enrolledAt: time,
          invitedAt: time.nullable(),
          lastInvitedAt: time.nullable(),
          openedAt: time.nullable(),
          accountAt: time.nullable(),
          decidedAt: time.nullable().describe('Their first decision'),
        }),
      ),
      consents: z
        .array(
          ConsentScopes.extend({
            project,
            consentType: ConsentType,
            consentStatus: ConsentStatus,
            consentRecordId: ConsentRecordId,
            decidedAt: time,
            expirationTimestamp: time,
            isInForce: z.boolean(),
            parts: ConsentParts,
          }),
        )
        .describe('The newest decision on each consent'),
      uploads: z
        .object({
          byStatus: z.record(z.string(), z.int()).describe('How many uploads are in each state'),
          rejectedDocuments: z.int(),
          lastReceivedAt: time.nullable(),
          newest: z
            .array(
              z.object({
                batchId: BatchId,
                status: z.string(),
                receivedAt: time,
                rejectedDocuments: z.int(),
              }),
            )
            .describe('The newest hundred of them'),
        })
        .nullable()
        .describe(
          'Counts only, of what was read only uploads that brought something that is shared; null without a consent to read in force',
        ),
      sources: z.array(z.object({ sourceId: SourceId, name: z.string(), ...sourceStateShape })),
      timeline: z
        .array(
          z.object({
            id: z.string(),
            at: time,
            action: z.string(),
            outcome: z.enum(['success', 'refused', 'failed']),
            actor: z.object({
              kind: z.enum(['patient', 'admin', 'researcher', 'developer', 'member', 'system']),
              id: z.string(),
              name: z.string().nullable().describe("The member's name"),
            }),
            client: z.string().nullable().describe('The OAuth client that acted'),
            project: project.nullable(),
            consentRecordId: z.string().nullable(),
          }),
        )
        .describe('The newest hundred entries of the audit log about the patient, this look not included'),
    })
    .meta({ id: 'PatientDetails' }),
  refusals: {
    403: 'no_consent: the patient does not exist, or never took part in a project that the caller may see',
  },
});

const weeks = z.object({
  invited: z.int(),
  opened: z.int(),
  hasAccount: z.int(),
  consented: z.int(),
  declined: z.int(),
  medianSeconds: z
    .object({
      toOpened: z.number().nullable(),
      toAccount: z.number().nullable(),
      toDecision: z.number().nullable(),
    })
    .describe('From the first invitation; null: nobody'),
});

export const getPatientFunnel = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/organizations/{orgId}/patients/funnel',
  name: 'getPatientFunnel',
  summary:
    "How many of those first invited in a time opened the invitation, have an account, and decided, by the week (from Monday, in the organization's time zone) of the invitation; who takes part no more is not counted",
  permission: 'patients.read',
  query: z.object({
    projectId: ProjectId.optional(),
    from: DayOrInstant.describe(`The first invitation then or later. ${FROM_MOMENT}`),
    to: DayOrInstant.describe(TO_MOMENT),
  }),
  response: z.object({ total: weeks, weeks: z.array(weeks.extend({ week: z.iso.date() })) }),
});

/** The states in which an invitation is of use: nobody who has decided is bothered. */
export const INVITABLE_STATES = ['enrolled', 'invited', 'opened', 'has_account'] as const;

export const sendInvitations = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/v1/organizations/{orgId}/patients/invitations',
  name: 'sendInvitations',
  summary:
    'Sends the invitation to those of a filter who have decided nothing, 500 with each call; nobody who got one within 24 hours. Repeated until `remaining` is 0, it sends each once',
  permission: 'patients.enroll',
  storeUse: 'reads',
  status: 202,
  closedBody: true,
  body: z.object({
    ...filterShape,
    state: acceptOneOrSeveral(z.enum(INVITABLE_STATES)).optional().describe('Absent: all four'),
    dryRun: z.boolean().default(false).describe('Counts, and sends nothing'),
  }),
  response: z.object({
    matched: z.int().describe('How many the filter finds that have a mailbox'),
    recentlyInvited: z.int().describe('Of these, who got an invitation within 24 hours and gets none now'),
    sent: z.int(),
    remaining: z.int().describe('How many further calls would send to'),
  }),
});
