import { EnrollmentEntry, type EnrollmentResult } from '../../../contract/organization/enrollment.ts';
import { toEmail, type Email } from '../../../contract/brands.ts';
import { describeIssue } from '../../platform/http/describe-issue.ts';
import { toFieldErrors } from '../../platform/http/serve.ts';
import { findUnknownNames } from '../../platform/http/unknown-names.ts';

export interface Enrollee {
  patientIndex: number;
  entry: EnrollmentEntry;
  email: Email;
}

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
    const unknown = findUnknownNames(EnrollmentEntry, item, false);
    if (checked.success && unknown.length === 0) {
      people.push({ patientIndex, entry: checked.data, email: toEmail(checked.data.email) });
    } else {
      const email = (item as { email?: unknown } | null)?.email;
      const error = [...unknown, ...toFieldErrors(checked.error?.issues ?? [], '')]
        .map(({ path, message }) => `${path || 'item'}: ${message}`)
        .join('; ');
      errors.push({ patientIndex, email: typeof email === 'string' ? email : null, error });
    }
  });
  return { people, errors };
}
