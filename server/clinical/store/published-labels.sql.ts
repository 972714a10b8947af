import { raw, type Sql } from '../../platform/db/sql.ts';

/** What readers go by in a row of `resource_label`, under an alias: while a resource is labeled anew, the labels that it had. */
export const getPublishedLabels = (alias: string): Sql =>
  raw(`coalesce(${alias}.published_labels, ${alias}.required_labels)`);

/** The columns `required_labels` and `redactions` of such a row, as readers go by them. */
export const selectPublishedLabels = (alias: string): Sql =>
  raw(`coalesce(${alias}.published_labels, ${alias}.required_labels) as required_labels,
  case when ${alias}.published_labels is null then ${alias}.redactions else ${alias}.published_redactions end as redactions`);
