import type { Kind } from '../../entries/entry.ts';
import type { AskedKind, AskedSubset } from '../question.ts';
import { SUBSET_RULES } from './kind-subsets.ts';
import { compilePattern, findMatches, isInside, type Span } from './text-pattern.ts';

/**
 * Words for kinds of entries in English, Spanish and German. A weight below 1 is of a word that often means something else
 * too: a "doctor" is in the care team, or was seen at a visit.
 */
const KIND_WORDS: readonly { kinds: Partial<Record<Kind, number>>; words: string }[] = [
  {
    kinds: { allergy: 1 },
    words:
      'not (?:supposed|allowed) to (?:eat|drink|have|take)|(?:anything|what) (?:i|he|she|we|they) (?:can t|cannot|can not|must not|shouldn t) (?:eat|drink|have|take)|foods? to avoid|(?:is it )?safe (?:to (?:give|take|have|use|prescribe)|for)|(?:is|are) it safe|(?:can|may|should|could) (?:i|he|she|they|we) (?:eat|be given)|(?:can|may|could) (?:i|he|she|they|we) (?:still |safely )?(?:take|tolerate)|tolerates?|vertragt|vertrage|vertragen|puede (?:comer|tomar)|puedo (?:comer|tomar)|(?:darf|kann) (?:ich|er|sie|man)(?= [^.?]{1,60} (?:essen|trinken|(?:ein)?nehmen))|(?<=(?:darf|kann) (?:ich|er|sie|man) [^.?]{1,60} )(?:essen|trinken|(?:ein)?nehmen)|allerg(?:y|ies|ic)(?: to)?|allergies list|alergias?|alergic[oa]s?(?: al?)?|allergien?|allergisch(?: gegen)?|intolerances?|unvertraglichkeit(?:en)?',
  },
  {
    kinds: { medication: 1 },
    words:
      '(?:current |active )?med(?:s|icines?|ications?)(?: list)?|rx|drugs?|pills?|tablets?|prescriptions?|prescribed|medicamentos?|medicinas?|pastillas?|recetas?|recetad[oa]s?|medikamente?n?|medikation|arzneimitteln?|arznei(?:en)?|tabletten?|pillen?|rezepte?|verschrieben|medikationsplan',
  },
  {
    kinds: { medication: 0.6 },
    words:
      '(?:something|anything) (?:for|against)|algo (?:para|contra)|etwas gegen|was gegen|(?:take|takes|taking)(?! out| care)|(?:am|is|are) (?:i|he|she|they) on|tomo|tomando|nehme|nehmen|nimmt|einnehmen',
  },
  { kinds: { condition: 0.5 }, words: 'why|what for|warum|wofur|weshalb|por que' },
  {
    kinds: { visit: 1 },
    words:
      'where (?:was|were|am|is) (?:i|he|she|they) (?:treated|seen)|wo (?:wurde|war)|donde (?:me|lo|la|le) (?:atendieron|trataron)',
  },
  { kinds: { allergy: 1 }, words: 'nkd?a|nkfa' },
  { kinds: { medication: 0.6 }, words: 'refills?' },
  {
    kinds: { procedure: 0.6 },
    words:
      '(?:taken|take|took) out|removed?|cut out|extirpad[oa]s?|sacaron|quitaron|entfernt|herausgenommen|rausgenommen',
  },
  {
    kinds: { immunization: 1 },
    words:
      'vaccin(?:es?|ations?|ated)|immuni[sz](?:ations?|ed)|inoculat(?:ed|ions?)|jabbed|boosters?|refuerzos?|vacunas?|vacunacion(?:es)?|vacunad[oa]s?|inmunizad[oa]s?|inmunizacion(?:es)?|immunisiert|immunisierung(?:en)?|impf(?:ungen|ung|stoffe?|pass|status)|auffrisch(?:ung|ungen|impfung|impfungen|ungsimpfung)|geimpft',
  },
  {
    kinds: { immunization: 0.8, medication: 0.5 },
    words: 'shots?|jabs?|injections?|inyeccion(?:es)?|spritzen?',
  },
  {
    kinds: { procedure: 1 },
    words:
      'operations?|operated(?: on)?|surger(?:y|ies)|surgical history|procedures?|operacion(?:es)?|operad[oa]|operaron|opero|cirugias?|procedimientos?|operation(?:en)?|operiert|eingriffe?n?|ops?',
  },
  {
    kinds: { visit: 1 },
    words:
      'visits?|visited|appointments?|encounters?|admissions?|admitted|hospitali[sz](?:ations?|ed)|hospital stays?|citas?|consultas?|visitas?|ingresos?|ingresaron|internad[oa]|internaron|hospitalizaron|hospitalizad[oa]|hospitalizacion(?:es)?|arztbesuche?|besuche?|termine?|krankenhausaufenthalte?|aufenthalte?',
  },
  {
    kinds: { condition: 1 },
    words:
      '(?:being )?treated for|wrong with (?:me|him|her|them)|(?:fall |fell )?(?:ill|sick)(?: with)?|suffer(?:s|ed|ing)? from|(?:esta |estuvo )?enferm[oa](?: de)?|krank|was fehlt (?:mir|ihm|ihr)|diagnos(?:is|es|ed|tic)(?: with)?|conditions?|(?:medical |health )?problems?(?: list)?|illness(?:es)?|diseases?|diagnosticos?|diagnosticad[oa]|enfermedad(?:es)?|problemas de salud|diagnosen?|erkrankung(?:en)?|krankheit(?:en)?|vorerkrankungen',
  },
  {
    kinds: { lab: 1 },
    words:
      'lab(?:s|oratory)?(?: (?:results?|values?|tests?|work))?|blood ?(?:work|tests?|results?)|analisis(?: de sangre)?|analitica|resultados de laboratorio|laborwerte?n?|blutwerte?n?|laborbefunde?|labor|bluttests?',
  },
  {
    kinds: { lab: 0.5, vital: 0.3 },
    words:
      'results?|levels?|values?|readings?|measurements?|resultados?|nivel(?:es)?|valor(?:es)?|ergebnisse?|werte?|messwerte?|spiegel',
  },
  {
    kinds: { lab: 0.6, procedure: 0.4, survey: 0.3 },
    words:
      'tests?|tested|exams?|examined|screenings?|screened|checked|pruebas?|examen(?:es)?|untersuchung(?:en)?|untersucht|getestet',
  },
  {
    kinds: { vital: 1 },
    words: 'vitals?(?: signs?)?|signos vitales|constantes vitales|vitalwerte?|vitalzeichen',
  },
  {
    kinds: { note: 1 },
    words: '(?:clinical |progress )?notes?|notas?(?: medicas?| clinicas?)?|arztbriefe?|notizen?',
  },
  { kinds: { document: 1, note: 0.5 }, words: 'documents?|letters?|documentos?|cartas?|dokumente?|briefe?' },
  {
    kinds: { care_team: 1, visit: 0.4 },
    words:
      'doctors?|physicians?|pcp|primary care (?:doctor|physician|provider)|providers?|care ?teams?|care givers?|caregivers?|nurses?|specialists?|medic[oa]s?|doctor[ae]?s?|equipo (?:medico|de atencion|de cuidados)|arzt(?:e|in|innen)?|hausarzt|hausarztin|behandlungsteam|facharzt|my team|treats me|treating me|(?:takes?|taking) care of|looks? after|kummert sich um|se encarga de',
  },
  {
    kinds: { care_plan: 1 },
    words:
      'care ?plans?|treatment plans?|plan(?:es)? de (?:cuidados?|tratamiento|atencion)|behandlungsplan|pflegeplan|therapieplan',
  },
  {
    kinds: { goal: 1 },
    words: 'goals?|(?:treatment |health )?targets?|objetivos?|metas?|ziele?n?|therapieziele?',
  },
  {
    kinds: { device: 1 },
    words: 'devices?|implants?|implanted|dispositivos?|implantes?|gerate?n?|implantate?n?|hilfsmittel',
  },
  {
    kinds: { survey: 1 },
    words:
      'surveys?|questionnaires?|assessments?|scores?|cuestionarios?|encuestas?|fragebogen|puntuacion(?:es)?',
  },
  {
    kinds: { social_history: 1 },
    words: 'social history|lifestyle|historia social|antecedentes sociales|sozialanamnese|lebensstil',
  },
  {
    kinds: { imaging: 1, procedure: 0.4 },
    words:
      'pictures?|imaging(?: stud(?:y|ies)| tests?)?|scans?|scanned|radiology|radiografias?|imagenes(?: medicas)?|bildgebung|aufnahmen?|rontgenbilder',
  },
  {
    kinds: { order: 1 },
    words:
      'still to (?:be done|do|come)|planned|scheduled|upcoming|programad[oa]s?|pendientes?|geplante?[nrs]?|orders?|ordered|referrals?|referred|derivacion(?:es)?|ordenes(?: medicas)?|uberweisung(?:en)?|anordnung(?:en)?',
  },
  {
    kinds: { coverage: 1 },
    words:
      '(?:health |medical )?insurances?|insured|insurers?|coverages?|covered by|(?:insurance )?covers|payers?|pays? for|paid for|health plan|policy|seguros?(?: medicos?| de salud)?|asegurad[oa]|aseguradora|(?:kranken)?versicherung(?:en)?|krankenkasse|versichert',
  },
];

/** The plain words among them, for spelling. */
export const KIND_NAMES: readonly string[] =
  `medication medicine prescription allergy allergic vaccine vaccination immunization surgery operation procedure appointment
  hospitalization diagnosis laboratory insurance coverage doctor physician specialist questionnaire referral
  medicamento medicina alergia alérgico vacuna cirugía operación diagnóstico seguro médico
  Medikamente Allergie Impfung Operation Diagnose Versicherung Krankenkasse Laborwerte`.split(/\s+/);

const RULES = [
  ...KIND_WORDS.map(({ kinds, words }) => ({ kinds, pattern: compilePattern(`(?:${words})`), subset: null })),
  ...SUBSET_RULES,
].map((rule) => ({ ...rule, kinds: Object.entries(rule.kinds) as [Kind, number][] }));

/** What of a text names a kind of entries. */
export interface KindExpression extends Span {
  kinds: readonly AskedKind[];
  /** Which entries of these are asked for; null: all. */
  subset: AskedSubset | null;
}

/** Finds them; of one inside another ("seguro médico") the longer one. */
export function findKinds(text: string): KindExpression[] {
  const found = RULES.flatMap(({ kinds, subset, pattern }) =>
    findMatches(text, pattern).map(({ span }) => ({
      ...span,
      subset,
      kinds: kinds.map(([kind, weight]) => ({ kind, weight })),
    })),
  );
  return found.filter((each) => !found.some((other) => isInside(each, other)));
}

/** Each kind once, by its greatest weight. */
export function mergeKinds(
  expressions: readonly (Pick<KindExpression, 'kinds'> & Partial<Pick<KindExpression, 'subset'>>)[],
): AskedKind[] {
  const weights = new Map<Kind, number>();
  for (const { kind, weight } of expressions.flatMap(({ kinds }) => kinds))
    weights.set(kind, Math.max(weight, weights.get(kind) ?? 0));
  // "Which medicine am I allergic to" asks for allergies.
  if (weights.get('allergy') === 1 && !expressions.some(({ subset }) => subset === 'to-avoid'))
    weights.delete('medication');
  return [...weights]
    .map(([kind, weight]) => ({ kind, weight }))
    .sort((one, other) => other.weight - one.weight);
}

const RELATIVES =
  'mothers?|mom|mum|fathers?|dad|parents?|brothers?|sisters?|siblings?|sons?|daughters?|grand(?:mother|father|parent|ma|pa)s?|aunts?|uncles?|cousins?|relatives?|madre|padres?|hermanos?|hermanas?|abuel[oa]s?|hij[oa]s?|ti[oa]s?|familiares|mutter|vater|eltern|bruder|schwester|geschwister|grossmutter|grosvater|grossvater|grosmutter|grosseltern|oma|opa|tante|onkel|verwandten?';

/** Says that the question is about relatives; "family doctor" does not. */
const FAMILY = compilePattern(
  `(?:(?<history>family(?: medical| health)? (?:history|histories)(?: of)?|(?:runs? )?in (?:my|the) family|fhx|fam(?:ily)? hx|(?:antecedentes|historia|historial) familiar(?:es)?(?: de)?|en (?:mi|la) familia|familienanamnese|familiengeschichte|in (?:meiner|der) familie)|(?:my|mi|su|tu|meine|ihre|seine) (?:mama|papa)|(?:(?:my|mi|mis|meine?r?) )?(?:${RELATIVES})(?: s)?)`,
);

/** What says that relatives are asked about: their history, or a person. */
export interface FamilyExpression extends Span {
  isPerson: boolean;
}

export const findFamily = (text: string): FamilyExpression[] =>
  findMatches(text, FAMILY).flatMap(({ span, groups }) =>
    isAttack(text, span) ? [] : { ...span, isPerson: groups['history'] === undefined },
  );

/** "TIA" is a stroke that passed, "tía" an aunt. */
const isAttack = (text: string, { start, end }: Span): boolean => {
  const written = text.slice(start, end).trim();
  return written === 'TIA' || (written === 'tia' && text.trim() === written);
};
