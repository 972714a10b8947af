import type { PatientCaller } from '../../contract/audience.ts';
import type { DataMask, OrganizationId, PatientId, ProjectId } from '../../contract/brands.ts';
import { NO_LABELS, toRequiredMask } from '../../server/consent/access/sensitivity-labels.ts';
import { recordAccessFor, type ConsentedAccess } from '../../server/consent/access/record-access.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { CATEGORY_BY_KIND } from '../../server/surfaces/mcp/render/withheld-text.ts';
import type { ToolDeps } from '../../server/surfaces/mcp/tool.ts';
import { TOOLS_BY_NAME } from '../../server/surfaces/mcp/tools/tools.ts';
import { insertEntries, type NewEntry } from '../../server/clinical/entries/entries.sql.ts';
import { finishRebuild } from '../../server/clinical/ingest/import/finish-rebuild.ts';
import type { Details, Entry, Kind } from '../../server/clinical/entries/entry.ts';
import type { Measure } from '../../server/clinical/entries/observation-detail.ts';
import { addPassages, indexPassages } from '../../server/clinical/search/index-entries.ts';
import { buildPassageRows } from '../../server/clinical/search/passages.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createQuestionReader } from '../../server/clinical/search/question/read-question.ts';
import { createAnnotator } from '../../server/clinical/concepts/annotate.ts';
import { getVocabulary, readQuestion } from './vocabulary.ts';

export const TODAY = '2026-11-20';

/** A patient who consents, and their record, as the tools meet it. */
export interface Chart {
  patientId: PatientId;
  access: ConsentedAccess;
  deps: ToolDeps;
  /** Text of a tool's answer. */
  callTool(tool: string, input?: unknown): Promise<string>;
  /** References are `Type/1`, `Type/2` … in the order given, unless an entry names its own. */
  add(...entries: TestEntry[]): Promise<void>;
}

/** An entry with what an importer adds. */
export type TestEntry = Entry & { reference?: string; documentPath?: string; requires?: DataMask };

/** `vocabulary` is the service's own where a test does not bring another. */
export async function createChart(db: Db, vocabulary = getVocabulary): Promise<Chart> {
  const patientId = generateId<PatientId>();
  const projectId = generateId<ProjectId>();
  await db.query(sql`
    insert into patient (patient_id, email, first_name, last_name, created_at)
    values (${patientId}, ${`${patientId}@example.org`}, 'Ada', 'Nowak', now())`);
  await db.query(sql`
    insert into enrollment (patient_id, project_id, organization_id, created_at)
    values (${patientId}, ${projectId}, ${generateId()}, now())`);
  await db.query(sql`
    insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at)
    values (${patientId}, ${projectId}, 'PATIENT_DIRECTED_DATA_EXCHANGE', ${generateId()}, 'OPTED_IN', '2100-01-01', now())`);
  const caller: PatientCaller = {
    kind: 'patient',
    patientId,
    projectId,
    organizationId: generateId<OrganizationId>(),
    firstName: 'Ada',
    lastName: 'Nowak',
    isTestPatient: true,
    client: 'direct',
    grantId: null,
    credentialId: null,
    tokenExpiresAt: new Date('2100-01-01'),
  };
  const access = recordAccessFor(caller);
  const deps: ToolDeps = {
    db,
    clock: { now: () => new Date(`${TODAY}T12:00:00Z`) },
    consentAppUrl: 'https://chart.example/consent',
    readQuestion: vocabulary === getVocabulary ? readQuestion : createQuestionReader(vocabulary),
    embedQuestion: async () => null,
  };
  let seq = 0;
  return {
    patientId,
    access,
    deps,
    async callTool(tool, input) {
      const found = TOOLS_BY_NAME.get(tool);
      if (!found) throw new Error(`no tool ${tool}`);
      return (await found.run(deps, access, input)).text;
    },
    async add(...testEntries) {
      const entries = testEntries.map(({ reference, documentPath, requires, ...entry }): NewEntry => {
        seq += 1;
        return {
          seq,
          ordinal: 0,
          reference: reference ?? `${TYPES[entry.kind]}/${seq}`,
          documentPath: documentPath ?? 'upload/record.json',
          requiredLabels: requires ?? toRequiredMask(entry.category),
          publishedLabels: NO_LABELS,
          entry: entry,
        };
      });
      await db.query(insertEntries(patientId, 0, entries));
      const left = await db.tx((tx) =>
        indexPassages(tx, patientId, {
          seqs: entries.map((each) => each.seq),
          passages: buildPassageRows(entries, createAnnotator(vocabulary)),
        }),
      );
      for (const passages of left) await db.tx((tx) => addPassages(tx, patientId, passages));
      await finishRebuild({ db, getVocabulary: vocabulary }, patientId, async () => ({
        next_seq: 0,
        version: 0,
      }));
    },
  };
}

const TYPES: Readonly<Record<Kind, string>> = {
  condition: 'Condition',
  medication: 'MedicationRequest',
  lab: 'Observation',
  vital: 'Observation',
  allergy: 'AllergyIntolerance',
  procedure: 'Procedure',
  immunization: 'Immunization',
  visit: 'Encounter',
  note: 'DocumentReference',
  social_history: 'Observation',
  survey: 'Observation',
  care_team: 'CareTeam',
  care_plan: 'CarePlan',
  goal: 'Goal',
  device: 'Device',
  family_history: 'FamilyMemberHistory',
  imaging: 'ImagingStudy',
  order: 'ServiceRequest',
  coverage: 'Coverage',
  document: 'List',
  other: 'Flag',
};

const NO_MEASURE = { value: null, unit: null, absent: null, interpretation: null, referenceRange: null };
const NO_OBSERVATION = { ...NO_MEASURE, components: [], panel: null, note: null };

const DEFAULT_DETAILS: { readonly [K in Kind]: Details[K] } = {
  condition: {
    clinicalStatus: null,
    verification: null,
    social: false,
    none: false,
    onset: null,
    abatement: null,
    severity: null,
    note: null,
  },
  medication: {
    resource: 'MedicationRequest',
    none: false,
    intent: 'order',
    dosage: null,
    reason: null,
    prescriber: null,
    note: null,
  },
  lab: NO_OBSERVATION,
  vital: { ...NO_OBSERVATION, vital: null },
  allergy: {
    clinicalStatus: 'active',
    verification: 'confirmed',
    none: false,
    type: null,
    categories: [],
    criticality: null,
    reactions: [],
    note: null,
  },
  procedure: { notDoneReason: null, bodySite: null, reason: null, performer: null, note: null },
  immunization: { notDone: false, notDoneReason: null, dose: null, lot: null, note: null },
  visit: { class: 'ambulatory', type: null, reason: null, location: null, practitioner: null },
  note: {
    text: null,
    contentType: 'text/plain',
    unreadable: null,
    author: null,
    docStatus: null,
    sameAs: null,
  },
  social_history: NO_OBSERVATION,
  survey: NO_OBSERVATION,
  care_team: { type: 'CareTeam', text: null },
  care_plan: { type: 'CarePlan', text: null },
  goal: { type: 'Goal', text: null },
  device: { type: 'Device', text: null },
  family_history: { type: 'FamilyMemberHistory', text: null },
  imaging: { type: 'ImagingStudy', text: null },
  order: { type: 'ServiceRequest', text: null },
  coverage: { type: 'Coverage', text: null },
  document: { type: 'List', text: null },
  other: { type: 'Flag', text: null },
};

const STATUSES: Readonly<Partial<Record<Kind, string>>> = {
  lab: 'final',
  vital: 'final',
  procedure: 'completed',
  immunization: 'completed',
  visit: 'finished',
};

type EntryOverrides<K extends Kind> = Partial<Omit<TestEntry, 'kind' | 'detail' | 'title'>> & {
  detail?: Partial<Details[K]>;
};

/** An entry of which a test says only what matters to it; a written date gives the day. */
export function entry<K extends Kind>(
  kind: K,
  title: string,
  { detail, ...rest }: EntryOverrides<K> = {},
): TestEntry {
  const dayText = rest.dayText ?? rest.day ?? null;
  const day = dayText === null ? null : `${dayText}-01-01`.slice(0, 10);
  return {
    kind,
    category: CATEGORY_BY_KIND[kind],
    title,
    code: null,
    time: null,
    endText: null,
    status: STATUSES[kind] ?? null,
    current: false,
    groupKey: rest.code ?? `text:${title.toLowerCase()}`,
    visit: null,
    organization: 'Riverside Clinic',
    ...rest,
    day,
    dayText,
    detail: { ...DEFAULT_DETAILS[kind], ...detail },
  } as TestEntry;
}

export const measure = (label: string, value: string, unit: string | null): Measure => ({
  ...NO_MEASURE,
  label,
  value,
  unit,
  code: null,
});
