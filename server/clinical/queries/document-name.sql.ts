import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/**
 * The column "documentPath": where everything is shared the document's path in its upload, else a name that says nothing
 * ("document 3f2a9c") and is the same in every answer, whatever is withheld. A path may hold a diagnosis, a clinic or the
 * patient's name, also of a file whose facts are shared; its beginning of six hexadecimal digits cannot be guessed back without the
 * record's secret.
 */
export const selectDocumentName = ({ patientId, withheld }: RecordAccess, path: Sql): Sql => sql`
  case when ${withheld} = 0 then ${path}
    else name_document((select document_key from record_head where patient_id = ${patientId}), ${path}) end as "documentPath"`;
