import {
  enrollPatients,
  EnrollmentEntry,
  type EnrollmentResult,
} from '../../../contract/organization/enrollment.ts';
import { toEmail, type Email } from '../../../contract/brands.ts';
import { describeIssue } from '../../platform/http/describe-issue.ts';
import { toFieldErrors } from '../../platform/http/serve.ts';
import { findUnstorable } from '../../platform/kernel/unstorable-text.ts';
import { findUnknownNames } from '../../platform/http/unknown-names.ts';

export interface Enrollee {
  patientIndex: number;
  entry: EnrollmentEntry;
  email: Email;
}

/** Names that mean something for the whole list alone: in an item they would be dropped, and the person be invited after all. */
const LIST_NAMES = [...Object.keys(enrollPatients.query.shape), ...Object.keys(enrollPatients.body.shape)];

const findListNames = (item: unknown): { path: string; message: string }[] =>
  LIST_NAMES.filter((name) => typeof item === 'object' && item !== null && Object.hasOwn(item, name)).map(
    (path) => ({ path, message: 'is for the whole list, and not for one person' }),
  );

/** Separates the people of a list from its faulty items. */
export function validateItems(items: readonly unknown[]): {
  people: Enrollee[];
  errors: EnrollmentResult['errors'];
} {
  const people: Enrollee[] = [];
  const errors: EnrollmentResult['errors'] = [];
  items.forEach((item, patientIndex) => {
    const checked = EnrollmentEntry.safeParse(item, { error: describeIssue });
    // Items are `unknown` to the contract, so that the check of the body does not reach their names.
    const faults = [...findUnknownNames(EnrollmentEntry, item, false), ...findListNames(item)];
    const unstorable = findUnstorable(checked.data, '');
    if (unstorable) faults.push(unstorable);
    if (checked.success && faults.length === 0) {
      people.push({ patientIndex, entry: checked.data, email: toEmail(checked.data.email) });
    } else {
      const email = (item as { email?: unknown } | null)?.email;
      const error = [...faults, ...toFieldErrors(checked.error?.issues ?? [], '')]
        .map(({ path, message }) => `${path || 'item'}: ${message}`)
        .join('; ');
      errors.push({ patientIndex, email: typeof email === 'string' ? email : null, error });
    }
  });
  return { people, errors };
}
