import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { attribute, child, children, first, textOf } from '../elements.ts';
import type { FhirObject, Reference } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import type { Context } from '../section.ts';

/** The FDA's root of unique device identifiers; the extension is the carrier in human readable form. */
const UDI = '2.16.840.1.113883.3.3719';

/** Product instances of a statement (`participant/participantRole[@classCode=MANU]`), each a Device of the patient. */
export function devicesOf(statement: Element, position: string, context: Context): Reference[] {
  return children(statement, 'participant').flatMap((participant) => {
    const role = child(participant, 'participantRole');
    const playing = child(role, 'playingDevice');
    if (role === undefined || (playing === undefined && attribute(role, 'classCode') !== 'MANU')) return [];
    const content = deviceOf(role, context);
    return content === undefined ? [] : [context.resources.add('Device', position, content)];
  });
}

function deviceOf(role: Element, { narrative, patient }: Context): FhirObject | undefined {
  const playing = child(role, 'playingDevice');
  const type = concept(child(playing, 'code'), narrative);
  const model = textOf(child(playing, 'manufacturerModelName'));
  const udi = children(role, 'id').find((id) => attribute(id, 'root') === UDI);
  const carrier = attribute(udi, 'extension');
  if (type === undefined && model === undefined && carrier === undefined) return undefined;
  return {
    identifier: identifiers(role),
    udiCarrier: carrier === undefined ? [] : [{ carrierHRF: carrier }],
    manufacturer: textOf(first(role, 'scopingEntity/desc')),
    deviceName: model === undefined ? [] : [{ name: model, type: 'model-name' }],
    type,
    patient,
  };
}
