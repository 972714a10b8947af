import type { ClassWords } from './word-table.ts';

/** Hydroxyurea by its own name is for other diseases too; the falciform ligament is everybody's. */
export const SICKLE_CELL_WORDS: ClassWords = {
  words: [
    'sickl(?:e|ing)(?:~(?:cell*|hemoglobin*|haemoglobin*|trait|disease|test|crisis|solubility|ana?emia))?|sickled|sickledex',
    'drepanoci*|drepanoc*|(?<!ligamento )falciforme*|rasgo drepanoc*',
    '(?:hemo|haemo)globin (?:S|SS|SC|AS|S C|S beta*)|hemoglobina (?:S|SS|SC|AS)',
    'vaso~occlusive*|vaso~oclusiv*|acute chest syndrome|sindrome toracico agudo|S beta~thal*',
    'voxelotor|crizanlizumab|lovotibeglogen*|exagamglogen*|oxbryta|adakveo|endari|lyfgenia|casgevy|droxia|siklos|xromi',
    'SCD (?:pain|crisis|clinic|patient|SS|SC)',
  ],
  exact: ['Hb ?(?:S|SS|SC|AS)|Hgb ?(?:S|SS|SC|AS)|HB ?(?:SS|SC|AS)|HGB ?(?:SS|SC|AS)|HbS.?beta'],
};
