/** What is broken off and is no pregnancy: "aborted" is also the status of an act in CDA and of a visit to a scanner. */
const THINGS =
  'procedures?|surger(?:y|ies)|operations?|attempts?|cases?|stud(?:y|ies)|exams?|examinations?|seizures?|migraines?|headaches?|tests?|scans?|MRIs?|CTs?|x[\\s-]?rays?|imaging|colonoscop[a-z]{1,3}|endoscop[a-z]{1,3}|transfers?|takeoff|landing|flights?|trials?|tachycardias?|SVT|VT|VF|AF|arrhythmias?|fibrillation|flutter|arrest|death|SCD|sneeze|attacks?|episodes?|spasms?|treatments?|therap(?:y|ies)|treadmill|infusions?|transfusions?|injections?|intubations?|biops(?:y|ies)|ablations?|catheteri[sz]ations?|dialysis|sessions?|visits?|appointments?|vaccinations?|calls?|missions?|orders?|acts?|tasks?|plans?|courses?|medications?|uploads?|imports?|transactions?|requests?';
const COSAS =
  'procedimiento|cirugia|intervencion|operacion|intento|estudio|prueba|ecografia|resonancia|tomografia|radiografia|TAC|TC|RM|colonoscopia|endoscopia|gastroscopia|cateterismo|ablacion|exploracion|crisis|migrana|cefalea|convulsion|taquicardia|arritmia|fibrilacion|muerte|ataque|tratamiento|terapia|medicacion|biopsia|infusion|transfusion|dialisis|ergometria|sesion|visita|puncion|intubacion|orden|tarea|plan|vuelo';

/** What makes even a reason or a status one of a pregnancy. */
const PREGNANCY =
  'bab(?:y|ies)|child|infant|twin|triplet|f(?:o?)et(?:us|al|o)|embr[iy]o|concept|pregnan|gestation|ectopic|woman|women|girl|mother|wife|daughter|sister|(?<![a-z])she(?![a-z])|(?<![a-z])her(?![a-z])|weeks?(?![a-z])|wks?(?![a-z])|living|para(?![a-z])|gravida|trisom|bebe|hij[oa]|gemel|embaraz|mujer|madre|semanas';

/** Within a line: what stands in the next one is something else. */
const GAP = '[\\x20\\t\\xa0]{1,3}';
/** A dash or a bracket, unless a count follows: "Surgery - aborted 2" is a list. */
const MARK = '[\\x20]{0,2}[\\x28_-][\\x20]{0,2}(?!abort[a-z]{2,4}[\\s,=x\\x3a]{1,3}[0-9]{1,2}(?![0-9/]))';

const BETWEEN =
  '(?: (?:of|the|brain|head|neck|spine|lumbar|cervical|chest|abdomen|pelvis|knee|shoulder|heart|with|without|w/o?|contrast))';
const WAS =
  '(?: (?:(?:was|were|is|are|be|being|got|(?:had|has|have) (?:to be|been))(?: (?:then|subsequently|not|being))?|spontaneously|eventually|successfully|prematurely|promptly|early))';
const ENTRE =
  '(?: (?:magnetica|computarizada|de|del|la|el|esfuerzo|cerebral|craneal|lumbar|cervical|torax|abdomen|sueno|quirurgic[oa]))';
const FUE =
  '(?: (?:fue|fueron|es|esta|ha|han|habia|sido|ser|quedo|queda|tuvo|que|tuvieron|debio|se|espontaneamente))';
const BEFORE = `(?<!(?<![a-z])(?:${THINGS})${BETWEEN}{0,4}(?:${WAS}{1,2} |${GAP}|${MARK}))`;
const ANTES = `(?<!(?<![a-z])(?:${COSAS})(?:e?s)?${ENTRE}{0,4}(?:${FUE}{1,4} |${GAP}|${MARK}))`;

/** In a status, as text or markup: "status: aborted", `<statusCode code="aborted"/>`. */
const NO_STATUS = `(?<!(?<!(?:${PREGNANCY})[^.;]{0,40})(?:status|estado|estatus)(?: ?code)?[\\s"'\\x3a=|>\\x7b]{1,5}(?:(?:code|value|display|is|was|of)[\\s"'=\\x3a]{1,4})?|ActStatus["',\\s]{1,4}code["'\\x3a\\s]{1,5})`;

const ARTICLES =
  'the|a|an|this|that|these|her|his|my|their|our|all|stress|exercise|nuclear|treadmill|cardiac|sudden|left|right|upper|lower|emergency|planned|attempted|laparoscopic|robotic|screening|diagnostic|flexible|brain|head|chest|spine|lumbar';
const NOT_BEHIND = `(?!${GAP}(?:(?:${ARTICLES}) ){0,4}(?:${THINGS})(?![a-z]))`;
const NO_DETRAS = `(?! (?:el|la|los|las|un|una|dich[oa]|est[ea]|su) (?:${COSAS})(?:e?s)?(?![a-z]))`;

/** As a code of HL7's for the state of an act. */
const NOT_OF_ACTS = `(?!["'][^<>\\x7b\\x7d]{0,120}(?:113883[.]5[.]14(?![.0-9])|ActStatus))`;

/** What ended an arrhythmia or a fit. */
const NOT_BY =
  '(?! (?:by|with) (?:(?:an?|the|one|single|ICD|AICD|DC|electrical|IV) ){0,3}(?:shocks?|cardioversion|defibrillat|adenosine|amiodarone|ATP|pacing|lorazepam|ativan|midazolam|diazepam|[a-z]{2,5}triptan|vagal|valsalva))';
const REASONS =
  'noise|nois|claustrophob|pain|chest pain|back pain|intoleran|discomfort|anxiety|hypotens|desatur|hypox|dyspn|short(?:ness)? of breath|fatigue|motion|movement|artifact|equipment|technical|machine|scanner|power|weather|(?:poor|inadequate) (?:prep|bowel|image|visual|quality|compliance|toleran|access)|agitat|allerg|contrast|refus|non ?compliance|uncooperat|ruido|claustrofob|dolor|molest|ansiedad|hipotens|movimiento|fallo|averia|mala (?:preparacion|tolerancia|calidad)';

/** A reason that breaks a visit off, where nobody who is pregnant or unborn stands near. */
const notBecause = (word: string): string =>
  `(?!(?<!(?:${PREGNANCY})[^.;]{0,50}${word}) (?:because of|due to|secondary to|for|por|debido a) (?:(?:the|a|an|his|patient|patient's|severe|el|la|su) ){0,2}(?:${REASONS})(?![^.;]{0,60}(?:${PREGNANCY})))`;

/** The whole of a text is a status. */
const notAlone = (word: string): string => `(?!(?<=^[\\s"']{0,9}${word})[\\s"'.]{0,9}$)`;

const ENGLISH = 'aborted';
const SPANISH = 'abortad[oa]s?';

/** Abortions, and what was "aborted" unless it is said of a thing that is no pregnancy, or is a status. */
export const ABORTED: readonly string[] = [
  `(?<!(?:tratamiento|terapia) )abort(?:ion|ions|ionist|us|os|iv[oa]s?|ifac*)`,
  `abort(?:o|aron|ar)${NO_DETRAS}`,
  `${BEFORE}${NO_STATUS}${ENGLISH}${NOT_BEHIND}${NOT_BY}${NOT_OF_ACTS}${notBecause(ENGLISH)}${notAlone(ENGLISH)}`,
  `${ANTES}${NO_STATUS}${SPANISH}(?![a-z])${NO_DETRAS}${notBecause(SPANISH)}${notAlone(SPANISH)}`,
];
