import type { ClassWords } from './word-table.ts';

/** In capitals "AS" is a word as well: "HEMOGLOBIN AS OF TODAY"; "S/P" is what happened before. */
const CAPITAL_AS = 'AS(?! (?!TRAIT|PATTERN|GENOTYPE|PHENOTYPE|DISEASE|CARRIER|HETEROZYG|BY|ON)[A-Z])';

/** Hydroxyurea by its own name is for other diseases too; the falciform ligament is everybody's. */
export const SICKLE_CELL_WORDS: ClassWords = {
  words: [
    'sickl(?:e|ing)(?:~(?:cell*|hemoglobin*|haemoglobin*|trait|disease|test|crisis|solubility|ana?emia))?|sickled|sickledex',
    'drepanoci*|drepanoc*|(?<!ligamento )falciforme*|rasgo drepanoc*|falcemi*|(?:anemia|rasgo) falc*',
    '(?:hemo|haemo)globin (?:SS|SC|S C|S (?:trait|disease|carrier|gene|beta*|thal*|fraction|[[]|[0-9])|AS (?:trait|pattern|genotype|phenotype|disease|carrier))|hemoglobina (?:SS|SC)|hemoglobinopat(?:hy|ia) (?:S|SS|SC|AS)',
    'vaso~occlusive*|vaso~oclusiv*|acute chest syndrome|sindrome toracico agudo|S beta~thal*',
    'voxelotor|crizanlizumab|lovotibeglogen*|exagamglogen*|oxbryta|adakveo|endari|lyfgenia|casgevy|droxia|siklos|xromi',
    'SCD (?:pain|crisis|clinic|patient|SS|SC|with VOC|on hydroxyurea)|hydroxyurea for SCD',
  ],
  exact: [
    'Hb ?(?:S(?!/[Pp])|SS|SC|AS)|Hgb ?(?:S(?!/[Pp])|SS|SC|AS(?! OF))|HbS.?beta',
    `(?:HB|HGB) ?(?:SS|SC|${CAPITAL_AS})|HGB S(?= ?(?:[0-9]|TRAIT|DISEASE|%|$))`,
    `(?:Hemoglobin|hemoglobin|Haemoglobin|haemoglobin|Hemoglobina|hemoglobina) (?:S(?!/[Pp])|AS(?! [A-Z]))`,
    `(?:HEMOGLOBIN|HAEMOGLOBIN|HEMOGLOBINA) (?:S(?!/P)|${CAPITAL_AS})`,
    '(?:SS|SC) disease|HbSS|HbSC',
  ],
};
