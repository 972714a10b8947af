import type { Kind } from '../../../clinical/entries/entry.ts';
import type { OtherKind } from '../../../clinical/entries/other-kinds.ts';

interface KindName {
  title: string;
  singular: string;
  plural: string;
}

/** What people call the kinds that `get_other_records` lists. */
export const OTHER_KIND_NAMES: Readonly<Record<OtherKind, KindName>> = {
  care_team: { title: 'Care teams', singular: 'care team', plural: 'care teams' },
  care_plan: { title: 'Care plans', singular: 'care plan', plural: 'care plans' },
  goal: { title: 'Goals', singular: 'goal', plural: 'goals' },
  device: { title: 'Devices', singular: 'device', plural: 'devices' },
  family_history: {
    title: 'Family history',
    singular: 'entry of family history',
    plural: 'entries of family history',
  },
  social_history: {
    title: 'Social history',
    singular: 'entry of social history',
    plural: 'entries of social history',
  },
  survey: { title: 'Surveys and scores', singular: 'survey or score', plural: 'surveys and scores' },
  imaging: { title: 'Imaging', singular: 'imaging record', plural: 'imaging records' },
  order: { title: 'Orders', singular: 'order', plural: 'orders' },
  coverage: {
    title: 'Coverage and claims',
    singular: 'record of coverage or claims',
    plural: 'records of coverage and claims',
  },
  document: { title: 'Documents', singular: 'document', plural: 'documents' },
  other: { title: 'Other records', singular: 'other record', plural: 'other records' },
};

/** The kinds that have a tool of their own, with it. */
export const TOOLS_BY_KIND: readonly (readonly [Kind, string, string, string])[] = [
  ['lab', 'laboratory result', 'laboratory results', 'get_labs'],
  ['procedure', 'procedure', 'procedures', 'get_procedures'],
  ['immunization', 'immunization', 'immunizations', 'get_immunizations'],
  ['visit', 'visit', 'visits', 'get_visits'],
  ['note', 'clinical note', 'clinical notes', 'search_clinical_notes'],
];
