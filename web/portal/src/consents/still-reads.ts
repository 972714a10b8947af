import { formatClientName } from '../../../patient/client-name.ts';
import type { Decision } from '../activity/decisions.ts';
import { quoteConsents, type TextContext } from './consent-name.ts';

const getKey = ({ project, consentType }: Decision): string => `${project.id} ${consentType}`;

/** Of decisions, newest first, the ones that are the newest on their consent. */
const listNewest = (decisions: Iterable<Decision>): Decision[] => [
  ...[...decisions]
    .reduce(
      (newest, each) => newest.set(getKey(each), newest.get(getKey(each)) ?? each),
      new Map<string, Decision>(),
    )
    .values(),
];

/**
 * Says of a no, or of a consent that was stopped, that the organization reads all the same by other consents in force; null
 * where it does not, and of a decision that another has replaced.
 */
export function formatStillReads(
  decision: Decision,
  decisions: Iterable<Decision>,
  { now, ...context }: TextContext & { now: Date },
): string | null {
  const newest = listNewest(decisions);
  if (decision.consentStatus === 'OPTED_IN' || decision.consentType === 'FUTURE_DATA_USE') return null;
  if (!newest.includes(decision)) return null;
  const others = newest.filter(
    (other) =>
      other.consentStatus === 'OPTED_IN' &&
      other.consentType !== 'FUTURE_DATA_USE' &&
      new Date(other.until) > now &&
      other.organization.name === decision.organization.name,
  );
  if (others.length === 0) return null;
  const { stillReadsBy } = context.words.myData.consents;
  return stillReadsBy(formatClientName(decision.organization, context.words), quoteConsents(others, context));
}
