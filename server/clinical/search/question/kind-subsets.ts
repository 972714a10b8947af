import type { Kind } from '../../entries/entry.ts';
import type { AskedSubset } from '../question.ts';
import { compilePattern } from './text-pattern.ts';

/** Words that ask for some entries of a kind, in English, Spanish and German. */
export interface SubsetRule {
  kinds: Partial<Record<Kind, number>>;
  subset: AskedSubset;
  pattern: RegExp;
}

const DRUG =
  '(?:med(?:s|icines?|ications?)|drugs?|pills?|tablets?|prescriptions?|medicamentos?|medicinas?|pastillas?|farmacos?|medikamente?n?|arzneimitteln?|arznei(?:en)?|tabletten?)';
const PERSON = '(?:i|he|she|they|we|you|the patient|ich|er|sie|man)';
const NOT =
  '(?:(?:should|must|may|can|could|ought)(?: to)? (?:not|never)|(?:shouldn|mustn|can|couldn) t|cannot|not(?: (?:supposed|allowed|meant))?|never)';
const TAKE =
  '(?:(?:to )?(?:take|have|give|use|prescribe|get)|(?:to )?be (?:given|taken|used|prescribed|on)|(?:to )?take)';
const MAY = '(?:debo|debe|deben|deberia|puedo|puede|pueden|se debe|se puede)';

/** "Medicines I should not take", "drugs to avoid": what is not to be given is among allergies and among orders. */
const TO_AVOID = [
  `${DRUG} (?:(?:that|which|to|should|must|need|needs|ought|be|am|is|are|${PERSON}) )*(?:avoid(?:ed)?|contraindicated|${NOT} (?:${PERSON} )?${TAKE})`,
  `avoid(?:ing)? (?:(?:any|which|what|these|taking|certain|all) )*${DRUG}`,
  `(?:contraindicated|forbidden|prohibited) ${DRUG}`,
  `what (?:${PERSON} )?(?:(?:should|must|may|can) )?(?:${PERSON} )?${NOT} (?:${PERSON} )?(?:to )?(?:take|give|prescribe|be (?:given|prescribed|on))`,
  'not (?:supposed|allowed) to (?:take|be given)',
  `${PERSON} ${NOT} (?:(?:to )?(?:take|be given)|have(?=\\s*$))`,
  `${DRUG} (?:que )?no ${MAY}(?: de)? (?:tomar|usar|recibir|dar)`,
  `que (?:${DRUG} )?no ${MAY}(?: de)? (?:tomar|recibir)`,
  `${DRUG} (?:(?:que|debo|debe|deberia|hay|a|para|por|se|deben) )*evitar(?:se)?`,
  `evitar (?:(?:los|las|el|la|que|ciertos|estos) )*${DRUG}`,
  `${DRUG} (?:contraindicad[oa]s?|prohibid[oa]s?)`,
  `${DRUG} (?:(?:die|der|das|ich|er|sie|man|soll|sollte|darf|muss) )*(?:(?:ver)?meiden|nicht (?:(?:ein)?nehmen|bekommen|erhalten))`,
];

const ENDED =
  '(?:stopped|discontinued|suspended|abgesetzte?[nrms]?|gestoppte?[nrms]?|suspendid[oa]s?|descontinuad[oa]s?|interrumpid[oa]s?|retirad[oa]s?)';
const NO_LONGER = `(?:(?:no longer|not (?:still|any ?more)) (?:${TAKE}|takes|taking|taken|on|used|prescribed))`;

/** "Medications that were stopped", "medicamentos suspendidos": those that are not taken any more. */
const STOPPED = [
  `${ENDED} ${DRUG}`,
  `(?:past|former|previous|old|ehemalige?[nrs]?|fruhere?[nrs]?) ${DRUG}`,
  `${DRUG} (?:anterior(?:es)?|pasad[oa]s?|previ[oa]s?)`,
  `${DRUG} (?:(?:that|which|the|doctor|has|have|had|is|are|was|were|been|did|do|does|${PERSON}) )*(?:${ENDED}|stop(?: taking)?|taken off|${NO_LONGER})`,
  `${DRUG} (?:(?:que|se|le|les|me|fue|fueron|ha|han|sido|esta|estan|ya|el|la|medic[oa]|doctora?) )*(?:suspendid[oa]s?|suspendio|suspendieron|descontinuad[oa]s?|descontinuaron|interrumpid[oa]s?|retirad[oa]s?|retiraron|quitaron|dejo de tomar|dejaron|dejad[oa]s?|no (?:toma|tomo))`,
  `${DRUG} (?:(?:die|das|der|wurden?|sind|ist|hat|haben|ich|er|sie|man|nicht mehr|inzwischen) )*(?:abgesetzt|gestoppt|beendet|pausiert)`,
  `${DRUG} (?:(?:die|das|ich|er|sie) )*nicht mehr (?:(?:ein)?nehmen?|(?:ein)?nimmt|(?:ein)?nehme|genommen)`,
];

const ABNORMAL =
  '(?:abnormal(?:ly)?|not normal|out of (?:the )?(?:(?:normal|reference) )?range|outside (?:of )?(?:the )?(?:(?:normal|reference) )?range|flagged(?: as abnormal)?|anormal(?:es)?|alterad[oa]s?|fuera de(?:l)? (?:lo normal|rango)|auffallige?[nrs]?|pathologische?[nr]?)';
const RESULT =
  '(?:(?:(?:lab|test|blood|laboratory) )*(?:labs?|tests?|results?|values?|levels?|readings?|bloods|blood ?work)|resultados?(?: de (?:laboratorio|sangre|(?:los |mis )?analisis))?|analisis(?: de sangre)?|analiticas?|laborwerte?n?|laborbefunde?|blutwerte?n?|werte?)';
const ARE =
  '(?:(?:that|which|of|my|his|her|their|is|are|was|were|came|come|back|any|que|de|mis|sus|son|estan|fueron|salieron|han|salido|sind|waren|als) )*';

const ABNORMAL_RESULTS = [
  `${ABNORMAL} ${RESULT}`,
  `${RESULT} ${ARE}${ABNORMAL}`,
  `(?:(?:anything|something|what(?: was| is| s| were| are)?) ${ABNORMAL})`,
];

const toRule = (
  kinds: SubsetRule['kinds'],
  subset: AskedSubset,
  patterns: readonly string[],
): SubsetRule => ({
  kinds,
  subset,
  pattern: compilePattern(`(?:${patterns.join('|')})`),
});

export const SUBSET_RULES: readonly SubsetRule[] = [
  toRule({ allergy: 1, medication: 1 }, 'to-avoid', TO_AVOID),
  toRule({ medication: 1 }, 'stopped', STOPPED),
  toRule({ lab: 1 }, 'abnormal', ABNORMAL_RESULTS),
  toRule({ vital: 1 }, 'abnormal', [
    `${ABNORMAL} (?:vitals?(?: signs?)?|signos vitales|vitalwerte?)`,
    `(?:vitals?(?: signs?)?|signos vitales|vitalwerte?) ${ARE}${ABNORMAL}`,
  ]),
];
