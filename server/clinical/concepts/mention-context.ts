/** What a text says of a phrase in it: that it is so, that it is not, or that it is so of somebody else. */
export type MentionContext = 'affirmed' | 'negated' | 'of-others';

/** Where a clause ends; wrapped lines go on in lower case. */
const BOUNDARY =
  /[.;!?](?=\s|$)|\n(?=\s*(?:[-*#•\d]|\p{Lu}))|\n\s*\n|\b(?:but|however|except|although|though|pero|aunque|salvo|aber|jedoch|außer)\b/gu;
const MAX_CLAUSE = 160;

/** "No change in the diabetes" says that there is diabetes. */
const NEGATION =
  /(?<![\p{L}\p{N}])(?:no(?!\s+(?:(?:significant|new|acute|major|cambi|hubo)\w*\s+)?(?:change|increase|decrease|further|longer|improvement|difference|doubt|cambio|mejor))|den(?:ies|ied|ying)|without|never|nor|neither|negative for|absence of|free of|ruled? out|(?:do|does|did) not have|niega|sin|nunca|ausencia de|negativ[oa] para|descarta\w*|kein(?:e[nrms]?)?|ohne|nie|ausschluss(?: von| einer| eines)?)(?![\p{L}\p{N}])/iu;

/** "She is not diabetic", "nicht diabetisch": right before the phrase, since "she is not happy with her diabetes" says that she has it. */
const NEGATED_NEXT =
  /(?<![\p{L}\p{N}])(?:(?:(?:is|are|was|were|am|be|been) not|(?:is|are|was|were)n['’]t|not known to (?:be|have))(?: (?:an?|currently|known to be|clinically|considered|in))*|(?:ist|war|bin|sind) (?:kein(?:e[nrms]?)?|nicht)|nicht)\s+$/iu;

/** "Chest pain: no", "Chest pain: denied". */
const ANSWERED =
  /^[^.;,\n]{0,30}?[:=?–-]\s*(?:no|none|never|denie[sd]|negative|absent|not (?:present|detected)|nein|keine?|verneint|niega|negativ[oa]?)(?![\p{L}\p{N}])|^\??\n(?:no|none|never|negative|absent|not (?:present|detected)|nein|keine?|negativ[oa]?)(?=\s*(?:\n|$))/iu;

/** "Chest pain is denied", "Brustschmerz wird verneint". */
const NEGATED_AFTER =
  /^[^.;,\n]{0,40}?(?<![\p{L}\p{N}])(?:(?:was|were|is|are|been) (?:ruled out|denied|absent|negative|excluded)|not (?:present|detected|seen)|verneint|ausgeschlossen|negad[oa]s?|descartad[oa]s?|ausentes?)(?![\p{L}\p{N}])/iu;

const RELATIVES = [
  'mother|father|parents?|mom|dad|brothers?|sisters?|siblings?|grand(?:mother|father|parents?|ma|pa)|aunts?|uncles?|cousins?|sons?',
  'daughters?|maternal|paternal|family (?:medical )?history|family hx|fhx?|relatives?',
  'madre|padre|padres|herman[oa]s?|abuel[oa]s?|t[ií][oa]s?|prim[oa]s?|hij[oa]s?|antecedentes familiares',
  'mutter|vater|eltern|bruder|schwester|geschwister|gro(?:ß|ss)(?:mutter|vater|eltern)|oma|opa|tante|onkel|sohn|tochter|familienanamnese',
].join('|');
const OTHERS =
  'wife|husband|spouse|partner|boyfriend|girlfriend|friend|neighbou?r|roommate|coworker|espos[oa]|marido|vecin[oa]|ehefrau|ehemann|nachbar(?:in)?';

/** Who reports, accompanies or lives with the patient says nothing of their own health there. */
const OTHER_PERSON = new RegExp(
  String.raw`(?<!(?:with|by|per|from|con|por|mit|von)\s+(?:(?:his|her|their|the|su|seiner?|ihrer?)\s+)?)(?<![\p{L}\p{N}])(?:${RELATIVES}|${OTHERS})(?![\p{L}\p{N}])(?!\s+(?:reports?|reported|states?|stated|says?|said|notes?|noted|brought|is concerned|called|accompan\w+|refiere|dice|berichtet))`,
  'iu',
);
const OF_OTHER_PERSON = new RegExp(
  String.raw`^[^.;\n]{0,25}?(?<![\p{L}\p{N}])(?:in|of|en|de|bei|des|der)\s+(?:(?:his|her|their|the|patient's|su|la|el|seine[rm]?|ihre[rm]?)\s+)?(?:${RELATIVES})(?![\p{L}\p{N}])`,
  'iu',
);
const HEADING_OF_RELATIVES =
  /^[\s#*]*(?:family (?:medical |health )?(?:history|hx)|fhx?|antecedentes familiares|historia familiar|familienanamnese)(?![\p{L}\p{N}])/iu;

/** True for a section about relatives, by its heading. */
export const isAboutRelatives = (text: string): boolean => HEADING_OF_RELATIVES.test(text);

/** Reads the clause around a phrase; like NegEx (Chapman et al. 2001), by words that stand before it and after it. */
export function readMentionContext(text: string, start: number, end: number): MentionContext {
  const before = cutClause(text.slice(Math.max(0, start - MAX_CLAUSE), start + 1)).slice(0, -1);
  const after = text.slice(end, end + MAX_CLAUSE);
  if (OTHER_PERSON.test(before) || OF_OTHER_PERSON.test(after)) return 'of-others';
  if (NEGATION.test(before) || NEGATED_NEXT.test(before) || ANSWERED.test(after) || NEGATED_AFTER.test(after))
    return 'negated';
  return 'affirmed';
}

function cutClause(before: string): string {
  let from = 0;
  for (const { 0: boundary, index } of before.matchAll(BOUNDARY)) from = index + boundary.length;
  return before.slice(from);
}

/** "Given the following immunizations: hepatitis b, mmr", "vaccinated against measles". */
const VACCINATED =
  /(?<!\p{L})(?:immuni[sz]ations?|vaccin(?:ations?|es?)|vacuna(?:s|ci[oó]n(?:es)?)|(?:schutz)?impfung(?:en)?)(?:\s+(?:given|received|administered|today|history|up to date|administradas?|aplicadas?|erhalten))*\s*:[^.;!?]*$|(?<!\p{L})(?:vaccinat(?:ed|ions?)|immuni[sz](?:ed|ations?)|vaccines?|shots?|vacunad[oa]s?|vacunas?|geimpft|impfung)\s+(?:against|for|contra|para|gegen)\s+(?:[^.;:!?\n]{1,60}(?:,|and|y|und)\s+)?$/iu;
const VACCINE_NEXT =
  /^(?:\s+(?:virus|seasonal|conjugate|toxoids?))?\s+(?:vaccin(?:es?|ations?)|immuni[sz]ations?|shots?|boosters?|jabs?)(?!\p{L})/iu;
const MAX_LIST = 600;

/** Whether a phrase stands where vaccines are named. */
export const isVaccinated = (text: string, start: number, end: number): boolean =>
  VACCINATED.test(text.slice(Math.max(0, start - MAX_LIST), start)) ||
  VACCINE_NEXT.test(text.slice(end, end + MAX_CLAUSE));
