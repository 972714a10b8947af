import type { Element } from '../entries/element.ts';
import type { Pointer } from './locate-members.ts';

/** An element, and the way to it. */
export interface Frame {
  node: object;
  key: string | number;
  parent: Frame | null;
}

/** Lists that say more than what their members refer to. */
const KEPT_LISTS = new Set<string | number>(['section', 'note']);

/**
 * The element that is left out with a reference: the member of a list that is about it (a visit's diagnosis with its rank,
 * which has no meaning without it; the activity of a plan with what it gives), else the reference alone.
 */
export function findSmallestWhole(frame: Frame): Frame {
  const { parent } = frame;
  if (frame.key === 'productReference' && parent?.key === 'detail' && parent.parent !== null)
    return parent.parent;
  const isAlone = typeof frame.key === 'string' && parent !== null && typeof parent.key === 'number';
  if (!isAlone || KEPT_LISTS.has(parent.parent?.key ?? '') || 'resourceType' in parent.node) return frame;
  return parent;
}

/** The way to an element, from the resource. */
export function toPointer(frame: Frame): Pointer {
  const pointer: (string | number)[] = [];
  for (let at: Frame | null = frame; at?.parent; at = at.parent) pointer.push(at.key);
  return pointer.toReversed();
}

/** "Encounter.diagnosis.condition": from the resource that holds it, without positions. */
export function toPath(frame: Frame): string {
  const names: string[] = [];
  for (let at: Frame | null = frame; at !== null; at = at.parent) {
    const type = (at.node as Element)['resourceType'];
    if (typeof type === 'string') return [type, ...names.toReversed()].join('.');
    if (typeof at.key === 'string') names.push(at.key);
  }
  return names.toReversed().join('.');
}
