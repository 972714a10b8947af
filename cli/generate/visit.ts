import { acuteEpisodes, type AcuteEpisode } from './acute-episodes.ts';
import { localTime } from './calendar.ts';
import type { Life, LifeStoryline } from './life.ts';
import { randomFor, type Random } from './random.ts';
import { visitCount, visitDay, visitKind, type VisitKind } from './visit-days.ts';

export interface Visit {
  index: number;
  id: string;
  day: number;
  kind: VisitKind;
  episode?: AcuteEpisode;
  /** Minutes after midnight, local time. */
  from: number;
  to: number;
  /** The storylines diagnosed by this day, this day included. */
  storylines: readonly LifeStoryline[];
  /** What happened, in the words of the note, which is written last. */
  happened: Happenings;
}

export interface Happenings {
  diagnosed: string[];
  started: string[];
  stopped: string[];
  renewed: string[];
  results: string[];
  given: string[];
  performed: string[];
}

export function* visitsOf(life: Life): Iterable<Visit> {
  // Each short illness has its turn: drawn freely, one ankle would be sprained four times in a row.
  const turns = shuffledEpisodes(life);
  let acute = 0;
  for (let index = 0; index < visitCount(life); index++) {
    const visit = visitAt(life, index);
    const episode = turns[acute % turns.length];
    if (visit.kind !== 'acute' || !episode) yield visit;
    else {
      yield { ...visit, episode };
      acute++;
    }
  }
}

function shuffledEpisodes(life: Life): AcuteEpisode[] {
  const random = randomFor(life.plan.seed, 'episode-order');
  return acuteEpisodes
    .map((episode) => ({ episode, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ episode }) => episode);
}

export function isRoutine(visit: Visit): boolean {
  return visit.kind === 'wellness' || visit.kind === 'follow-up';
}

export function timeAt(visit: Visit, minutesIn: number): string {
  return localTime(visit.day, visit.from + minutesIn);
}

export function randomAt(life: Life, visit: Visit, topic: string): Random {
  return randomFor(life.plan.seed, `visit/${visit.index}/${topic}`);
}

function visitAt(life: Life, index: number): Visit {
  const random = randomFor(life.plan.seed, `visit/${index}`);
  const kind = visitKind(life, index);
  const day = visitDay(life, index);
  const from = random.whole(8 * 12, 16 * 12) * 5;
  return {
    index,
    id: life.id(`Encounter/${index}`),
    day,
    kind,
    from,
    to: from + 5 * random.whole(4, kind === 'wellness' ? 10 : 7),
    storylines: life.storylines.filter((storyline) => storyline.starts <= day),
    happened: { diagnosed: [], started: [], stopped: [], renewed: [], results: [], given: [], performed: [] },
  };
}
