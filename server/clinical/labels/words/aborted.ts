/** What is broken off and has nothing to do with a pregnancy: "aborted" is also the status of an act in CDA and of a visit to a scanner. */
const THINGS =
  'procedures?|surger(?:y|ies)|operations?|attempts?|cases?|stud(?:y|ies)|exams?|examinations?|seizures?|migraines?|headaches?|tests?|scans?|MRI|CT|colonoscop[a-z]{1,3}|endoscop[a-z]{1,3}|transfers?|takeoff|trials?|tachycardias?|SVT|VT|arrhythmias?|fibrillation|flutter|attacks?|episodes?|spasms?|bleeding|treatments?|therap(?:y|ies)|treadmill|infusions?|transfusions?|intubations?|biops(?:y|ies)|ablations?|catheteri[sz]ations?|induction|dialysis|session|visit|call|mission';
const COSAS =
  'procedimiento|cirugia|intervencion|operacion|intento|estudio|prueba|ecografia|resonancia|colonoscopia|endoscopia|exploracion|crisis|migrana|cefalea|convulsion|taquicardia|arritmia|ataque|tratamiento|terapia|biopsia|infusion|transfusion|sesion|visita|puncion|intubacion';

/** What somebody broke off, named behind the word: "she aborted the treadmill test", "aborto el procedimiento". */
const NO_THING = `(?! (?:(?:the|a|an|this|that|her|his|my|stress|exercise|nuclear) ){0,3}(?:${THINGS})(?![a-z]))`;
const NINGUNA_COSA = `(?! (?:el|la|los|las|un|una|dich[oa]|est[ea]|su) (?:${COSAS})(?:e?s)?(?![a-z]))`;

/** A thing that was, before the word: "seizure was aborted spontaneously". */
const OF_NO_THING = `(?<!(?:${THINGS})(?: (?:was|were|is|are|had to be|be|been|spontaneously))? )`;

const WOMAN = 'she|woman|girl|mother|mom|wife|daughter|sister|aunt|partner|girlfriend';
const HAVING =
  '(?: (?:has|had|have|having|may have|reports?|reported|spontaneously|recently|previously|electively|already|once|twice)){0,3}';
const BY_ITSELF = '(?:spontaneously|electively|therapeutically|illegally|habitually|recurrently)';
const OF_PREGNANCY =
  'f(?:o?)et|pregnan|bab(?:y|ies)|child|infant|twin|triplet|embryo|concept|gestation|ectopic|tissues?|products?|material|villi';
const DURATION = '[0-9]{1,2}(?:[.+/][0-9]{1,2})? ?(?:w|wks?|weeks?|months?|mos?)';

/** Abortions, and "aborted" where it is said of a pregnancy, of a woman, at a week of it or among counts of births. */
export const ABORTED: readonly string[] = [
  `(?<!(?:tratamiento|terapia) )abort(?:ion|ions|ionist|us|os|iv[oa]s?|ifac*)`,
  `abort(?:o|aron|ar)${NINGUNA_COSA}`,
  `(?<=(?:fetos?|embarazos?|embrion|embriones|productos?|restos|hij[oa]s?|bebes?|gestacion|gemel[oa]s?|cigoto) )abortad[oa]s?`,
  `(?<=(?:ha|han|habia|habian|haber|habiendo|hubiera|hubiese) )abortado${NINGUNA_COSA}`,
  `abortad[oa]s?(?= ?[:=] ?[0-9])|abortado (?:espontaneamente|a las [0-9]{1,2} semanas)`,
  `${OF_NO_THING}aborted (?:${OF_PREGNANCY})*`,
  `(?<=(?:${WOMAN})${HAVING} )aborted${NO_THING}`,
  `(?<=(?:patient|pt|client|i)${HAVING} )aborted(?= ?(?:$|[.,;)\\n\\r]| (?:at|in|last|spontan|elect|once|twice|x ?[0-9]|[0-9]|by (?:D ?& ?C|pill))))`,
  `(?<=(?<!(?:${THINGS})(?: (?:was|were|is|are))? )${BY_ITSELF} )aborted${NO_THING}|${OF_NO_THING}aborted ${BY_ITSELF}`,
  `${OF_NO_THING}aborted (?:at|in|by|around|~) ?(?:about |approximately |approx[.]? |~ ?)?${DURATION}`,
  `${OF_NO_THING}aborted (?:in (?:19|20)[0-9]{2}(?!-)|x ?[0-9]|once|twice|[0-9] times)`,
  `aborted(?= ?[:=] ?[0-9])|aborted [0-9]{1,2}(?=[,;/]? ?(?:living|term|preterm|live))`,
  `(?<=(?:living|preterm|term|para|gravida|live births?|livebirths?|stillborn)(?: ?[:=])? ?[0-9]{1,2}[,;/]? )aborted`,
];
