/** Codes of what the record has nevertheless: as it is, in another version, or with what cannot be read in it. */
export const NOTHING_LOST: readonly string[] = [
  'duplicate_id',
  'older_version',
  'id_in_use',
  'class_unknown',
  // What may not enter the record of a test patient is not lost by a fault that may pass.
  'not_test_data',
];
