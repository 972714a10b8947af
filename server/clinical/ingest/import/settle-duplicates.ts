import { createHash } from 'node:crypto';
import { canonicalizeJson } from '../../store/canonical-json.ts';
import type { BundleIndex } from './index-bundle.ts';
import type { ImportPlan } from './import-plan.ts';
import type { SpooledResource } from './resource-spool.ts';

/** An occurrence that lost against another of the same id with other content. */
export interface Overridden {
  path: string;
  position: string;
}

interface Occurrence {
  position: number;
  hash: string;
  lastUpdated: string;
  location: Overridden;
}

/**
 * Decides between the occurrences of each resource that an upload holds in several texts: the one last updated counts, else
 * the later one; the same content in another spelling is the first one. Only for such uploads is the spool read once more.
 */
export async function settleDuplicates(
  bundleIndex: BundleIndex,
  read: () => AsyncIterable<SpooledResource>,
): Promise<Overridden[]> {
  const { contested } = bundleIndex;
  if (contested.size === 0) return [];
  const occurrences = new Map<ImportPlan, Occurrence[]>();
  let position = 0;
  for await (const spooled of read()) {
    const at = position++;
    const plan = bundleIndex.findPlan(spooled.facts);
    if (plan === undefined || !contested.has(plan)) continue;
    const known = occurrences.get(plan);
    const occurrence = toOccurrence(spooled, at);
    if (known) known.push(occurrence);
    else occurrences.set(plan, [occurrence]);
  }
  return [...occurrences]
    .flatMap(([plan, all]) => settle(plan, all))
    .sort((one, other) => one.at - other.at)
    .map(({ location }) => location);
}

function toOccurrence({ text, facts }: SpooledResource, position: number): Occurrence {
  return {
    position,
    hash: hashContent(text),
    lastUpdated: facts.lastUpdated,
    location: { path: facts.path, position: facts.position },
  };
}

function hashContent(text: string): string {
  const hash = createHash('sha256');
  try {
    return hash.update(canonicalizeJson(text)).digest('base64');
  } catch (error) {
    if (error instanceof RangeError) return hash.update(text).digest('base64');
    throw error;
  }
}

/** Sets the occurrence that counts, and returns where the others stand, with the position at which each lost. */
function settle(
  plan: ImportPlan,
  [first, ...others]: readonly Occurrence[],
): { at: number; location: Occurrence['location'] }[] {
  if (first === undefined) return [];
  let winner = first;
  const lost = others.flatMap((occurrence) => {
    if (occurrence.hash === winner.hash) return [];
    const older = occurrence.lastUpdated !== '' && winner.lastUpdated > occurrence.lastUpdated;
    const loser = older ? occurrence : winner;
    if (!older) winner = occurrence;
    return [{ at: occurrence.position, location: loser.location }];
  });
  plan.winner = winner.position;
  return lost;
}
