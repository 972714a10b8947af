import type { PhraseMatch } from '../../concepts/phrase-trie.ts';

/** What a drug is given by or as: beside a drug it says which form is meant, and nothing else need hold it. */
const FORMS: ReadonlySet<string> = new Set([
  'nebulizer',
  'nebulizer-therapy',
  'inhaler',
  'inhaler-device',
  'injection',
  'infusion-therapy',
  'intravenous-fluids',
  'eye-drops',
  'ear-drops',
  'nasal-spray',
  'skin-drug',
]);

const isForm = ({ concepts }: PhraseMatch): boolean => concepts.every(({ slug }) => FORMS.has(slug));

/** Leaves out the form of a drug where the drug itself is named: a "budesonide nebulizer" is budesonide. */
export const leaveOutForms = (matches: readonly PhraseMatch[]): readonly PhraseMatch[] =>
  matches.some(({ concepts }) => concepts.some(({ kind }) => kind === 'drugs'))
    ? matches.filter((match) => !isForm(match))
    : matches;
