/**
 * Brands that many people are called by, and towns and stones: Camila Fernandez, Charlotte. They count where a medicine is
 * named, and beside a word of one.
 */
const ALSO_NAMES =
  'camila|syeda|zarah|tarina|errin|heather|nikki|hailey|portia|yasmin|skyla|amethyst|makena|charlotte|mili|leena|lyza|rajani|tilia|wera|aubra|ayuna|ashlyna|delyla|jasmiel|briellyn|xarah|larissia|marlissa|kaitlib';

const BEFORE =
  '(?<=(?:meds?|medications?|medicines?|medicamentos?|drugs?|takes|taking|took|(?:is|was|been|now|while|currently|stable|remains|patient|pt) on|prescribed|prescribing|prescription(?: for| of)?|refill(?:ed|s)?(?: of| for)?|rx|pills?|uses|using|contraception|toma|tomando|receta(?:do|da)?|usa)[:,]? ?|(?:meds?|medications?|medicamentos?|rx) ?:[^.\\n]{0,80}, ?)';
const BEHIND =
  '(?:[0-9.,]{1,8} ?(?:mg|mcg|ug)|(?:28|0[.]35)(?!,| ?(?:years?|yrs?|y/?o|anos))|[0-9]{1,2} days?|fe|24 fe|tablets?|tabs?|pills?|oral|iud|iuds|coil|implant|insert(?:ed|ion)|remov(?:al|ed)|placement|device|strings?|(?-i:daily|DAILY)|qd|refills?|rx|birth control|contracep[a-z]+|in situ|auto~injector|injections?|inject)';

/** Where a medicine is named nothing stands but medicines. */
export const BRANDS_OF_MEDICINES = ALSO_NAMES;

export const BRANDS_BESIDE_WORDS = [
  `${BEFORE}(?:${ALSO_NAMES})(?! (?:to|on|with|and) [a-z]|.s [a-z]|,? (?-i:[A-Z][a-z]+),? (?:MD|DO|RN|NP|PA|MA)|,? (?:MD|DO|RN|NP|PA|MA))`,
  `(?:${ALSO_NAMES}) ?\\(? ?${BEHIND}`,
];

const CREDENTIALS = '(?:MD|DO|RN|NP|PA|MA|LPN|CNM|DNP|RPh|PharmD|PhD|DDS|DPM|OD|APRN|FNP|ARNP|CRNP|PA-C)';

/** Brands that a few people are called by count unless somebody is: "Dr. Larin", "Mirena Lopez", "Junel Perez, MD". */
export const unlessPerson = (brands: string): string =>
  `(?<!(?:Dra?|Mrs?|Ms|Miss|Sra?)[.]? )(?:${brands})(?!,? ${CREDENTIALS}(?![A-Za-z])| (?-i:(?!(?:Fe|Day|Iud|Oral|Tablet|Pack|Insert|Inserted|Insertion|Remove|Removed|Removal|Placed|Placement|Intrauterine|System|Coil|String|Strings|Check|Device|Pill|Pills|Lo)(?![a-z]))[A-Z][a-z]+)(?:,? ${CREDENTIALS}(?![A-Za-z])|(?![^])))`;
