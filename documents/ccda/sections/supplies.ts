import type { Element } from 'slimdom';
import { toCodeableConcept, getEntryText } from '../concepts.ts';
import { selectAll, getAttribute, getChild, getChildren, isNegated } from '../elements.ts';
import {
  toRawNumber,
  type CodeableConcept,
  type FhirObject,
  type Period,
  type Reference,
} from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { toQuantity } from '../quantities.ts';
import type { Context } from '../section.ts';
import { buildDateTime, buildPeriod, getEnd, toPeriod, getStart, toTime, type Time } from '../times.ts';
import { getGroupedStatus } from './clinical-status.ts';
import { formatValue } from './entry-relationships.ts';
import { formatOtherNames } from './medication-names.ts';
import { toNamedConcept } from './named-concepts.ts';

interface Supply {
  dispense: FhirObject | undefined;
  prescriber: Reference | undefined;
  authoredOn: Time | undefined;
}

const getSupplies = (administration: Element, isFill: boolean): Element[] =>
  selectAll(administration, 'entryRelationship/supply').filter(
    (supply) => (getAttribute(supply, 'moodCode') === 'EVN') === isFill && (isFill || !isNegated(supply)),
  );

/** Returns the order to supply (moodCode INT) of a prescription: how much, how often, for how long, by whom. */
export function getSupplyOrder(administration: Element, { people }: Context): Supply {
  const [supply] = getSupplies(administration, false);
  const author = people.findAuthor(supply);
  if (supply === undefined) return { dispense: undefined, prescriber: undefined, authoredOn: undefined };
  return {
    dispense: {
      validityPeriod: toValidity(getChild(supply, 'effectiveTime')),
      numberOfRepeatsAllowed: countRepeats(supply),
      quantity: toQuantity(getChild(supply, 'quantity')),
      performer: people.findPerformers(supply)[0]?.organization,
    },
    prescriber: author?.who,
    authoredOn: author?.when,
  };
}

/** A single time of an order to supply is when it expires, as in HITSP C32, not when it begins: C-CDA asks for the end alone. */
const toValidity = (time: Element | undefined): Period | undefined =>
  getAttribute(time, 'value') === undefined ? toPeriod(time) : buildPeriod(undefined, toTime(time));

/** Returns when a prescription expires: no end of the drug, but a sign of one where the drug is said to be completed. */
export const findExpiry = (administration: Element): Time | undefined => {
  const time = getChild(getSupplies(administration, false)[0], 'effectiveTime');
  return getAttribute(time, 'value') === undefined ? getEnd(time) : toTime(time);
};

/** Formats the parts of an order to supply without an element of their own: for a MedicationStatement all of it. */
export function formatSupply(administration: Element, isRequest: boolean, context: Context): string[] {
  return getSupplies(administration, false).flatMap((supply) => {
    const instructions = getInstructions(supply, context).map(({ text }) => `Fill instructions: ${text}`);
    const amount = formatValue(getChild(supply, 'quantity'), context.narrative);
    return isRequest || amount === undefined
      ? instructions
      : [`Quantity ordered: ${amount}`, ...instructions];
  });
}

/** Builds a MedicationDispense for each fill (moodCode EVN). A fill without quantity and date is left out. */
export function buildDispenses(
  administration: Element,
  drug: CodeableConcept,
  context: Context,
): FhirObject[] {
  const { narrative, people } = context;
  return getSupplies(administration, true).flatMap((supply) => {
    const amount = toQuantity(getChild(supply, 'quantity'));
    const interval = getChild(supply, 'effectiveTime');
    if (amount === undefined && toTime(interval) === undefined) return [];
    const [product] = selectAll(supply, 'product/manufacturedProduct/manufacturedMaterial');
    const concept = toNamedConcept(getChild(product, 'code'), narrative) ?? drug;
    const names = formatOtherNames(product, concept).map((text) => ({ text }));
    return [
      {
        identifier: toIdentifiers(supply),
        status: toStatus(supply),
        medicationCodeableConcept: concept,
        subject: context.patient,
        performer: people.findPerformers(supply).map(({ who }) => ({ actor: who })),
        quantity: amount,
        ...buildDateTime('whenHandedOver', getStart(interval) ?? getEnd(interval)),
        note: [...names, ...getInstructions(supply, context)],
      },
    ];
  });
}

const toStatus = (supply: Element): string => {
  const code = getGroupedStatus(supply);
  if (isNegated(supply) && code !== 'nullified') return 'declined';
  if (code === 'completed') return 'completed';
  if (code === 'active') return 'in-progress';
  if (code === 'nullified') return 'entered-in-error';
  return code === 'aborted' || code === 'cancelled' ? 'stopped' : 'unknown';
};

const getInstructions = (supply: Element, { narrative }: Context): { text: string }[] =>
  selectAll(supply, 'entryRelationship/act')
    .flatMap(
      (act) =>
        getEntryText(act, narrative) ?? toCodeableConcept(getChild(act, 'code'), narrative)?.text ?? [],
    )
    .map((text) => ({ text }));

/** Returns the repeats after the first fill; CDA counts all fills. */
function countRepeats(supply: Element): FhirObject[string] {
  const raw = getAttribute(getChildren(supply, 'repeatNumber')[0], 'value');
  if (raw === undefined || !/^\d{1,6}$/.test(raw) || Number(raw) < 1) return undefined;
  return toRawNumber(String(Number(raw) - 1));
}
