import { toElements, type Element } from '../../entries/element.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { createJsonSlicer, type Slice } from './json-slices.ts';

/** Only what stands in a list is cut out of it. */
const listParts = (value: unknown): Element[] => (Array.isArray(value) ? toElements(value) : []);

const holdsResource = ({ resource, part }: Element): boolean =>
  (typeof resource === 'object' && resource !== null) || listParts(part).some(holdsResource);

/** Whether a resource is made of others, which are read in its place: a Bundle, or Parameters with resources. */
export const isContainer = (resource: ParsedResource): boolean =>
  resource.resourceType === 'Bundle' ||
  (resource.resourceType === 'Parameters' && listParts(resource['parameter']).some(holdsResource));

/** A resource within Parameters; null where it has two of the members that others are cut from. */
interface ParameterSlice {
  position: string;
  resource: Slice | null;
}

/** Cuts the resources out of Parameters, those of parts of parts too, as they are written. */
export const sliceParameters = (bytes: Buffer, position: string): Generator<ParameterSlice> =>
  slicePart(bytes, position, 'parameter');

function* slicePart(
  bytes: Buffer,
  position: string,
  elementsOf: 'parameter' | 'part',
): Generator<ParameterSlice> {
  const slicer = createJsonSlicer({ elementsOf, ...(elementsOf === 'part' && { values: RESOURCE }) });
  const slices = slicer.push(bytes);
  if (slicer.hasRepeatedKey()) yield { position, resource: null };
  else
    for (const slice of slices) {
      const within = `${position === '' ? '' : `${position}.`}${elementsOf}[${slice.index}]`;
      if (slice.key === 'resource' && slice.index === -1) yield { position, resource: slice };
      else if ('refused' in slice) yield { position: within, resource: slice };
      else yield* slicePart(slice.bytes, within, 'part');
    }
}

const RESOURCE = new Set(['resource']);
