import { ALLERGY_PHRASES } from '../../concepts/allergy-concepts.ts';
import type { Concept, ConceptKind } from '../../concepts/concept.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import type { Kind } from '../../entries/entry.ts';
import type { AskedKind } from '../question.ts';
import { leaveOutCombined } from './vaccination-words.ts';

/**
 * How a kind and a thing make a phrase: who asks which of the pills are for blood pressure means "blood pressure pills", and
 * tested for the flu is "flu test". Not where the thing is of the kind already.
 */
const COMPOSITIONS: readonly {
  kind: Kind;
  isOf: readonly ConceptKind[];
  phrases: readonly string[];
}[] = [
  {
    kind: 'medication',
    isOf: ['drugs', 'drug-classes', 'vaccines'],
    phrases: [
      '* medicine',
      '* pill',
      '* drug',
      '* medication',
      'medicina para *',
      'pastilla para *',
      '*medikament',
      '*mittel',
      '*senker',
    ],
  },
  {
    kind: 'allergy',
    isOf: [],
    phrases: ALLERGY_PHRASES,
  },
  {
    kind: 'immunization',
    isOf: ['vaccines'],
    phrases: [
      '* vaccine',
      '* shot',
      'vacuna contra *',
      'vacuna contra la *',
      'vacuna contra el *',
      'vacuna de *',
      'vacuna de la *',
      'vacuna del *',
      '*impfung',
      'impfung gegen *',
    ],
  },
  {
    kind: 'lab',
    isOf: ['tests', 'procedures', 'drugs', 'drug-classes', 'vaccines'],
    phrases: ['* test', '* exam', '* screening', 'examen de *', 'prueba de *', '*test', '*untersuchung'],
  },
  {
    kind: 'imaging',
    isOf: ['procedures', 'tests', 'drugs', 'drug-classes'],
    phrases: ['* x ray', '* scan', 'radiografia de *', '*röntgen'],
  },
  {
    kind: 'care_team',
    isOf: ['visits'],
    phrases: ['* doctor', '* specialist', 'medico de *', 'doctor de *', '*arzt'],
  },
  {
    kind: 'procedure',
    isOf: ['procedures', 'tests', 'drugs', 'drug-classes', 'vaccines'],
    phrases: ['* surgery', '* operation', '* removal', 'operacion de *', '*operation'],
  },
];

const MIN_WEIGHT = 0.6;

/** Finds the concepts that a phrase makes with the kinds asked for; none where it makes none. */
export function findComposed(
  vocabulary: Vocabulary,
  { phrase, concepts }: { phrase: string; concepts: readonly Concept[] },
  kinds: readonly AskedKind[],
): readonly Concept[] {
  const asked = COMPOSITIONS.filter(
    ({ kind, isOf }) =>
      kinds.some((each) => each.kind === kind && each.weight >= MIN_WEIGHT) &&
      !concepts.some((concept) => isOf.includes(concept.kind)),
  );
  const texts = [
    ...asked.flatMap(({ phrases }) => phrases.map((text) => text.replace('*', phrase))),
    ...(asked.some(({ kind }) => kind === 'allergy') ? listAllergies(vocabulary, concepts) : []),
  ];
  for (const text of texts) {
    const [match] = vocabulary.findPhrases(text, 'question');
    if (match !== undefined && match.start === 0 && match.end === text.length)
      return leaveOutCombined(match.concepts);
  }
  return [];
}

/** Who reacts to penicillin reacts to amoxicillin: the allergies to what a drug is one of. */
const listAllergies = (vocabulary: Vocabulary, concepts: readonly Concept[]): string[] =>
  concepts.flatMap(({ ancestors }) =>
    ancestors.flatMap((id) => {
      const name = vocabulary.getConcept(id)?.name;
      return name === undefined ? [] : `${name} allergy`;
    }),
  );
