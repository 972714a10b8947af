import type { ResourceScope } from '../../../contract/data-categories.ts';
import type { EntryLink } from './entry-link.ts';
import type { ObservationDetail } from './observation-detail.ts';

/**
 * One clinical fact of one stored resource, in the words a person uses: the tools read entries, not resources.
 * Numbers are text with the digits the record wrote; days are the calendar days the record wrote.
 */
export type Entry = {
  [K in Kind]: EntryBase & { kind: K; detail: Details[K] };
}[Kind];

export type Kind = keyof Details;

export interface EntryBase {
  category: ResourceScope;
  /** What a person calls it; never empty. */
  title: string;
  /** `system|code` of the coding that names it best, or null. */
  code: string | null;
  /** The first calendar day of the written date, YYYY-MM-DD ("2021-03" → "2021-03-01"): for windows and order. */
  day: string | null;
  /** The date in the precision it was written with: "2021", "2021-03" or "2021-03-05". */
  dayText: string | null;
  /** Hour and minute as written, "14:05", or null: for the order within one day. */
  time: string | null;
  /** The end, where there is one (period end, abatement), in the precision it was written with. */
  endText: string | null;
  /** The resource's own status code as written, or null. */
  status: string | null;
  /** Shown whatever the window: an active condition, a current medication, an allergy in force. */
  current: boolean;
  /** Entries of one kind with the same key are one thing to a reader (the same drug, the same procedure). */
  groupKey: string;
  /** Names for record linkage: `id system|value`, `code system|code`; of a note `text digest`, `copy digest`, `whole digest`. `when …` and `kind alone` are no names (`entry-base.ts`). */
  names?: readonly string[];
  /** What its codings call it besides its title, for search; absent where they say the same. */
  displays?: readonly string[];
  /** `Encounter/id` as referenced, or null. */
  visit: string | null;
  /** The organization that recorded it, where known; else null, and the document's name is shown instead. */
  organization: string | null;
  /** The organization for consents that withhold visits; only where that differs. */
  organizationWithoutVisit?: string | null;
  /** `Encounter/id` of the visit that lends its date, where the resource has none of its own: "during the visit of …". */
  dateFrom?: string | null;
  /** How much it says besides its title; of a group, the member that says most is shown. Absent is 0. */
  informativeness?: number;
  /** What it refers to, and what else may be said of it from there (`ContextFact`). Only builders and linkage read it. */
  links?: readonly EntryLink[];
  /**
   * Two entries of one resource where one borrows from another category: `borrowing` requires that category too, and
   * `fallback` is shown where the consent does not cover it.
   */
  variant?: { borrows: ResourceScope } | { fallbackFor: ResourceScope };
}

export interface Details {
  condition: ConditionDetail;
  medication: MedicationDetail;
  lab: ObservationDetail;
  vital: ObservationDetail & { vital: VitalName | null };
  allergy: AllergyDetail;
  procedure: ProcedureDetail;
  immunization: ImmunizationDetail;
  visit: VisitDetail;
  note: NoteDetail;
  /** Observations about a life rather than a body: smoking status, housing, work. */
  social_history: ObservationDetail;
  /** Answers and scores: of a questionnaire each answer is a component. */
  survey: ObservationDetail;
  care_team: RecordDetail;
  care_plan: RecordDetail;
  goal: RecordDetail;
  device: RecordDetail;
  family_history: RecordDetail;
  imaging: RecordDetail;
  order: RecordDetail;
  coverage: RecordDetail;
  document: RecordDetail;
  /** Every type without a kind of its own. */
  other: RecordDetail;
}

/** An entry that its title and its words describe. */
export interface RecordDetail {
  /** The resource's type. */
  type: string;
  /** All it says, a line or clause each. */
  text: string | null;
}

export interface ConditionDetail {
  /** active, recurrence, relapse, inactive, remission, resolved; null when not recorded (never read as active). */
  clinicalStatus: string | null;
  verification: string | null;
  /** A finding about a life (employment, schooling, stress, housing), not an illness. */
  social: boolean;
  /** "No known problems", "No information about problems": a statement about the record, not a condition. */
  none: boolean;
  /** Such a statement that says that nothing is known, not that there is none. */
  noInformation?: true;
  /** The onset in words or as an age when there is no date. */
  onset: string | null;
  abatement: string | null;
  severity: string | null;
  note: string | null;
  bodySite?: string;
  stage?: string;
  /** Who says so: recorder, asserter. */
  asserter?: string;
  /** "problem-list-item", "encounter-diagnosis": categories in words. */
  category?: string;
}

export interface MedicationDetail {
  resource: 'MedicationRequest' | 'MedicationStatement' | 'MedicationAdministration' | 'MedicationDispense';
  /** "No information about medications" and the like: a statement about the record, not a drug. */
  none: boolean;
  noInformation?: true;
  /** order, plan, proposal, reported …; null when not recorded. */
  intent: string | null;
  /** A readable dosage: the text as written with what the codes say besides, or rendered from timing and dose. */
  dosage: string | null;
  /** Where a dosage has a text and codes: both apart, as record linkage compares them. */
  coded?: { words: string; dose?: string; route?: string; timing?: string; limit?: string };
  reason: string | null;
  prescriber: string | null;
  note: string | null;
  /** `Type/id` of the order, dispense or dose that lends its name to one that has none. */
  nameFrom?: string;
  /** What it is called without that name. */
  ownName?: { title: string; groupKey: string };
  /** "2 refills", as ordered. */
  refills?: string;
  /** The amount ordered or dispensed: "30 tablets, for 30 days". */
  supply?: string;
  /** Until when the prescription may be dispensed, as written; no end of the course. */
  validUntil?: string;
  /** The day from which on it is to be taken, as written, where that is not the day of the entry. */
  begins?: string;
  /** Why it was stopped, put on hold or not taken. */
  statusReason?: string;
  /** The entry's end is ours: computed from a duration, and no date of the record. */
  isEndComputed?: boolean;
  /** Who gave or dispensed it, where that is not who prescribed it. */
  performer?: string;
  /** "inpatient", "community": categories in words. */
  category?: string;
}

export const VITAL_NAMES = [
  'Blood Pressure',
  'Heart Rate',
  'Body Temperature',
  'Respiratory Rate',
  'Oxygen Saturation',
  'Weight',
  'Height',
  'Body Mass Index',
] as const;
export type VitalName = (typeof VITAL_NAMES)[number];

export interface AllergyDetail {
  clinicalStatus: string | null;
  verification: string | null;
  /** "No known allergies" and the like: a statement, not an allergy. */
  none: boolean;
  noInformation?: true;
  type: string | null;
  categories: string[];
  criticality: string | null;
  reactions: string[];
  note: string | null;
  /** The date or time of the last reaction, as written. */
  lastOccurrence?: string;
  /** The day on which it was recorded, where the entry has that of the onset. */
  recorded?: string;
  asserter?: string;
}

export interface ProcedureDetail {
  /** "No known procedures": a statement about the record, not a procedure. */
  none?: boolean;
  noInformation?: true;
  /** Why it was not done. */
  notDoneReason: string | null;
  bodySite: string | null;
  reason: string | null;
  performer: string | null;
  note: string | null;
  location?: string;
  outcome?: string;
  complications?: string;
  followUp?: string;
  category?: string;
}

export interface ImmunizationDetail {
  /** "No immunization data is applicable", "No known immunizations": a statement about the record, not a vaccine. */
  none?: boolean;
  noInformation?: true;
  /** status `not-done`: must never read as given. */
  notDone: boolean;
  notDoneReason: string | null;
  dose: string | null;
  lot: string | null;
  note: string | null;
  manufacturer?: string;
  expires?: string;
  site?: string;
  route?: string;
  performer?: string;
  location?: string;
  reason?: string;
  reactions?: string;
  /** "reported by the patient": what the source says about where it knows it from. */
  reported?: string;
  /** Why a dose that was given counts less, or not at all: FHIR's `isSubpotent`. */
  subpotent?: string;
}

export interface VisitDetail {
  /** "ambulatory", "emergency", "inpatient encounter": class in words. */
  class: string | null;
  type: string | null;
  reason: string | null;
  location: string | null;
  practitioner: string | null;
  /** "Cardiology". */
  serviceType?: string;
  /** "attender: Dr. A; admitter: Dr. B", where roles are recorded. */
  participants?: string;
  /** "home", "skilled nursing facility": where the patient was discharged to. */
  disposition?: string;
  admitSource?: string;
  /** Readmission, diet and whatever else `hospitalization` says. */
  admission?: string;
  priority?: string;
  /** The diagnoses with their roles, as the visit's own words name them; those of the record's Conditions are `reason` facts. */
  diagnoses?: string;
  /** Why it was cancelled, and what its narrative says besides. */
  note?: string;
}

export interface NoteDetail {
  /** The note's text, as written; null when the record holds no readable text (a PDF, a link). */
  text: string | null;
  contentType: string | null;
  /** Where the text is when it is not readable here: "PDF, 120 kB" or "link". */
  unreadable: string | null;
  author: string | null;
  docStatus: string | null;
  /** "date as written: 03/09/2026", where that is none. */
  writtenDate?: string;
  /** `Type/id` or `urn:uuid:…` of the resource that holds the same note, as the record links it. */
  sameAs: string | null;
}
