import type { Element } from 'slimdom';
import { all, attribute, child, nullFlavor } from '../elements.ts';
import { identifiers } from '../identifiers.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, SectionKind } from '../section.ts';
import { timed } from '../times.ts';
import { notesOf } from './entry-parts.ts';
import { convertProcedure } from './procedures.ts';
import { devicesOf } from './product-instances.ts';

/** Medical equipment: supplies of a device, alone or in an organizer, and the procedures that put one in. */
export const devices: SectionKind = {
  name: 'devices',
  codes: ['46264-8'],
  templates: ['2.16.840.1.113883.10.20.22.2.23', '2.16.840.1.113883.10.20.1.7'],
  convert: convertDevice,
};

function convertDevice({ statement, position }: Entry, context: Context): LeftOut | null {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  const told =
    statement.localName === 'organizer'
      ? all(statement, 'component').flatMap((one) => one.children)
      : [statement];
  const reasons = told.map((one) =>
    one.localName === 'supply' ? supplied(one, position, context) : otherForm(one, position, context),
  );
  return reasons.includes(null) ? null : (reasons[0] ?? 'no_content');
}

const otherForm = (statement: Element, position: string, context: Context): LeftOut | null =>
  statement.localName === 'procedure' ? convertProcedure({ statement, position }, context) : 'no_form';

/** A supply is the patient's use of the device it supplies. */
function supplied(supply: Element, position: string, context: Context): LeftOut | null {
  const [device] = devicesOf(supply, position, context);
  if (device === undefined) return 'no_content';
  context.resources.add('DeviceUseStatement', position, {
    identifier: identifiers(supply),
    status: statusOf(supply),
    subject: context.patient,
    ...timed('timing', child(supply, 'effectiveTime')),
    device,
    note: notesOf(supply, { narrative: context.narrative, besides: [] }),
  });
  return null;
}

function statusOf(supply: Element): string {
  if (attribute(supply, 'moodCode') !== 'EVN') return 'intended';
  const status = attribute(child(supply, 'statusCode'), 'code');
  return status === 'nullified' ? 'entered-in-error' : status === 'active' ? 'active' : 'completed';
}
