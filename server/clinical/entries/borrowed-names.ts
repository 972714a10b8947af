import type { Details } from './entry.ts';
import { NO_NAME } from './entry-base.ts';
import type { LinkedEntry } from './context-fact.ts';
import { isCodeItself, isInformativeName } from './group-key.ts';

/** A medication entry with the name that it is to have. */
export interface NamedMedication {
  seq: number;
  ordinal: number;
  title: string;
  groupKey: string;
  detail: Details['medication'];
}

type Medication = LinkedEntry & { detail: Details['medication'] };

const isMedication = (entry: LinkedEntry): entry is Medication => entry.kind === 'medication';

/** What an entry is called without a borrowed name. */
const getOwnName = ({ title, groupKey, detail }: Medication) => detail.ownName ?? { title, groupKey };

const isNamed = (entry: Medication): boolean => {
  const { title } = getOwnName(entry);
  return isInformativeName(title) && !title.endsWith(NO_NAME) && !isCodeItself(title, entry.code);
};

/**
 * Names the orders, dispenses and doses that have a bare number or nothing for a name after those they are linked to: the
 * order that a dispense fills, or what was dispensed and given on an order. Only from an entry that requires no more of a
 * consent than they do: the name of a drug may say what it is for.
 */
export function borrowNames(entries: readonly LinkedEntry[]): NamedMedication[] {
  const medications = entries.filter(isMedication);
  const byReference = new Map(medications.map((entry) => [entry.reference, entry]));
  const filled = new Map<string, Medication[]>();
  const getOrders = (entry: Medication): string[] =>
    entry.links.flatMap(({ role, target }) => (role === 'order' ? target : []));
  for (const entry of medications)
    for (const order of getOrders(entry)) filled.set(order, [...(filled.get(order) ?? []), entry]);
  return medications.flatMap((entry): NamedMedication[] => {
    if (isNamed(entry) && entry.detail.nameFrom === undefined) return [];
    const orders = getOrders(entry);
    const candidates = [
      ...orders.flatMap((order) => byReference.get(order) ?? []),
      ...[entry.reference, ...orders].flatMap((order) => filled.get(order) ?? []),
    ];
    const lender = candidates.find(
      (each) => each !== entry && isNamed(each) && (each.requiredLabels & ~entry.requiredLabels) === 0,
    );
    return rename(entry, lender);
  });
}

/** Returns the entry with the lender's name, or with its own where nobody lends one any more; nothing where it is so already. */
function rename(entry: Medication, lender: Medication | undefined): NamedMedication[] {
  const { nameFrom, ownName: _own, ...rest } = entry.detail;
  const own = getOwnName(entry);
  const { seq, ordinal } = entry;
  if (lender === undefined) return nameFrom === undefined ? [] : [{ seq, ordinal, ...own, detail: rest }];
  const name = getOwnName(lender);
  if (nameFrom === lender.reference && entry.title === name.title) return [];
  // What is forbidden stays apart from what is taken.
  const groupKey = own.groupKey.startsWith('not:') ? own.groupKey : name.groupKey;
  return [
    {
      seq,
      ordinal,
      title: name.title,
      groupKey,
      detail: { ...rest, nameFrom: lender.reference, ownName: own },
    },
  ];
}

/** The entries with the names that they have now. */
export function applyNames(
  entries: readonly LinkedEntry[],
  named: readonly NamedMedication[],
): readonly LinkedEntry[] {
  const names = new Map(named.map((each) => [`${each.seq}/${each.ordinal}`, each]));
  return entries.map((entry) => ({ ...entry, ...names.get(`${entry.seq}/${entry.ordinal}`) }));
}
