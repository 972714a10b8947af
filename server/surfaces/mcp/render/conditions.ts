import { normalizeName } from '../../../clinical/entries/codeable-concept.ts';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatEndInForce } from './date-text.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { join } from './markdown.ts';
import { formatName } from './name-text.ts';

type Condition = Pick<StoredEntry<'condition'>, 'detail' | 'current' | 'endText'>;

/** What is said of a condition besides whether it is so, one thing each. */
const REMARK_PARTS: readonly ((entry: Pick<Condition, 'detail'>) => string)[] = [
  ({ detail }) => formatName(detail.severity),
  ({ detail }) => (detail.stage === undefined ? '' : `stage: ${escapeInline(detail.stage, 120)}`),
  ({ detail }) => formatBodySite(detail),
  ({ detail }) => (detail.onset === null ? '' : `onset: ${escapeValue(detail.onset)}`),
  ({ detail }) => (detail.abatement === null ? '' : `ended: ${escapeValue(detail.abatement)}`),
  ({ detail }) => escapeValue(detail.note),
];

/** What a reader must know beyond name and date, one thing each: doubt, severity, dates recorded as words, remarks. */
export const CONDITION_PARTS: readonly ((entry: Condition, today: string) => string)[] = [
  ({ detail: { clinicalStatus } }) =>
    clinicalStatus === 'recurrence' || clinicalStatus === 'relapse' ? clinicalStatus : '',
  ({ detail }) => formatDoubt(detail),
  formatEndInForce,
  ...REMARK_PARTS,
];

export const renderConditionDetails = (entry: Condition, today: string): string =>
  join(CONDITION_PARTS.map((part) => part(entry, today)));

export const renderConditionRemarks = (entry: Pick<Condition, 'detail'>): string =>
  join(REMARK_PARTS.map((part) => part(entry)));

/** "provisional"; nothing of what is confirmed. */
export const formatDoubt = ({ verification }: Condition['detail']): string =>
  verification === 'confirmed' ? '' : escapeValue(verification);

/** The left ear and the right one are two things. */
export const getSite = ({ detail }: Pick<Condition, 'detail'>): string =>
  normalizeName(detail.bodySite ?? '');
export const getConditionKey = (condition: Pick<StoredEntry<'condition'>, 'detail' | 'groupKey'>): string =>
  `${condition.groupKey}\n${getSite(condition)}`;

export const CONDITION_NOUN = ['condition', 'conditions'] as const;

export const formatBodySite = ({ bodySite }: Condition['detail']): string =>
  formatName(bodySite ?? null, 120);
