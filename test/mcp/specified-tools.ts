interface SpecifiedTool {
  name: string;
  arguments: readonly string[];
  required?: readonly string[];
  /** Arguments of a call that finds something. */
  example?: Readonly<Record<string, unknown>>;
}

const window = ['years', 'beforeDate'];

/**
 * The tools of the specification, in its order, and then those of the contract, with their arguments: the one list that
 * tests compare with.
 */
export const SPECIFIED_TOOLS: readonly SpecifiedTool[] = [
  { name: 'get_health_summary', arguments: [] },
  {
    name: 'search',
    arguments: ['query', 'kinds'],
    required: ['query'],
    example: { query: 'blood pressure' },
  },
  { name: 'get_conditions', arguments: window },
  { name: 'get_medications', arguments: window },
  { name: 'get_labs', arguments: [...window, 'tests'] },
  { name: 'get_vitals', arguments: [...window, 'vitals'] },
  { name: 'get_allergies', arguments: window },
  { name: 'get_procedures', arguments: window },
  { name: 'get_immunizations', arguments: window },
  { name: 'get_visits', arguments: window },
  {
    name: 'search_clinical_notes',
    arguments: ['query', 'encounterId', ...window],
    example: { query: 'visit' },
  },
  { name: 'update_and_check_recent_records', arguments: [] },
  { name: 'get_other_records', arguments: [...window, 'kind'] },
  {
    name: 'get_details',
    arguments: ['references'],
    required: ['references'],
    example: { references: ['Patient'] },
  },
];
