/** Brands by which few people are called: they count everywhere, unless it is plain that somebody is meant. */
const RARE_NAMES =
  'mirena|kyleena|skyla|jadelle|yaz|yasmin|beyaz|loryna|ocella|junel|larin|aviane|lessina|amethyst|apri|cryselle|jolivette|belara|valette|angusta|makena|larissia|briellyn|kaitlib|aubra|xarah|ashlyna|tarina|jasmiel|marlissa';

/** Brands that many people are called by, and towns: Camila Fernandez, Charlotte. All are pills. */
export const COMMON_NAMES =
  'camila|syeda|zarah|errin|heather|nikki|hailey|portia|charlotte|mili|leena|lyza|rajani|tilia|wera|ayuna|delyla';

export const NAMES_OF_PEOPLE = `${RARE_NAMES}|${COMMON_NAMES}`;

const SURNAMES =
  'Smith|Johnson|Williams|Jones|Garcia|Miller|Davis|Rodriguez|Martinez|Hernandez|Lopez|Gonzale[sz]|Wilson|Anderson|Thomas|Taylor|Moore|Jackson|Lee|Perez|Thompson|Harris|Sanchez|Clark|Ramirez|Lewis|Robinson|Wright|Torres|Nguyen|Flores|Adams|Nelson|Rivera|Campbell|Mitchell|Roberts|Gomez|Phillips|Evans|Diaz|Cruz|Edwards|Collins|Reyes|Morales|Murphy|Rogers|Gutierrez|Ortiz|Cooper|Peterson|Kelly|Howard|Ramos|Richardson|Watson|Chavez|Bennett|Mendoza|Ruiz|Hughes|Alvarez|Castillo|Patel|Myers|Jimenez|Fernandez|Vargas|Romero|Medina|Vasquez|Castro|Herrera|Khan|Cohen|Ahmed|Singh|Felton';
const SURNAME = `(?-i:${SURNAMES}|${SURNAMES.toUpperCase()})(?![A-Za-z])`;

/** "DO" and "PA" are words as well: "PA required". */
const CREDENTIALS =
  '(?-i:MD|RN|NP|LPN|CNM|DNP|RPh|PharmD|PhD|DDS|DPM|APRN|FNP|ARNP|CRNP|PA-C|LCSW)(?![A-Za-z])';
const ANY_CREDENTIALS = `(?:,? ?${CREDENTIALS}|, ?(?-i:DO|PA|MA|OD)(?![A-Za-z]))`;

/** What is written in capitals behind a brand, and is nobody's name: "Mirena Removal, NP". */
const NO_SURNAME =
  '(?!(?:fe|days?|iud|oral|tabs?|tablets?|packs?|kit|lot|insert|remove|system|coil|strings?|check|device|pills?|lo|dose|birth|samples?|refills?|rx|visit|exam|follow|consult|review|note|plan|today|only|daily|weekly|since|now|with|and|or|per|by|for|on|in|at|to|from|due|ok|not|no|was|is|has|uses?|users?|bayer|site|order|start|stop|hold|renew|take|surveillance|generic|brand|shots?|patient|pt|nurse|seen|procedure|consent|then|if|as|therapy|lost|out|done|again|pending|prior|auth|requires?|needs?|switch|fell|came|good|well|better|great|helps|works|pharmacy)(?![a-z])|(?!ahmed|reed|saeed|king)[a-z]+(?:ed|ing|[ts]ion|ment|ance|ange|al|ine|um|cept)(?![a-z]))';

const UNLESS_TITLED =
  '(?<!(?<![A-Za-z])(?-i:Dra?|Mrs?|Ms|Sra?|Nurse|Prof|Doctora?|Enfermera|(?:DRA?|MRS?|MS|SRA?)(?=[.]))[.]?\\s{1,3})';

const UNLESS_SURNAMED = [
  `(?!(?: [A-Z][.]?)? ${SURNAME})`,
  `(?! (?-i:(?=[A-Z][a-z]))${NO_SURNAME}[a-z]{2,20}(?:-[a-z]{2,20})?${ANY_CREDENTIALS})`,
  `(?! (?-i:(?=[A-Z]{2}))${NO_SURNAME}[a-z]{2,20},? ?${CREDENTIALS})`,
].join('');

/** "Signed by Sarah Larin, MD". */
const UNLESS_SIGNED = `(?!,?\\s{1,2}(?<=(?-i:by(?:\\s[A-Z][a-z]{1,15}){1,2}\\s[A-Z][a-z]{2,12},?\\s{1,2}))${CREDENTIALS})`;

const UNLESS_STREET = '(?! (?-i:Lane|Street|Drive|Road|Avenue|Boulevard|Court)(?![a-z]))';

/** Brands that a few people are called by count unless somebody is: "Dr. Larin", "Mirena Lopez", "Junel Perez, MD". */
export const unlessPerson = (brands: string): string =>
  `${UNLESS_TITLED}(?:${brands})${UNLESS_SURNAMED}${UNLESS_SIGNED}${UNLESS_STREET}`;

/** What stands between a name and what is said of it, also a sign of a trademark or of a table. */
const SIGNS = '[^A-Za-z0-9.]{0,6}';

/** By their endings: what contraceptives stand beside in a list. */
const OTHER_DRUG =
  '[a-z]{0,14}(?:pril|statin|formin|olol|sartan|cillin|mycin|zole|gabalin|pentin|thyroxine|prednisone|insulin|oxygen|aspirin|profen|warfarin|heparin|thiazide|dipine)(?![a-z])';

const VERBS = [
  '(?:re~)?start(?:s|ed|ing)?|initiat(?:e|ed|ing)|begin|began|stop(?:s|ped|ping)?|discontinu(?:e|es|ed|ing)|d/?c|resum(?:e|ed)|continu(?:e|es|ed|ing)|renew(?:s|ed|al)?|(?:re)?fill(?:s|ed)?|(?:re~)?order(?:ed)?|prescrib(?:e|ed|ing)|prescriptions?|rx|script|takes?|taking|took|taken|us(?:e|es|ed|ing)|(?:switch|chang)(?:e|ed|ing)?(?: (?:her|back))? (?:from|to)|trial|tolerat(?:es|ing|ed)|(?:doses?|pills?|packs?) of|dispens(?:e|ed)|samples?|packs?|rf|(?:rx|script) sent|tried|failed|happy with|side effects|allergic to|allergy to|allergies|bleeding',
  'toma|tomando|tomar|tome|inici(?:a|ar|o)|suspend(?:e|er|io)|continua(?:r)?|renovar|receta(?:do|da|r)?|usa|usando|indic(?:a|o|ar|ada)|anticonceptiv[oa]s?|pastillas?|pildoras?|comprimidos?|tabletas?|tratamiento',
  '(?:meds?|medications?|medicamentos) (?:include[sd]?|are|incluyen)|meds?|medications?|medicines?|medicamentos?|medicacion|drugs?|pills?|tablets?|tabs?|contraception|ocps?|bcps?|ocs?|brand|generic',
  '(?:(?:is|was|been|now|while|currently|stable|remains|stays|still|back|started|restarted|kept|placed|put|also|already|well|maintained|patient|pt|she|(?:start|started|put|kept|keep|switched|has)\\s(?:her|me|them|pt|patient))\\s|(?<![^])|(?<=[.,;:\\(\\n]\\s?))on',
].join('|');
const LISTED =
  '(?:meds?|medications?|medicines?|prescriptions?|medicamentos?|medicacion|rx)(?:[^:\\n]{0,20}:|\\s(?:include[sd]?|are|incluyen)\\s)(?:(?!reviewed|discussed|given|none)[^\\n]){0,100}(?:[,;|+/-]|\\s(?:and|y|with))\\s?';
const BEFORE = `(?<=(?:(?<![A-Za-z])(?:${VERBS})(?:\\s(?:of|for|with|from|on|her|the|back|taking|using|daily|con|de|la|las|sus?))?[:,|\\(#-]{0,2}\\s{0,3}|${LISTED}|(?<![A-Za-z])${OTHER_DRUG}(?:[\\s-]?[0-9.]{1,6} ?m?c?g)?(?:[,;|+/]|\\s(?:and|y))\\s?))`;

/** Whom or where a verb is about: "used Heather as interpreter", "started Camila on metformin". */
const UNLESS_SOMEBODY = [
  "(?!['\\u2019]s )",
  '(?! (?:as (?:an? |the |her |his )?(?:interpreter|translator|proxy|witness|chaperone|emergency|contact|surrogate|caregiver)|home|for an? (?:walk|ride|drive)|team|ward|unit|desk|hospital|pharmacy|clinic)(?![a-z]))',
  `(?!,? ${CREDENTIALS})`,
  '(?! ?(?:[4-9]|[0-9]{2,4})(?:[.][0-9]{1,2})? ?m?g(?![a-z]))',
  `(?! on (?:low dose |oral |iv )?${OTHER_DRUG})`,
].join('');

/** Of contraceptive pills: "0.35 mg", "3-0.03 mg", "0,35 mg"; none has 5 mg. */
const STRENGTH =
  '(?:(?:0?[.,][0-9]{1,4}|[0-3](?:[.,][0-9]{1,3})?)(?:[^A-Za-z0-9]{1,3}[0-9.,]{1,6}){0,3}[\\s-]{0,2}(?:mg|milligrams?|mcg|ug)|[0-9]{2}[\\s-]{0,2}(?:mcg|ug))(?! ?/ ?kg)|0?[.,]35|(?:1[.,]5|1|0?[.,][0-9]{1,3}|3)[\\s]?[/-][\\s]?(?:0?[.,][0-9]{1,3}|20|30|35|50)(?![0-9/])';
const FORM =
  'tablets?|tabs?|tabletas?|comprimidos?|comp|pastillas?|pildoras?|grageas?|pills?|caps?|capsules?|chewables?|chw|packs?|blisters?';
const PACK =
  "(?:21|24|28|84|91)(?![0-9]|[,/][0-9]|,? ?(?:f|m|female|male|years?|yrs?|y/?o|anos?|days? (?:old|ago|later|after))(?![a-z])|'s|[.][0-9])";
const BEHIND = [
  STRENGTH,
  `(?:[0-9]{1,3}|one|una?|half)[\\s-]{0,2}(?:${FORM})`,
  FORM,
  '[0-9]{1,2}[\\s]?(?:t|po|qd|daily)|x ?[0-9]{1,2}|samples?|generic|brand|since (?:19|20)[0-9]{2}|caused|(?:sent )?to (?:the |her )?pharmacy',
  `(?:[,;|+/]|and|y)[\\s]?${OTHER_DRUG}`,
  'oral(?! (?:&|and|surg|health|maxillo|care|hygien)*)',
  '(?:24 ?)?(?:fe|eq)|#[\\s]?(?:1|3|21|28|30|63|84|90|91)|x ?[0-9]{1,2} ?(?:m|mo|mos|months?|days?|refills?|packs?|meses)',
  '(?:[0-9]{1,2} )?day(?! (?:care|shift|of|after|before))|[0-9]{2,3} days?(?! (?:old|ago|later|after|post|of))',
  'p[.]?o(?! box)|by mouth|via oral|qd|qday|qhs|q24h|nightly|(?:once|1x|one time|una vez) ?(?:a ?|al |/)?(?:daily|day|dia)|daily(?! (?:calls?|visits?|checks?|walks?))|every (?:day|night|morning|evening)|cada (?:dia|noche)|al dia|diari[oa]|at bedtime|birth control|contracep[a-z]{1,9}|anticoncep[a-z]{1,9}',
  "(?:refills?|refilled|renewals?|renewed|reordered|dispensed|discontinued|prescribed)(?! (?:the|her|his|my|their|your|an?|him|them|on|[a-z]{4,20}(?:in|ol|ide|ine|ate))(?![a-z]))|rx|sig|take [0-9o]|tome|(?:started|stopped|resumed|restarted|continued|held|ordered|filled|d/c'?d)(?= (?:due|because|today|[0-9])|[^A-Za-z0-9\\s]|\\s{0,3}(?![^]))",
].join('|');

/** Of devices and injections, which nobody's name stands before. */
const DEVICE =
  'insert(?:s|ed|ion)?|re~?insertion|remov(?:e|ed|al)|placed|placement|exchange|replace(?:d|ment)|check|strings?|coil|device|refills?|shots?|injections?|pills?|tablets?';

export const BRANDS_BESIDE_WORDS = [
  // Whatever stands before: "Ms. Yasmin 3 mg", "Nurse Mirena insertion".
  `(?:${RARE_NAMES})${SIGNS}(?:${STRENGTH}|${DEVICE})`,
  unlessPerson(RARE_NAMES),
  `${BEFORE}${UNLESS_TITLED}(?:${COMMON_NAMES})${UNLESS_SURNAMED}${UNLESS_SOMEBODY}`,
  `${UNLESS_TITLED}(?:${COMMON_NAMES})(?! (?:day|pack|pill)${ANY_CREDENTIALS})${SIGNS}(?:(?:21|24|28|84|91)(?:${SIGNS}day)?${SIGNS})?(?:${BEHIND})`,
  `${UNLESS_TITLED}(?:${COMMON_NAMES})[^A-Za-z0-9,.:;/]{1,4}${PACK}`,
];

const UNLESS_PLANT_OR_PLACE =
  '(?!,? (?:pollen|extract|honey|cordata|americana|tree|flowers?|pharmacy|hospital|medical|cent(?:er|re)|clinic|health*|N[.]?C)(?![a-z]))';

/** Where a medicine is named the brand begins the name, or stands in brackets or behind a sign by itself. */
export const BRANDS_OF_MEDICINES = `(?<=(?:(?<![^])[^A-Za-z]{0,12}|[[/;+|,:\\n][^A-Za-z]{0,6}|\\s(?:and|y|or|o|-)\\s|(?<![A-Za-z])(?:tabs?|tablets?|pills?|packs?|brand|rx|oral|name|drug|generic|con)[^A-Za-z]{1,4}|\\((?=[A-Za-z]{1,12}\\))))(?:${COMMON_NAMES})${UNLESS_PLANT_OR_PLACE}`;

/** Among medicines a line that has a brand and nothing else, or what a sign divides from it. */
export const BRANDS_OF_LINES = `(?<=(?:(?<![^])|\\n)[^A-Za-z\\n]{0,12}(?:(?:medications?|medicines?|drug|name|code|product|device|item|order|brand)[^A-Za-z\\n]{1,5})?)(?:${COMMON_NAMES})${UNLESS_PLANT_OR_PLACE}(?!${ANY_CREDENTIALS})(?=[^A-Za-z\\n]{0,40}(?![^\\n])|\\s?[^A-Za-z\\s'\\u2019.])`;
