import type { Element } from 'slimdom';
import { concept, entryText } from '../concepts.ts';
import { all, attribute, child, children } from '../elements.ts';
import { numberAsWritten, type CodeableConcept, type FhirObject, type Reference } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import { quantity } from '../quantities.ts';
import type { Context } from '../section.ts';
import { dated, endOf, period, startOf, time, type Time } from '../times.ts';
import { valueInWords } from './entry-parts.ts';
import { namedConcept } from './own-words.ts';

interface Supply {
  dispense: FhirObject | undefined;
  prescriber: Reference | undefined;
  written: Time | undefined;
}

const suppliesOf = (administration: Element, isFill: boolean): Element[] =>
  all(administration, 'entryRelationship/supply').filter(
    (supply) => (attribute(supply, 'moodCode') === 'EVN') === isFill,
  );

/** The order to supply (moodCode INT) of a prescription: how much, how often, for how long, by whom. */
export function supplyOf(administration: Element, { people }: Context): Supply {
  const [supply] = suppliesOf(administration, false);
  const author = people.author(supply);
  if (supply === undefined) return { dispense: undefined, prescriber: undefined, written: undefined };
  return {
    dispense: {
      validityPeriod: period(child(supply, 'effectiveTime')),
      numberOfRepeatsAllowed: repeatsOf(supply),
      quantity: quantity(child(supply, 'quantity')),
      performer: people.performers(supply)[0]?.organization,
    },
    prescriber: author?.who,
    written: author?.when,
  };
}

/** What an order to supply says that has no element of its own: of a MedicationStatement all of it. */
export function supplyInWords(administration: Element, isRequest: boolean, context: Context): string[] {
  return suppliesOf(administration, false).flatMap((supply) => {
    const instructions = instructionsOf(supply, context).map(({ text }) => `Fill instructions: ${text}`);
    const amount = valueInWords(child(supply, 'quantity'), context.narrative);
    return isRequest || amount === undefined
      ? instructions
      : [`Quantity ordered: ${amount}`, ...instructions];
  });
}

/** Fills (moodCode EVN): MedicationDispense. A fill without quantity and date tells nothing. */
export function dispensesOf(administration: Element, drug: CodeableConcept, context: Context): FhirObject[] {
  const { narrative, people } = context;
  return suppliesOf(administration, true).flatMap((supply) => {
    const amount = quantity(child(supply, 'quantity'));
    const interval = child(supply, 'effectiveTime');
    if (amount === undefined && time(interval) === undefined) return [];
    const product = all(supply, 'product/manufacturedProduct/manufacturedMaterial/code')[0];
    return [
      {
        identifier: identifiers(supply),
        status: statusOf(supply),
        medicationCodeableConcept: namedConcept(product, narrative) ?? drug,
        subject: context.patient,
        performer: people.performers(supply).map(({ who }) => ({ actor: who })),
        quantity: amount,
        ...dated('whenHandedOver', startOf(interval) ?? endOf(interval)),
        note: instructionsOf(supply, context),
      },
    ];
  });
}

const statusOf = (supply: Element): string => {
  const code = attribute(child(supply, 'statusCode'), 'code');
  if (code === 'completed') return 'completed';
  if (code === 'active') return 'in-progress';
  if (code === 'nullified') return 'entered-in-error';
  return code === 'aborted' || code === 'cancelled' ? 'stopped' : 'unknown';
};

const instructionsOf = (supply: Element, { narrative }: Context): { text: string }[] =>
  all(supply, 'entryRelationship/act')
    .flatMap((act) => entryText(act, narrative) ?? concept(child(act, 'code'), narrative)?.text ?? [])
    .map((text) => ({ text }));

/** CDA counts the fills, FHIR the repeats after the first. */
function repeatsOf(supply: Element): FhirObject[string] {
  const written = attribute(children(supply, 'repeatNumber')[0], 'value');
  if (written === undefined || !/^\d{1,6}$/.test(written) || Number(written) < 1) return undefined;
  return numberAsWritten(String(Number(written) - 1));
}
