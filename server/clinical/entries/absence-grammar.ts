/**
 * What a statement of absence says: that there is none, or that nothing is known, because nobody asked or wrote it down.
 * The second is never read as the first.
 */
export type Absence = 'none' | 'no information';

const toSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.trim().split(/\s+/)));

/** What a record may say that it has none of, in the plural or as a whole: "unknown" before these names no single thing. */
const COLLECTIVE = toSet(`
  allergies intolerances sensitivities problems conditions diagnoses illnesses diseases disorders complaints concerns issues
  immunizations immunisations vaccines vaccinations procedures surgeries operations impairments disabilities
  status history hx list information info data
  alergias intolerancias problemas enfermedades diagnosticos patologias antecedentes vacunas procedimientos cirugias informacion datos`);
const DRUGS = toSet(`
  medications medicines meds drugs prescriptions supplements substances medicamentos farmacos medicinas tratamientos`);
/** The same in the singular. */
const SUBJECTS = toSet(`
  allergy allergic intolerance sensitivity hypersensitivity problem condition diagnosis illness disease disorder complaint concern issue
  immunization immunisation vaccine vaccination procedure surgery operation impairment disability reaction reactions
  medication medicine drug prescription supplement substance
  alergia alergico alergica alergicos alergicas intolerancia reaccion reacciones problema enfermedad diagnostico patologia
  medicamento medicacion farmaco medicina vacuna procedimiento cirugia tratamiento`);
/** Of which kind: nothing by itself ("No home", "No food"). */
const KINDS = toSet(`
  adverse food foods environment environmental latex animal animals insect insects contrast seasonal otc herbal outpatient inpatient
  home adversa adversas patologicos patologicas medicamentosa medicamentosas medicamentoso medicamentosos alimento alimentos
  alimentaria alimentarias alimentario alimentarios ambiental ambientales habitual habituales`);
/** What neither names a thing nor denies one. */
const FORM = toSet(
  `a about an any all as at and or nor of on in for by per to with from the this that these time is are was were be been being has have had
   having he she they patient pt client parent parents mother father family guardian caregiver self chart currently current
   presently present now today known reported reports report recorded documented noted listed identified stated states found active
   significant relevant pertinent other past prior previous chronic acute medical surgical clinical health review reviewed record
   records file system available administered given taking takes taken take using uses use used prescribed encounter visit admission
   asked assessed obtained obtainable verified provided entered elicited applicable determined evaluated ascertained yet
   assess obtain determine evaluate ascertain verify provide able`,
  `un una unos unas el la los las lo al del de en con por para que y e o u ni se su sus le es son esta estan ha han sido hay paciente
   pacientes conoce conocen conocida conocidas conocido conocidos refiere refieren presenta tiene toma tomando consta constan
   actual actuales actualmente activa activas activo activos registra registran registrada registradas registrado registrados
   documentada documentadas documentado documentados reportada reportadas referida referidas
   importancia interes relevantes personales medica medicas medico medicos quirurgicos salud pregunto preguntado preguntada
   interrogado interrogada disponible disponibles aplica valorado valorada valorable evaluado evaluada evaluable pudo puede posible
   valorar evaluar obtener recogido recogida momento`,
);
/** What denies, or says that it is not known. */
const MARKERS = toSet(`
  no nil none nothing not without denies denied denying nka nkda nkma nkfa nkea nkla
  unknown unavailable undetermined unable unobtainable cannot could impossible na uta uto
  sin niega negada negadas negado negados ningun ninguno ninguna ningunos ningunas nada nunca namc
  desconocido desconocida desconocidos desconocidas desconoce desconocen imposible`);

const isClosed = (word: string): boolean =>
  isSubject(word) || COLLECTIVE.has(word) || KINDS.has(word) || FORM.has(word) || MARKERS.has(word);

/** Nobody asked, or wrote it down. */
const NOT_ASKED = new RegExp(
  [
    String.raw`\bnot (?:yet |currently |been )*(?:on file|in (?:the )?(?:system|chart|record)|asked|assessed|recorded|documented|obtained|obtainable|reviewed|verified|provided|entered|reported|stated|elicited|determined|evaluated|listed)\b`,
    String.raw`\b(?:unable|impossible|not able|cannot|could not)(?: be)?(?: to)?(?: be)? (?:assess|obtain|determine|evaluate|ascertain|verify|provide)`,
    String.raw`\b(?:no|without) (?:(?!in |on |of |about )[a-z]+ ){0,4}(?:information|info|data|records?)\b`,
    String.raw`\bno (?:se )?(?:le )?(?:ha |han |pudo |puede |es )*(?:sido )?(?:posible )?(?:pregunt|interrog|disponible|aplica|valora|evalua|obten|recogid|registrad|documentad)`,
    String.raw`\bsin (?:informacion|datos)\b|\bse desconocen?\b|\bimposible(?: de)? (?:valorar|evaluar|obtener)`,
  ].join('|'),
);
/** May as well be said of one thing that is there: "Unknown antibiotic", "Drug allergy, unknown". */
const NOT_KNOWN =
  /\b(?:unknown|unavailable|undetermined|unobtainable|not known|not available|not applicable|na|uta|uto|desconocid[oa]s?)\b/;
/** "No longer", "not active" and the like deny a state of a thing, not the thing. */
const NONE =
  /\b(?:no|nil|none|nothing|without|denie[sd]|denying|nk[a-z]?a|sin|niega|negad[oa]s?|ning[u]n[oa]?s?|nada|namc)\b|\bnot (?:known to (?:have|be)|have|allergic)\b/;
const NOT_TAKING = /\bnot (?:currently |presently )?(?:taking|on|using|prescribed)\b/;

const SEMANTIC_TAG =
  / \((?:situation|finding|disorder|event|context-dependent category|contextual qualifier|qualifier value)\)/g;
const MAX_LENGTH = 160;

/**
 * Reads "No known drug or food allergies per patient", "Allergies: none", "Not on file", "Sin alergias conocidas". Every word must be
 * one that names nothing, else the name may hold a fact: "No known allergies except penicillin". Only an allergy may be
 * denied by its name ("No known peanut allergy"): it is none.
 */
export function parseAbsence(title: string): Absence | null {
  if (title.length > MAX_LENGTH) return null;
  const plain = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(SEMANTIC_TAG, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\bn\/a\b|\bn\.a\.?(?=\s|$)/g, 'na');
  const clauses = plain
    .split(/[;,.()[\]|]+/)
    .map((clause) => clause.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((words) => words.length > 0);
  const words = clauses.flat();
  if (!words.every(isClosed)) return isAllergyDeniedByName(plain) ? 'none' : null;
  if (words.some((word) => KINDS.has(word)) && !words.some((word) => isSubject(word) || COLLECTIVE.has(word)))
    return null;
  // Sodium.
  if (title.trim() === 'Na') return null;
  const read = clauses.map(readClause);
  if (read.includes('fact')) return null;
  return read.find((each) => each === 'none') ?? read.find((each) => each === 'no information') ?? null;
}

/** Reads a clause of closed words; null for one that frames the others, as "Problem list reviewed". */
function readClause(words: readonly string[]): Absence | 'fact' | null {
  const text = words.join(' ');
  if (NOT_ASKED.test(text)) return 'no information';
  const [unknown] = NOT_KNOWN.exec(text) ?? [];
  if (unknown !== undefined) return namesNothing(text, unknown) ? 'no information' : 'fact';
  if (NOT_TAKING.test(text)) return /\bany\b|\bningun/.test(text) || namesMany(words) ? 'none' : 'fact';
  const [none] = NONE.exec(text) ?? [];
  if (none !== undefined) return isOfOther(text, none) ? 'fact' : 'none';
  return words.some(isSubject) && !words.some((word) => COLLECTIVE.has(word)) ? 'fact' : null;
}

const isSubject = (word: string): boolean => SUBJECTS.has(word) || DRUGS.has(word);
const namesMany = (words: readonly string[]): boolean =>
  words.some((word) => COLLECTIVE.has(word) || DRUGS.has(word));

/** What stands before and behind a marker. */
function splitAt(text: string, marker: string): [before: string[], behind: string[]] {
  const at = text.indexOf(marker);
  return [text.slice(0, at).split(' '), text.slice(at + marker.length).split(' ')];
}

/** "Unknown", "Allergy status unknown", "Medications unknown"; not "Unknown drug" or "Unknown medications", which are taken. */
function namesNothing(text: string, marker: string): boolean {
  const [before, behind] = splitAt(text, marker);
  const isCollective = (words: readonly string[]): boolean => words.some((word) => COLLECTIVE.has(word));
  return (!behind.some(isSubject) || isCollective(behind)) && (!before.some(isSubject) || namesMany(before));
}

/** "Food allergy: no reaction" is one; "Food allergy: none" is none. */
function isOfOther(text: string, marker: string): boolean {
  const [before, behind] = splitAt(text, marker);
  return before.some(isSubject) && !namesMany(before) && behind.some(isSubject);
}

/** What may follow a denial that is not of one thing alone, or that is no denial of an allergy: "no known trigger of". */
const MORE =
  /\b(?:and|but|except|excluding|other|than|besides|for|of|from|with|in|due|y|e|pero|salvo|excepto|menos)\b/;
const ALLERGY_DENIED_BY_NAME = [
  /^(?:(?:patient|pt) )?(?:(?:has |reports )?no (?:known|history of)|denies(?: any)?) ((?:[\p{L}-]+ ){0,4})(?:allerg(?:y|ies)|intolerances?|hypersensitivity|sensitivity)((?: to(?: [\p{L}-]+){1,6})?)\W*$/u,
  /^(?:paciente )?(?:sin|niega|no (?:se conocen?|refiere|presenta|tiene|hay)) (\p{L}+ )?alergias?(?: conocidas?)? al?((?: \p{L}+){1,6})\W*$/u,
] as const;

const isAllergyDeniedByName = (plain: string): boolean =>
  ALLERGY_DENIED_BY_NAME.some((pattern) => {
    const match = pattern.exec(plain);
    return match !== null && !MORE.test(`${match[1] ?? ''} ${match[2] ?? ''}`);
  });
