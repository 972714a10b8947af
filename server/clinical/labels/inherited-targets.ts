import type { Element } from '../entries/element.ts';
import { toPath, type Frame } from './frame.ts';
import { listNamedVisits, type NamedTarget, type WrittenTarget } from './names-of-targets.ts';
import { isLeftOut, isListedVisit, listNamedParties } from './parties.ts';
import type { TargetKind } from './target-labels.ts';

/** What a reference may mean whose classes are inherited, and whether it is left out alone rather than to make all as sensitive. */
export interface InheritedTargets {
  visits: readonly NamedTarget[];
  /** Who, where and what took part. */
  parties: readonly NamedTarget[];
  /** Whether who or where is left out alone. */
  isLeft: boolean;
  /** Whether the visit is one of a list of whatever there is, and left out of it alone. */
  isListed: boolean;
  /** Empty where neither of them nor a part is meant. */
  path: string;
}

/** Finds the visits, and who, where and what, that a reference may mean. */
export function findInheritedTargets(
  frame: Frame,
  { element, kind, ...target }: WrittenTarget & { element: Element; kind: TargetKind },
): InheritedTargets {
  const visits = kind === 'part' ? [] : listNamedVisits(element, target);
  const parties = listNamedParties(element, target);
  const mayBeLeft = kind === 'part' || parties.length > 0;
  const path = mayBeLeft || visits.length > 0 ? toPath(frame) : '';
  return {
    visits,
    parties,
    isLeft: mayBeLeft && isLeftOut(path),
    isListed: visits.length > 0 && isListedVisit(path),
    path,
  };
}
