import type { Subject } from './absent-statement.ts';

/** Words that name nothing, of a denial and of what it is written with, in English and Spanish, without accents. */
const FORM_WORDS = `
  a an and any are as at available been by currently current data denies denied documented does entry except excluded file for has have
  having he her his history in information is it known neg negative never nil no none nor not note of on or other past patient
  present presently pt recorded report reported reports she stated states taking that the their there these they this time to unavailable
  unknown was were with without yet active administered admission applicable asked discharge given home hospital inpatient na n
  actual actuales actualmente algun alguna conoce conocen conocida conocidas conocido conocidos consta constan de del el en esta
  documentada documentadas documentados excluida excluido hay la las lo los ni niega ningun ninguna ninguno o paciente presenta
  que refiere registrada registradas registrado registrados reportadas reportados se sin su sus tiene toma tomando un una y
  administrada administradas administrado administrados alta hospitalaria hospitalarias hospitalario ingreso
  activa activas activo activos al informacion desconoce desconocen disponible disponibles historia antecedentes`;
const DRUG_WORDS = `
  drug drugs medicament medicaments medication medications medicinal medicine medicines med meds pharmaceutical prescription
  prescriptions prescribed product products substance substances biologic
  farmaco farmacos medicacion medicamento medicamentos medicamentosa medicamentosas medicina medicinas sustancia sustancias
  receta recetas recetado recetados producto productos`;
const ALLERGY_WORDS = `
  adverse agent agents allergen allergens allergic allergies allergy environment environmental food foods intolerance intolerances
  intolerant reaction reactions propensity sensitivities sensitivity hypersensitivity nka nkda nkfa nkma namc
  adversa adversas alergia alergias alergica alergicas alergico alergicos alergeno alergenos alimentaria alimentarias alimento
  alimentos ambiental ambientales intolerancia intolerancias reaccion reacciones amc ram`;
const PROBLEM_WORDS = `
  complaint complaints concern concerns condition conditions diagnoses diagnosis disease diseases disorder disorders finding
  findings clinical health illness illnesses issue issues medical morbidities problem problems
  afeccion afecciones condicion condiciones diagnostico diagnosticos enfermedad enfermedades hallazgo hallazgos medica medicas
  medico medicos padecimiento padecimientos patologia patologias patologica patologicos problema problemas salud trastorno
  trastornos`;

const toSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.trim().split(/\s+/)));
const OF_ALLERGIES = toSet(FORM_WORDS, DRUG_WORDS, ALLERGY_WORDS);

/** Words that name nothing of a kind: a text of these alone denies all of it, "No known drug allergies". */
const GENERAL_WORDS: Readonly<Record<Subject, ReadonlySet<string>>> = {
  problem: toSet(FORM_WORDS, PROBLEM_WORDS),
  allergy: OF_ALLERGIES,
  'drug-allergy': OF_ALLERGIES,
  'food-allergy': OF_ALLERGIES,
  'environmental-allergy': OF_ALLERGIES,
  medication: toSet(FORM_WORDS, DRUG_WORDS),
};

/** What stands before the name in a denial: "No history of", "Patient denies", "Sin antecedentes de". */
const NEGATION =
  /^(?:(?:the |el |la )?(?:patient |pt |paciente )?(?:no known|no (?:past |prior )?history of|no evidence of|no signs? of|does not have|has no|is not taking|is not on|not taking|not on|never had|no|not|denies|denied|negative for|without|free of|sin antecedentes de|no tiene|no presenta|no toma|no hay|sin|niega|ning[uú]n[oa]?) )(?=\S)/iu;
/** An exception cannot be separated from what is denied: such a text stays as it was written. */
const EXCEPTION = /\b(?:except|excluding|other than|apart from|but|excepto|salvo|aparte de|menos)\b/i;

export interface DeniedName {
  name: string;
  /** The text with its negation, where it was written with one. */
  wording: string | undefined;
}

/**
 * Finds the one thing that a negated entry without a code denies, in the first of its texts that names any; undefined where
 * they deny all of a kind ("No known allergies", "Sin alergias conocidas") or say nothing. Of a row its first cell counts.
 */
export function findDeniedName(
  texts: readonly (string | undefined)[],
  subject: Subject,
): DeniedName | undefined {
  for (const text of texts) {
    const written = text?.split(' | ').find((cell) => /\p{L}/u.test(cell));
    if (written === undefined || !isSpecific(written, subject)) continue;
    const name = removeNegation(written);
    return { name, wording: name === written ? undefined : written };
  }
  return undefined;
}

/** Removes the negation that a refuted thing's name is written with: "No diabetes", refuted, would read as the contrary. */
export const removeNegation = (text: string): string =>
  EXCEPTION.test(text) ? text : text.replace(NEGATION, '');

/** Formats the words of a denial as a note: its name stands without the negation. */
export const formatWording = (wording: string | undefined): string[] =>
  wording === undefined ? [] : [`As the document words it: ${wording}`];

function isSpecific(text: string, subject: Subject): boolean {
  const words =
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
  return words.some((word) => !GENERAL_WORDS[subject].has(word));
}
