import type { Sql } from '../../platform/db/sql.ts';

/** How a resource is told in an answer. */
export interface ResourceSerializer {
  /** SQL of `resource_type` and `fhir_id`: what stands before a body. */
  prefix: Sql;
  /** Bytes as the database sent them, as they leave. */
  encodeChunk(bytes: Buffer): Buffer;
  /** One resource that does not come from the database as it is; `reference` is `Type/id`. */
  encode(reference: string, body: string): Buffer;
}
