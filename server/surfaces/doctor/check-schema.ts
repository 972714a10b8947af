import { READING_VERSION } from '../../clinical/store/reading-version.ts';
import { countRecordsReadBefore } from '../../clinical/store/records.sql.ts';
import { one, type Db } from '../../platform/db/db.ts';
import { readSchemaState } from '../../platform/db/schema-state.ts';
import { createFinding, type Finding } from './finding.ts';

/** Checks whether the store has the schema of this program: where it has another one, nothing else can be asked of its tables. */
export async function checkSchema(db: Db): Promise<Finding> {
  const { newest, unknown, missing } = await readSchemaState(db);
  const [unknownFile] = unknown.slice(-1);
  if (unknownFile !== undefined) return createFinding('schema_newer', { newest: unknownFile });
  return missing.length > 0
    ? createFinding('schema_older', { newest, count: missing.length })
    : createFinding('schema_ok', { newest });
}

/** Checks whether records were read by the rules of this program. */
export async function checkRecords(db: Db): Promise<Finding> {
  const { count } = await one(db, countRecordsReadBefore(READING_VERSION));
  return count === 0 ? createFinding('records_ok') : createFinding('records_older', { count });
}
