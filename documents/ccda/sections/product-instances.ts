import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import { getAttribute, getChild, getChildren, selectFirst, getText } from '../elements.ts';
import type { FhirObject, Reference } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { Context } from '../section.ts';

/** The FDA's root of unique device identifiers; the extension is the carrier in human readable form. */
const UDI = '2.16.840.1.113883.3.3719';

/** Adds the product instances of a statement (`participant/participantRole[@classCode=MANU]`) as Devices of the patient. */
export function addDevices(statement: Element, position: string, context: Context): Reference[] {
  return getChildren(statement, 'participant').flatMap((participant) => {
    const role = getChild(participant, 'participantRole');
    const playingDevice = getChild(role, 'playingDevice');
    if (role === undefined || (playingDevice === undefined && getAttribute(role, 'classCode') !== 'MANU'))
      return [];
    const content = buildDevice(role, context);
    return content === undefined ? [] : [context.resources.add('Device', position, content)];
  });
}

function buildDevice(role: Element, { narrative, patient }: Context): FhirObject | undefined {
  const playingDevice = getChild(role, 'playingDevice');
  const type = toCodeableConcept(getChild(playingDevice, 'code'), narrative);
  const model = getText(getChild(playingDevice, 'manufacturerModelName'));
  const udi = getChildren(role, 'id').find((id) => getAttribute(id, 'root') === UDI);
  const carrier = getAttribute(udi, 'extension');
  if (type === undefined && model === undefined && carrier === undefined) return undefined;
  return {
    identifier: toIdentifiers(role),
    udiCarrier: carrier === undefined ? [] : [{ carrierHRF: carrier }],
    manufacturer: getText(selectFirst(role, 'scopingEntity/desc')),
    deviceName: model === undefined ? [] : [{ name: model, type: 'model-name' }],
    type,
    patient,
  };
}
