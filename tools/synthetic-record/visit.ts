import { acuteEpisodes, type AcuteEpisode } from './acute-episodes.ts';
import { formatLocalTime } from './calendar.ts';
import type { PatientProfile, DiagnosedStoryline } from './patient-profile.ts';
import { createRandom, type Random } from './random.ts';
import { countVisits, computeVisitDay, chooseVisitKind, type VisitKind } from './visit-days.ts';

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
  storylines: readonly DiagnosedStoryline[];
  /** What happened, in the words of the note, which is written last. */
  events: VisitEvents;
}

export interface VisitEvents {
  diagnosed: string[];
  started: string[];
  stopped: string[];
  renewed: string[];
  results: string[];
  immunizations: string[];
  performed: string[];
}

export function* generateVisits(profile: PatientProfile): Iterable<Visit> {
  // Each short illness has its turn: drawn freely, one ankle would be sprained four times in a row.
  const episodes = shuffleEpisodes(profile);
  let acuteCount = 0;
  for (let index = 0; index < countVisits(profile); index++) {
    const visit = buildVisit(profile, index);
    const episode = episodes[acuteCount % episodes.length];
    if (visit.kind !== 'acute' || !episode) yield visit;
    else {
      yield { ...visit, episode };
      acuteCount++;
    }
  }
}

function shuffleEpisodes(profile: PatientProfile): AcuteEpisode[] {
  const random = createRandom(profile.plan.seed, 'episode-order');
  return acuteEpisodes
    .map((episode) => ({ episode, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ episode }) => episode);
}

export function isRoutine(visit: Visit): boolean {
  return visit.kind === 'wellness' || visit.kind === 'follow-up';
}

export function formatVisitTime(visit: Visit, minutesIn: number): string {
  return formatLocalTime(visit.day, visit.from + minutesIn);
}

export function createVisitRandom(profile: PatientProfile, visit: Visit, topic: string): Random {
  return createRandom(profile.plan.seed, `visit/${visit.index}/${topic}`);
}

function buildVisit(profile: PatientProfile, index: number): Visit {
  const random = createRandom(profile.plan.seed, `visit/${index}`);
  const kind = chooseVisitKind(profile, index);
  const day = computeVisitDay(profile, index);
  const from = random.integer(8 * 12, 16 * 12) * 5;
  return {
    index,
    id: profile.toId(`Encounter/${index}`),
    day,
    kind,
    from,
    to: from + 5 * random.integer(4, kind === 'wellness' ? 10 : 7),
    storylines: profile.storylines.filter((storyline) => storyline.diagnosedOn <= day),
    events: {
      diagnosed: [],
      started: [],
      stopped: [],
      renewed: [],
      results: [],
      immunizations: [],
      performed: [],
    },
  };
}
