import type { Element } from 'slimdom';
import { selectAll, getAttribute, getChild, getNullFlavor } from '../elements.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import { buildPeriodOrDateTime } from '../times.ts';
import { getGroupedStatus, isDenied } from './clinical-status.ts';
import { buildNotes } from './entry-relationships.ts';
import { convertProcedure } from './procedures.ts';
import { addDevices } from './product-instances.ts';

/** Converts medical equipment: supplies of a device, alone or in an organizer, and procedures that implant one. */
export const devices: SectionKind = {
  name: 'devices',
  codes: ['46264-8'],
  templates: ['2.16.840.1.113883.10.20.22.2.23', '2.16.840.1.113883.10.20.1.7'],
  convert: convertDevice,
};

function convertDevice({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const statements =
    statement.localName === 'organizer'
      ? selectAll(statement, 'component').flatMap((one) => one.children)
      : [statement];
  const reasons = statements.map((one) =>
    one.localName === 'supply'
      ? addDeviceUse(one, position, context)
      : convertOtherForm(one, position, context),
  );
  return reasons.includes(null) ? null : (reasons[0] ?? 'no_content');
}

const convertOtherForm = (statement: Element, position: string, context: Context): SkipReason | null =>
  statement.localName === 'procedure' ? convertProcedure({ statement, position }, context) : 'no_form';

/** Adds a supply as the patient's use of the supplied device. */
function addDeviceUse(supply: Element, position: string, context: Context): SkipReason | null {
  // R4 has no device that is not used.
  if (isDenied(supply)) return 'no_form';
  const [device] = addDevices(supply, position, context);
  if (device === undefined) return 'no_content';
  context.resources.add('DeviceUseStatement', position, {
    identifier: toIdentifiers(supply),
    status: toStatus(supply),
    subject: context.patient,
    ...buildPeriodOrDateTime('timing', getChild(supply, 'effectiveTime')),
    device,
    note: buildNotes(supply, { narrative: context.narrative, exclude: [] }),
  });
  return null;
}

function toStatus(supply: Element): string {
  const status = getGroupedStatus(supply);
  if (status === 'nullified') return 'entered-in-error';
  if (status === 'aborted' || status === 'cancelled') return 'stopped';
  if (getAttribute(supply, 'moodCode') !== 'EVN') return 'intended';
  return status === 'active' ? 'active' : 'completed';
}
