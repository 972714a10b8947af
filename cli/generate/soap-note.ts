import { measured } from './body.ts';
import { ageOf, type Life, type LifeStoryline } from './life.ts';
import { randomAt, type Visit } from './visit.ts';

const MOST_WORDS = 200;

/** 80 to 200 words in four sections, on what happened at this visit. */
export function soapNote(life: Life, visit: Visit, title: string): string {
  // Longer lists are cut, as far as needed: nobody writes out a whole panel.
  for (let items = 5; items > 1; items--) {
    const text = noteWith(life, visit, { title, items });
    if (text.split(/\s+/).length <= MOST_WORDS) return text;
  }
  return noteWith(life, visit, { title, items: 1 });
}

function noteWith(life: Life, visit: Visit, { title, items }: { title: string; items: number }): string {
  return [
    title,
    `S: ${subjective(life, visit, items)}`,
    `O: ${objective(life, visit, items)}`,
    `A: ${assessment(visit)}`,
    `P: ${planned(life, visit, items)}`,
  ].join('\n\n');
}

const inWords = new Intl.ListFormat('en', { type: 'conjunction' });

function subjective(life: Life, visit: Visit, items: number): string {
  const random = randomAt(life, visit, 'note/subjective');
  const who = `${ageOf(life, visit.day)}-year-old ${life.female ? 'woman' : 'man'} seen for ${reasonWords(visit)}.`;
  const complaint = visit.episode
    ? [visit.episode.words.complaint]
    : toldAt(visit, items).map(({ story, starts }) =>
        starts === visit.day ? story.words.presenting : random.pick(story.words.complaints),
      );
  const allergy = life.allergicToPenicillin
    ? 'Penicillin allergy with hives is unchanged.'
    : 'No known drug allergies.';
  const review = random.pick([
    'Appetite and sleep are good; no chest pain, shortness of breath or change of bowel habits.',
    'No fever, weight loss or new complaints beyond those above; mood is stable.',
    'Review of the other systems is without anything new; medicines are taken as prescribed.',
  ]);
  return [who, ...complaint, review, allergy].join(' ');
}

/** What is new first, two illnesses at most. */
function toldAt(visit: Visit, items: number): LifeStoryline[] {
  const isNew = ({ starts }: LifeStoryline) => starts === visit.day;
  return [...visit.storylines.filter(isNew), ...visit.storylines.filter((line) => !isNew(line))].slice(
    0,
    Math.min(2, items),
  );
}

function reasonWords(visit: Visit): string {
  if (visit.episode) return visit.episode.setting === 'emergency' ? 'an acute injury' : 'a new symptom';
  if (visit.kind === 'wellness') return 'the annual wellness visit';
  const followed = visit.storylines
    .filter(({ starts }) => starts < visit.day)
    .map(({ story }) => story.conditions.at(-1)?.text.toLowerCase() ?? story.name);
  const subject = followed.length > 0 ? inWords.format(followed) : 'general health';
  return visit.kind === 'telehealth' ? `a video follow-up of ${subject}` : `follow-up of ${subject}`;
}

function objective(life: Life, visit: Visit, items: number): string {
  const value = (name: Parameters<typeof measured>[2]) => measured(life, visit, name);
  const vitals =
    visit.kind === 'telehealth'
      ? 'Seen by video; no vital signs taken. Comfortable, speaks in full sentences, no distress visible on camera, skin of normal color.'
      : `BP ${value('systolic')}/${value('diastolic')} mmHg, heart rate ${value('heartRate')}/min, ` +
        `temperature ${value('temperature').toFixed(1)} °C, respirations ${value('respiratoryRate')}/min, ` +
        `SpO2 ${value('oxygenSaturation')} %, weight ${value('weight').toFixed(1)} kg, BMI ${value('bmi').toFixed(1)}.`;
  const exam = visit.episode
    ? [visit.episode.words.exam]
    : visit.kind === 'telehealth'
      ? []
      : [
          'Well appearing; heart, lungs and abdomen unremarkable.',
          ...visit.storylines.slice(0, 1).map(({ story }) => story.words.exam),
        ];
  return [vitals, ...exam, resultWords(visit, items), list('', visit.happened.performed)]
    .filter(Boolean)
    .join(' ');
}

/** Flagged results first: those are what a note speaks of. */
function resultWords(visit: Visit, items: number): string {
  const { results } = visit.happened;
  const flagged = results.filter((result) => result.endsWith('(H)') || result.endsWith('(L)'));
  const rest = results.filter((result) => !flagged.includes(result));
  return list('Results of today:', [...flagged, ...rest].slice(0, items));
}

function assessment(visit: Visit): string {
  const { diagnosed } = visit.happened;
  if (visit.episode) return `${visit.episode.text}. Chronic conditions unaffected.`;
  const known = visit.storylines
    .map(({ story }) => story.conditions.at(-1)?.text ?? story.name)
    .filter((text) => !diagnosed.includes(text));
  return [
    list('New diagnosis:', diagnosed),
    list('Known and followed:', known),
    diagnosed.length + known.length === 0 ? 'Healthy adult without chronic illness so far.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function planned(life: Life, visit: Visit, items: number): string {
  const { started, stopped, renewed, given } = visit.happened;
  const random = randomAt(life, visit, 'note/plan');
  const advice = visit.episode
    ? [visit.episode.words.plan]
    : visit.storylines.slice(0, Math.min(2, items)).map(({ story }) => random.pick(story.words.plans));
  return [
    list('Stopped', stopped),
    list('Started', started),
    list('Renewed', renewed.slice(0, items)),
    list('', given),
    ...advice,
    'Medication list and allergies were reviewed together, and all questions were answered.',
    visit.episode
      ? 'Return if not better within a week.'
      : 'Return as scheduled, or sooner if anything changes.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Empty when there is nothing to tell. */
function list(label: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const text = `${label} ${items.join(', ')}.`.trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
