import { parseCodings, SNOMED } from './codeable-concept.ts';

/** HL7 IPS: the codes by which a summary says that it knows of none, or knows nothing. */
const IPS_ABSENT_UNKNOWN = /\/absent-unknown-uv-ips$/;

/** SNOMED "no known …" situations. */
const NO_KNOWN = new Set([
  '716186003', // No known allergy
  '409137002', // No known drug allergy
  '429625007', // No known food allergy
  '428607008', // No known environmental allergy
  '428197003', // No known insect allergy
  '716184000', // No known latex allergy
  '160244002', // No known allergies (older code)
  '160245001', // No current problems or disability
  '787481004', // No known medications
]);

const ABBREVIATED = /^nk[a-z]?a\b/i;
/** What a record may say that it has none of. */
const SUBJECT =
  'allerg(?:y|ies)|allergic|intolerances?|problems?|conditions?|diagnos[ei]s|medications?|medicines|immuni[sz]ations?|vaccin(?:es?|ations?)|procedures?|surger(?:y|ies)|operations?|impairments?|disabilit(?:y|ies)';
const NO_SUCH = new RegExp(String.raw`^(no|nil|denies)\b.{0,60}\b(${SUBJECT})\b`, 'i');
const NO_QUALIFIER = new RegExp(
  String.raw`^(no|nil|denies)( (any|known|current|currently|active|reported|recorded|documented|information|about|on|of|history|data|is|are|was|were|applicable|available|encounter|past|prior|previous|surgical|drug|food|environmental|latex|animal|insect|adverse|reactions?|or|and|to|significant|other|${SUBJECT}))+\W*(\([a-z ]+\))?\W*$`,
  'i',
);
/** The same in Spanish: "Sin alergias conocidas", "No se conocen alergias a medicamentos". */
const SPANISH_NONE =
  /^(?:sin|no (?:se conocen?|refiere|presenta|tiene|hay|toma|constan?)|niega|ning[uú]n[oa]?)(?: (?:alergias?|al[eé]rgic[oa]s?|intolerancias?|reacciones|adversas|problemas?|enfermedad(?:es)?|diagn[oó]sticos?|medicamentos?|medicaci[oó]n|f[aá]rmacos?|medicamentosas?|alimentos?|alimentari[ao]s?|ambiental(?:es)?|antecedentes|vacunas?|procedimientos?|cirug[ií]as?|conocid[oa]s?|actual(?:es|mente)?|activ[oa]s?|registrad[oa]s?|ning[uú]n[oa]?|médic[oa]s?|de salud|a|al|de|del|los|las|la|el|ni|o|y))+\W*$/iu;
const NONE = /^none( known| reported| recorded)?\W*$/i;

/** "No known drug allergy" and its kin: a statement about the record, not an item in it. */
export function isAbsentStatement(concept: unknown, title: string | null): boolean {
  const coded = parseCodings(concept).some(
    ({ system, code }) =>
      (system !== null && IPS_ABSENT_UNKNOWN.test(system)) ||
      ((system === SNOMED || system === null) && code !== null && NO_KNOWN.has(code)),
  );
  if (coded) return true;
  const name = (title ?? '').trim();
  // "No known allergies except penicillin" names an allergy: every word of a statement must be one of its words.
  return (
    ABBREVIATED.test(name) ||
    NONE.test(name) ||
    (name.length < 120 && SPANISH_NONE.test(name)) ||
    (name.length < 120 && NO_SUCH.test(name) && NO_QUALIFIER.test(name))
  );
}
