import { addMonths, computeAge, parseDay, formatDay } from './calendar.ts';
import { createRandom } from './random.ts';
import { getFirstDay, type RecordPlan } from './record-plan.ts';
import { deriveResourceId } from './resource-id.ts';
import type { Storyline } from './storyline.ts';
import { asthma } from './storylines/asthma.ts';
import { depression } from './storylines/depression.ts';
import { hyperlipidemia } from './storylines/hyperlipidemia.ts';
import { hypertension } from './storylines/hypertension.ts';
import { hypothyroidism } from './storylines/hypothyroidism.ts';
import { osteoarthritis } from './storylines/osteoarthritis.ts';
import { type2Diabetes } from './storylines/type-2-diabetes.ts';
import { findRoutineVisitDay, countVisits } from './visit-days.ts';

/** The plan made concrete: who it is, what this person falls ill with and when. */
export interface PatientProfile {
  plan: RecordPlan;
  visitsPerYear: number;
  /** First day of the record. */
  firstDay: number;
  lastDay: number;
  firstName: string;
  lastName: string;
  birth: number;
  female: boolean;
  smoking: 'never' | 'former';
  allergicToPenicillin: boolean;
  storylines: readonly DiagnosedStoryline[];
  /** The id of the resource with this name, the same at every call. */
  toId(name: string): string;
}

export interface DiagnosedStoryline {
  story: Storyline;
  /** The day of the diagnosis. */
  diagnosedOn: number;
}

const cardiometabolic: readonly Storyline[] = [type2Diabetes, hypertension, hyperlipidemia];
const others: readonly Storyline[] = [asthma, hypothyroidism, osteoarthritis, depression];
export const storylines: readonly Storyline[] = [...cardiometabolic, ...others];

const women = ['Ada', 'Clara', 'Edith', 'Elena', 'Grace', 'Ines', 'Maria', 'Nora', 'Rosa', 'Sofia'];
const men = ['Albert', 'Bruno', 'Carlos', 'Edgar', 'Felix', 'Henry', 'Leo', 'Martin', 'Oscar', 'Samuel'];
// Obviously nobody's: a synthetic record must not be taken for a person's.
const lastNames = ['Sampleton', 'Testwell', 'Exampleby', 'Mockridge', 'Demoson', 'Placeholt'];

export function createProfile(plan: RecordPlan): PatientProfile {
  const random = createRandom(plan.seed, 'life');
  const female = random.chance(0.52);
  const generated = {
    firstName: random.pick(female ? women : men),
    lastName: random.pick(lastNames),
    birthDate: formatDay(computeBirthDay(plan, random.integer(0, 24), random.integer(0, 364))),
  };
  const { firstName, lastName, birthDate = generated.birthDate } = plan.patient ?? generated;
  const base = {
    plan,
    visitsPerYear: plan.visitsPerYear ?? 4,
    firstDay: getFirstDay(plan),
    lastDay: parseDay(plan.endsOn),
    firstName,
    lastName,
    birth: parseDay(birthDate),
    female: women.includes(firstName) || (female && !men.includes(firstName)),
    smoking: random.pick(['never', 'former'] as const),
    allergicToPenicillin: random.chance(0.5),
    toId: (name: string) => deriveResourceId(plan.seed, name),
  };
  return { ...base, storylines: chooseStorylines(base) };
}

export function getAge(profile: PatientProfile, day: number): number {
  return computeAge(profile.birth, day);
}

/** Between 45 and 69 at the end, or older when the record is so long that it would begin in childhood. */
function computeBirthDay(plan: RecordPlan, yearsOver45: number, daysOver: number): number {
  const years = Math.max(45 + yearsOver45, Math.ceil(plan.years) + 24);
  return addMonths(parseDay(plan.endsOn), -years * 12) - daysOver;
}

/** At least one of those with regular labs, so that no record comes without a series to follow. */
function chooseStorylines(profile: Omit<PatientProfile, 'storylines'>): DiagnosedStoryline[] {
  const random = createRandom(profile.plan.seed, 'storylines');
  const draw = (list: readonly Storyline[], count: number) =>
    list
      .map((story) => ({ story, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, count);
  const chosen = [...draw(cardiometabolic, random.integer(1, 2)), ...draw(others, random.integer(1, 2))];
  return chosen.map(({ story }, index) => {
    const share = random.between(0.02 + index * 0.06, 0.14 + index * 0.1);
    const visit = Math.floor(share * countVisits(profile));
    return { story, diagnosedOn: findRoutineVisitDay(profile, visit) };
  });
}
