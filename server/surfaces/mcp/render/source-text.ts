import type { SourceState } from '../../../clinical/sources/record-state.sql.ts';

/** What people call the types of FHIR, where that is more than the words of the name. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AllergyIntolerance: 'allergies',
    ClaimResponse: 'answers to claims',
    Composition: 'documents',
    Coverage: 'coverage',
    DeviceUseStatement: 'use of devices',
    DiagnosticReport: 'reports',
    DocumentReference: 'documents',
    Encounter: 'visits',
    EpisodeOfCare: 'episodes of care',
    ExplanationOfBenefit: 'benefits',
    FamilyMemberHistory: 'family history',
    Media: 'pictures',
    MedicationAdministration: 'given medications',
    MedicationDispense: 'dispensed medications',
    MedicationRequest: 'prescriptions',
    MedicationStatement: 'medications',
    MolecularSequence: 'genomic data',
    Observation: 'results and vital signs',
    Provenance: 'origins',
    QuestionnaireResponse: 'surveys',
    ServiceRequest: 'orders',
  }),
);

const MAX_TYPES = 12;

/** Names types of resources in plain words: "conditions, results and vital signs". */
function nameTypes(types: readonly string[]): string {
  const names = [...new Set(types.map((type) => TYPE_NAMES.get(type) ?? splitWords(type)))];
  const more = names.length - MAX_TYPES;
  return more > 0 ? `${names.slice(0, MAX_TYPES).join(', ')} and ${more} more kinds` : names.join(', ');
}

/** "NutritionOrder" is "nutrition orders", "BodyStructure" "body structures". */
function splitWords(type: string): string {
  const words = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}s`;
}

/** Says what is missing of a source that was read in part; null where nothing is. */
export const describeMissing = ({
  code,
  skippedTypes,
}: Pick<SourceState, 'code' | 'skippedTypes'>): string | null => {
  if (code !== 'partial') return null;
  return skippedTypes.length === 0
    ? 'not all that it has could be fetched or read'
    : `it did not give all ${nameTypes(skippedTypes)}`;
};
