import { withoutDates } from './narrative-numbers.ts';

/** Words of forms, of statuses, units, routes and dosage forms: alone they name nothing that a patient has or takes. */
const FORM_WORDS = new Set(
  `a active actuat administered agent an and are at authored been bp by caplet caplets capsule capsules cm chemistries chemistry code
  completed concern concerns confirmed cpt cream ct current date dates dbp device devices diagnosis dl do dr drug each encounter end excluded final
  finding for from goal has have hcpcs hematology hg history hour hours icd im implanted in inactive inches information inhalant
  inhaler injection is iu iv kg laboratory lb lbs levels loinc lot m2 mcg md medication meq mg min miu ml mm mmhg mmol ng no none normal
  not noted of on onset or oral per po pounds problem procedure provided puff puffs reason recorded resolution resolved result
  resulted results rn sbp snomed solution spray start started status stopped suspension syrup tablet tablets test that the this time to
  tracker type ug ul unit units unknown value was weeks with years january february march april may june july august september october
  november december`.split(/\s+/),
);
/** What two forms of a word end with: "smoking" and "smoker", "diabetes" and "diabetic". */
const ENDING = /(?<=.{4})(?:ions?|ives?|ing|ers?|ied?|ed|es?|y|al|atic|ical|ic|a|um)$/;
const UNIT_OF_ONE_LETTER = /(?<=(?<![\p{L}\d])\d[\d.,]{0,8}\s?|\/\s?)[cfglmu]\b/giu;

/** Lists the words of a text that distinguish it from others, each once; of any length: "HIV", "INR", "K". */
export const listContentWords = (text: string): string[] =>
  [...new Set(listWords(withoutDates(text).replace(UNIT_OF_ONE_LETTER, ' ')))].filter(
    (word) => !FORM_WORDS.has(word) && !/^\d/.test(word),
  );

/** Lists the words of a text, those with digits too. */
export const listWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).filter((word) => /\p{L}/u.test(word));

/** Returns a word without its ending; "hypertension" and "hyperlipidemia" begin alike and are two words. */
export const toStem = (word: string): string => word.replace(/(?<=.{3})s$/, '').replace(ENDING, '');
