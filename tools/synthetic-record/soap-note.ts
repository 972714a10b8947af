import { measureAnalyte } from './measurements.ts';
import { getAge, type PatientProfile, type DiagnosedStoryline } from './patient-profile.ts';
import { createVisitRandom, type Visit } from './visit.ts';

const MAX_WORDS = 200;

/** 80 to 200 words in four sections, on what happened at this visit. */
export function writeSoapNote(profile: PatientProfile, visit: Visit, title: string): string {
  // Longer lists are cut, as far as needed: nobody writes out a whole panel.
  for (let items = 5; items > 1; items--) {
    const text = buildNote(profile, visit, { title, items });
    if (text.split(/\s+/).length <= MAX_WORDS) return text;
  }
  return buildNote(profile, visit, { title, items: 1 });
}

function buildNote(
  profile: PatientProfile,
  visit: Visit,
  { title, items }: { title: string; items: number },
): string {
  return [
    title,
    `S: ${writeSubjective(profile, visit, items)}`,
    `O: ${writeObjective(profile, visit, items)}`,
    `A: ${writeAssessment(visit)}`,
    `P: ${writePlan(profile, visit, items)}`,
  ].join('\n\n');
}

const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

function writeSubjective(profile: PatientProfile, visit: Visit, items: number): string {
  const random = createVisitRandom(profile, visit, 'note/subjective');
  const who = `${getAge(profile, visit.day)}-year-old ${profile.female ? 'woman' : 'man'} seen for ${writeReason(visit)}.`;
  const complaint = visit.episode
    ? [visit.episode.words.complaint]
    : selectStorylines(visit, items).map(({ story, diagnosedOn }) =>
        diagnosedOn === visit.day ? story.words.presenting : random.pick(story.words.complaints),
      );
  const allergy = profile.allergicToPenicillin
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
function selectStorylines(visit: Visit, items: number): DiagnosedStoryline[] {
  const isNew = ({ diagnosedOn }: DiagnosedStoryline) => diagnosedOn === visit.day;
  return [...visit.storylines.filter(isNew), ...visit.storylines.filter((line) => !isNew(line))].slice(
    0,
    Math.min(2, items),
  );
}

function writeReason(visit: Visit): string {
  if (visit.episode) return visit.episode.setting === 'emergency' ? 'an acute injury' : 'a new symptom';
  if (visit.kind === 'wellness') return 'the annual wellness visit';
  const followed = visit.storylines
    .filter(({ diagnosedOn }) => diagnosedOn < visit.day)
    .map(({ story }) => story.conditions.at(-1)?.text.toLowerCase() ?? story.name);
  const subject = followed.length > 0 ? listFormat.format(followed) : 'general health';
  return visit.kind === 'telehealth' ? `a video follow-up of ${subject}` : `follow-up of ${subject}`;
}

function writeObjective(profile: PatientProfile, visit: Visit, items: number): string {
  const getValue = (name: Parameters<typeof measureAnalyte>[2]) => measureAnalyte(profile, visit, name);
  const vitals =
    visit.kind === 'telehealth'
      ? 'Seen by video; no vital signs taken. Comfortable, speaks in full sentences, no distress visible on camera, skin of normal color.'
      : `BP ${getValue('systolic')}/${getValue('diastolic')} mmHg, heart rate ${getValue('heartRate')}/min, ` +
        `temperature ${getValue('temperature').toFixed(1)} °C, respirations ${getValue('respiratoryRate')}/min, ` +
        `SpO2 ${getValue('oxygenSaturation')} %, weight ${getValue('weight').toFixed(1)} kg, BMI ${getValue('bmi').toFixed(1)}.`;
  const exam = visit.episode
    ? [visit.episode.words.exam]
    : visit.kind === 'telehealth'
      ? []
      : [
          'Well appearing; heart, lungs and abdomen unremarkable.',
          ...visit.storylines.slice(0, 1).map(({ story }) => story.words.exam),
        ];
  return [vitals, ...exam, writeResults(visit, items), formatList('', visit.events.performed)]
    .filter(Boolean)
    .join(' ');
}

/** Flagged results first: those are what a note speaks of. */
function writeResults(visit: Visit, items: number): string {
  const { results } = visit.events;
  const flagged = results.filter((result) => result.endsWith('(H)') || result.endsWith('(L)'));
  const rest = results.filter((result) => !flagged.includes(result));
  return formatList('Results of today:', [...flagged, ...rest].slice(0, items));
}

function writeAssessment(visit: Visit): string {
  const { diagnosed } = visit.events;
  if (visit.episode) return `${visit.episode.text}. Chronic conditions unaffected.`;
  const known = visit.storylines
    .map(({ story }) => story.conditions.at(-1)?.text ?? story.name)
    .filter((text) => !diagnosed.includes(text));
  return [
    formatList('New diagnosis:', diagnosed),
    formatList('Known and followed:', known),
    diagnosed.length + known.length === 0 ? 'Healthy adult without chronic illness so far.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function writePlan(profile: PatientProfile, visit: Visit, items: number): string {
  const { started, stopped, renewed, immunizations } = visit.events;
  const random = createVisitRandom(profile, visit, 'note/plan');
  const advice = visit.episode
    ? [visit.episode.words.plan]
    : visit.storylines.slice(0, Math.min(2, items)).map(({ story }) => random.pick(story.words.plans));
  return [
    formatList('Stopped', stopped),
    formatList('Started', started),
    formatList('Renewed', renewed.slice(0, items)),
    formatList('', immunizations),
    ...advice,
    'Medication list and allergies were reviewed together, and all questions were answered.',
    visit.episode
      ? 'Return if not better within a week.'
      : 'Return as scheduled, or sooner if anything changes.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Empty when there is nothing to report. */
function formatList(label: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const text = `${label} ${items.join(', ')}.`.trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
