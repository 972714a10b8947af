import type { ParsedResource } from '../store/found-resource.ts';
import { listCodes, formatConcept, ICD_10, ICD_10_CM, SNOMED, parseCodings } from './codeable-concept.ts';

/**
 * Conditions that describe social circumstances, not an illness. Synthea records them as Conditions: 159 of the 211 conditions of
 * seven v3 patients and 48 of 142 in v2.7 are such "(finding)"s, and a summary that lists them drowns the illnesses.
 *
 * Listed by code because the tag decides nothing: "Prediabetes" has none, "Body mass index 30+ - obesity (finding)",
 * "Chronic low back pain (finding)", "Cough (finding)" are clinical, "Refugee (person)" is not a finding at all.
 * Left clinical on purpose: misuses drugs (361055000), fear of becoming fat (247824007), every symptom, every
 * "History of …" and "Suspected … (situation)": a physician acts on them.
 */
const SOCIAL_CODES = new Set([
  // work
  '160903007', // Full-time employment
  '160904001', // Part-time employment
  '73438004', // Unemployed
  '741062008', // Not in labor force
  '1187604002', // Serving in military service
  // schooling
  '224295006', // Only received primary school education
  '473461003', // Educated to high school level
  '5251000175109', // Received certificate of high school equivalency
  '224299000', // Received higher education
  // housing, food, transport
  '105531004', // Housing unsatisfactory
  '32911000', // Homeless
  '445281000124101', // Nutrition impaired due to limited access to healthful foods
  '266934004', // Transport problem
  '713458007', // Lack of access to transportation
  '160695008', // Transport too expensive
  // people around, safety, law
  '423315002', // Limited social contact
  '422650009', // Social isolation
  '424393004', // Reports of violence in the environment
  '706893006', // Victim of intimate partner abuse
  '266948004', // Has a criminal record
  '446654005', // Refugee
  '160968000', // Risk activity involvement
  '73595000', // Stress: PRAPARE's question on stress, not an anxiety disorder
]);

/** ICD-10 Z55–Z65: "persons with potential health hazards related to socioeconomic and psychosocial circumstances". */
const SOCIAL_ICD = /^Z(5[5-9]|6[0-5])(\.|$)/i;

/** A SNOMED tag that diseases don't carry. */
const LIFE_TAG = /\((finding|situation|person|social concept|event)\)$/i;
const LIFE_WORDS =
  /\b((un)?employ(ed|ment)|labou?r force|workforce|education(al)?|school|literacy|homeless(ness)?|housing|household|income|poverty|financial|food insecurity|transport(ation)?|social (isolation|contact|migrant|support)|refugee|asylum|criminal|prison|incarcerat\w*|military|armed forces|veteran|partner (abuse|violence)|lives alone)\b/i;

/** Cautious: without a known code both are needed, a tag that diseases don't carry and a word about social circumstances. */
export function isSocialFinding(condition: ParsedResource): boolean {
  const { code } = condition;
  if (listCodes(code, SNOMED).some((each) => SOCIAL_CODES.has(each))) return true;
  if (parseCodings(code).some(isSocialIcd)) return true;
  if (parseCodings(condition['category']).some((each) => each.code === 'sdoh')) return true;
  const name = formatConcept(code) ?? '';
  return LIFE_TAG.test(name) && LIFE_WORDS.test(name);
}

function isSocialIcd({ system, code }: { system: string | null; code: string | null }): boolean {
  return (system === ICD_10_CM || system === ICD_10) && code !== null && SOCIAL_ICD.test(code);
}
