import type { ClassWords } from './word-table.ts';

/** In capitals "AS" is a word as well: "HEMOGLOBIN AS OF TODAY"; "S/P" is what happened before. */
const CAPITAL_AS =
  'AS(?! (?:OF|NOTED|ABOVE|BELOW|FOLLOWS|WELL|AN?|THE|PER(?! (?:(?:HB|HGB|HEMOGLOBIN) )?(?:ELECTRO|HPLC|CHROMATO|NEWBORN|SCREEN|IEF|CAPILLAR))|DISCUSSED|ORDERED|LISTED|DIRECTED|NEEDED|BASELINE|SHOWN|DESCRIBED|EXPECTED|CLINICALLY|SOON|IT|PART|PRIOR|PLANNED|TOLERATED|INPATIENT|OUTPATIENT|OUTLINED|MENTIONED|SCHEDULED|WE|HE|SHE|PATIENT|LONG)(?![A-Z]))';
/** What is said of a hemoglobin S, and not of "HGB S/P TRANSFUSION". */
const OF_S =
  '(?= ?(?:[0-9]|/ ?(?:S|C|BETA|THAL)|TRAIT|DISEASE|PRESENT|DETECTED|POSITIVE|PATTERN|CARRIER|IDENTIFIED|NOT DETECTED|ABSENT|NEGATIVE|%|$))';

/** Hydroxyurea by its own name is for other diseases too; the falciform ligament is everybody's. */
export const SICKLE_CELL_WORDS: ClassWords = {
  words: [
    'sickl(?:e|ing)(?:~(?:cell*|hemoglobin*|haemoglobin*|trait|disease|test|crisis|solubility|ana?emia))?|sickled|sickledex',
    'drepanoci*|drepanoc*|(?<!ligamento )falciforme*|rasgo drepanoc*|falcemi*|(?:anemia|rasgo) falc*',
    '(?:hemo|haemo)globin (?:SS|SC|S C|S ?/ ?(?:S|C|D|E|A|O|beta|thal|hpfh)*|A/S|A?S(?= ?$)|S(?= ?(?:[.,;]|\\)))|S (?:trait|disease|carrier|gene|beta*|thal*|fraction|[[]|[0-9])|AS (?:trait|pattern|genotype|phenotype|disease|carrier))|hemoglobina (?:SS|SC)|hemoglobinopat(?:hy|ia) (?:S|SS|SC|AS)',
    'vaso~occlusive*|vaso~oclusiv*|acute chest syndrome|sindrome toracico agudo|S beta~thal*',
    'voxelotor|crizanlizumab|lovotibeglogen*|exagamglogen*|oxbryta|adakveo|endari|lyfgenia|casgevy|droxia|siklos|xromi',
    'SCD (?:pain|crisis|clinic|patient|SS|SC|with VOC|on hydroxyurea)|hydroxyurea for SCD',
  ],
  exact: [
    `H(?:b|gb) ?(?:S(?!/[Pp])|SS|SC|${CAPITAL_AS})|HbS.?beta`,
    `(?:HB|HGB) ?(?:SS|SC|${CAPITAL_AS})|(?:HB|HGB) S${OF_S}`,
    `(?:Hemoglobin|hemoglobin|Haemoglobin|haemoglobin|Hemoglobina|hemoglobina) (?:S(?!/[Pp])|${CAPITAL_AS})`,
    `(?:HEMOGLOBIN|HAEMOGLOBIN|HEMOGLOBINA) (?:S(?!/P)|${CAPITAL_AS})`,
    '(?:SS|SC) disease|HbSS|HbSC',
  ],
};
