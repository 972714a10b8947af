import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { isValid } from '../queries/stated-values.sql.ts';
import type { Question } from './question.ts';

/** What the values of a test are compared by, where the question asks for the highest or the lowest. */
export interface ValueRange {
  /** Of the entry that is shown; null: it is no plain number. */
  value: number | null;
  /** The first and the last of the units, which are one where the values can be compared. */
  units: readonly string[];
  /** How many values are no plain number ("< 0.01"). */
  unequalled: number;
}

const NUMBER = '^\\s*-?[0-9]+([.][0-9]+)?\\s*$';

/** Of a blood pressure in components the systolic one, which has a unit of its own. */
const pickWritten = (field: 'value' | 'unit'): Sql => sql`
  case when detail ->> 'value' is not null then detail ->> '${raw(field)}' else (
    select part ->> '${raw(field)}' from json_array_elements(detail -> 'components') part
    where part ->> 'code' like '%|8480-6' limit 1) end`;

const WRITTEN = sql`(${pickWritten('value')})`;

/** As compared: "mm[Hg]" and "mmHg" are spellings of one; a number without a unit has one that nobody knows. */
const UNIT = sql`lower(translate(coalesce(${pickWritten('unit')}, ''), '[] ', ''))`;

/** The columns of an entry that values are compared by; a cancelled result has none. */
export const selectValue = ({ extreme }: Question): Sql =>
  extreme === null
    ? sql`null::float8 as value, null as unit, false as is_unequalled`
    : sql`
      case when ${isMeasured} and ${WRITTEN} ~ ${NUMBER} then ${WRITTEN}::float8 end as value,
      case when ${isMeasured} and ${WRITTEN} ~ ${NUMBER} then ${UNIT} end as unit,
      ${isMeasured} and ${WRITTEN} !~ ${NUMBER} as is_unequalled`;

const isMeasured = sql`(kind in ('lab', 'vital') and ${isValid})`;

/** What is selected of all entries that use a text. */
export const selectRange = sql`
  json_build_object('value', value, 'units', array_remove(array[min(unit) over same, max(unit) over same], null),
    'unequalled', count(*) filter (where is_unequalled) over same) as range`;

/** The order in which the entry that is shown of a text is its first. */
export const orderByValue = ({ extreme }: Question): Sql =>
  extreme === null
    ? sql``
    : sql`case when min(unit) over same = max(unit) over same then value end ${extreme === 'highest' ? sql`desc` : sql`asc`} nulls last,`;
