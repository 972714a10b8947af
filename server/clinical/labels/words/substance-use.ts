import { listWordsOfUse } from './alcohol.ts';
import { notWith } from './combined-drugs.ts';
import type { ClassWords } from './word-table.ts';

const SUBSTANCES = [
  'substances?|drugs?|narcotics?|opioids?|opiates?|cocaine|cannabis|cannabinoids?|marijuana|amphetamines?|methamphetamines?',
  'benzodiazepines?|barbiturates?|sedatives?|hypnotics?|stimulants?|hallucinogens?|inhalants?|polysubstance|polydrug|fentanyl|ketamine|alcohol|ethanol|etoh',
].join('|');
const USES = [
  'use(?! (?:review|evaluation|of))|us(?:e|ing) disorders?|users?|abus[a-z]+|misus[a-z]+|depend[a-z]+|addict[a-z]+|withdrawal|intoxicat[a-z]+|overdos[a-z]+',
  'poisoning|detox*|rehab*|screen*|scrn|problems?|consumption|intake|counsel*|tests?|cravings?|habits?|seeking|relapse|history',
].join('|');
/** A drug "test" or "history" is not always one of abuse; these are. */
const withUse = SUBSTANCES.split('|').map((name) =>
  name === 'drugs?'
    ? `drugs? (?:related |induced )?(?:${USES.replace('|history', '').replace('tests?', 'test(?:s|ing)?')})`
    : `${name} (?:related |induced )?(?:${USES})`,
);

/** Who treats the use of drugs is known by its name; "drug treatment" alone is any medicine's. */
const TREATMENT = [
  '(?:opioids?|opiates?|narcotics?|drugs?|substances?|alcohol|SUD) (?:addiction )?(?:treatment|recovery|rehab*) (?:program|service|cent(?:er|re)|clinic|unit|facilit|court|provider)*',
  '(?:drugs?|substances?) (?:and|or|&) (?:alcohol|drugs?) (?:treatment|recovery|service|program|unit|clinic)*|alcohol (?:(?:and|or|&) (?:other )?(?:drugs?|substances?) )?(?:treatment|recovery|service|program|clinic)*|drug courts?|recovery (?:residence|housing)',
  '(?:opioid|opiate|narcotic) (?:replacement|maintenance|substitution|agonist) (?:therap|treatment|program)*|OTP (?:clinic|program|provider|visit|dose|dosing|enrol)*|(?<!steroids? )withdrawal management|ASAM (?:level|criteria|dimension|placement)*',
  '(?:syringe|needle) (?:and (?:syringe|needle) )?(?:service|exchange|access|program)*|(?:supervised|safe) (?:consumption|injection|injecting) (?:sites?|rooms?|facilit*|cent*)|harm reduction (?:program|service|cent|clinic|kit|suppl|counsel)*',
  'programas? de (?:tratamiento|mantenimiento|sustitucion|intercambio|rehabilitacion) (?:con|de|por|para|a) (?:la |el |las |los )?(?:consumo|opioides?|opiaceos?|metadona|drogas?|alcohol*|sustancias|jering*)',
  '(?:tratamiento|terapia) (?:sustitutiv[oa]|de (?:sustitucion|reemplazo|mantenimiento))(?: (?:con|de|por|para))? (?:opioides?|opiaceos?|metadona)|tratamiento (?:de|del|para|por|contra) (?:la |el |las )?(?:consumo|alcohol|drogas?|sustancias)|intercambio de jering*|sala de consumo (?:supervisad|higienic)*|reduccion de danos',
];

/** A sentence or an item of a list begins here; within one it is of a person: "tries to avoid alcohol use". */
const BEGINNING =
  '(?<=(?:^|[\\n\\r>.;!?]|(?:warnings?|instructions|caution|advertencia|precaucion):)[\\s"]{0,9}(?:(?:-|\\x2a|\\u2022|\\u00b7|[0-9]{1,2}(?:[.]|\\)))[\\s]{1,3})?(?:please |por favor,? )?)';

/** What a leaflet says of a medicine ("Avoid alcoholic drink", "Do not drink alcohol") is said to everybody. */
const NOT_WARNED = `(?<!${BEGINNING}(?:avoid|do not|don.?t|evite|evitar|eviten|no (?:beba|tome|ingiera|consuma))(?: (?:drink|drinking|consuming|taking|using|any|all|the|use of|with|el|la|las|los|de|consumo|ingesta|beber|tomar|bebidas?|driving and)){0,4} )`;

/** Alcohol in the blood. */
const MEASURED =
  '(?:ethanol|etanol|ethyl alcohol|alcohol),? \\(?(?:ethyl\\)?,? )?\\(?(?:in )?(?:blood|serum|plasma|urine|ur|lvl|levels?|quant*|qual*|medical|b|s|screen)\\)?(?! (?:culture|stain))|(?:serum|blood|urine|plasma|breath) (?:ethanol|alcohol)|(?:ethanol|ethyl alcohol|alcohol, ethyl|BAL),? [<>]?[0-9]{1,4}(?:[.][0-9]{1,2})? ?mg/dl|(?:etanol|alcohol) (?:en|serico|de) (?:sangre|suero|orina)|etanol serico';

/** Words as they stand in a sentence, at its beginning, and in capitals. */
const inEachCase = (words: string): string =>
  words
    .split('|')
    .map((word) => `${word}|${word.replace(/[a-z]/, (letter) => letter.toUpperCase())}|${word.toUpperCase()}`)
    .join('|');

const BEFORE_PCP = inEachCase(
  'urine|ur|serum|is on|was on|while on|currently on|smokes|smoked|smoking|uses|used|using|abuses|abused|abusing|abuse of|use of|took|ingested|ingestion of|snorts|snorted|intoxicated|intoxicated with|intoxicated by|intoxication with|intoxication from|high on|positive for|negative for|pos for|neg for|tested for|denies|denied|denying|history of|hx|hx of|h/o|laced with|dipped in|mixed with|influence of|addicted to|withdrawal from|overdose of|consumo de|uso de|abuso de|consume|niega|intoxicacion por|dependencia de|uds|uds:|uds[+]|opiate|opiates|opioid|opioids|barb|barbs|barbiturates|benzo|benzos|benzodiazepine|benzodiazepines|amphetamines|tca|mdma|thc',
);
const BEHIND_PCP = inEachCase(
  'screen|screening|scrn|qual[a-z]{0,9}|quant[a-z]{0,9}|conf|confirm[a-z]{0,9}|cutoff|metab[a-z]{0,9}|urine|ur|u|dau|in urine|in blood|in serum|in system|en orina|en sangre|level|levels|use(?! of)|user|users|abuse[a-z]{0,2}|intox[a-z]{0,9}|depend[a-z]{0,9}|overdose[a-z]{0,2}|drug|withdrawal|delirium|psychosis|induced|toxicity|addict[a-z]{0,4}|phencyc[a-z]{0,7}',
);
const OF_PCP = inEachCase(
  'positive|pos|negative|neg|positivo|negativo|not detected|not det|none detected|none det|no detectado|detected|detectado|absent|presumptive',
);

/** PCP is primary care, and a pneumonia, unless somebody takes it or is tested for it. */
const PHENCYCLIDINE = [
  `(?<=(?<![A-Za-z])(?:${BEFORE_PCP}|U|(?:${inEachCase('opiates?|opioids?|benzos?|amphetamines?|cocaine|heroin|cannabis|marijuana|thc|mdma|tca')})(?: and| or|,|/|;)) ?)PCP(?!.s(?![a-z])| (?:at|from|office|clinic|visit|appointment|for|and (?:his|her|their)|follow|changes?|prophyl|ppx|PPX|pneumo|PNA|care|referral|name)|[:] ?(?:Dr|MD))`,
  `PCP,? \\(?(?:${BEHIND_PCP})\\)?(?! (?:for|FOR|visit|VISIT|exam|colono|mammo|and lab))`,
  `PCP ?[+]|PCP(?:(?: ?[:=,-])? ?(?:result ?)?(?:${OF_PCP})| ?[:=]? ?[<>]? ?[0-9.]{1,6} ?(?:ng|ug|mcg)*)`,
  'PCP(?= ?[,/;] ?(?:and |AND )?(?:[Oo]piat|[Oo]pioid|[Bb]arb|[Bb]enzo|[Aa]mphet|[Mm]etha|[Pp]ropox|[Oo]xycod|[Ff]entan|OPIAT|BARB|BENZO|AMPHET|METHA|PROPOX|OXYCOD|FENTAN|TCA|THC|MDMA|LSD))',
];

/** Nicotine is no substance here. A bare "alcohol" is a swab as well as a habit; it counts where somebody drinks it. */
export const SUBSTANCE_USE_WORDS: ClassWords = {
  words: [
    ...withUse,
    ...listWordsOfUse(NOT_WARNED),
    'misus(?:es?|ing) (?:of )?(?:prescription )?(?:drugs?|alcohol|opioids?|substances?|medications?)|abus(?:es?|ing) (?:of )?(?:drugs?|alcohol|opioids?|substances?|medications?)|(?:addicted to|dependence on) (?:drugs?|alcohol|opioids?|substances?|medications?)',
    'drugs? of abuse|drugs? (?:paraphernalia|diversion)|(?:illicit|illegal|street|recreational|hard|injection|injecting|injected) drugs?|injects? drugs?|illicits|uses drugs|used drugs|use of drugs|needle exchange|track marks|chemical depend*|dual diagnosis|prescription (?:drug|opioid|medication) (?:misus|abus)*',
    ...TREATMENT,
    'smok(?:es|ed|ing) (?:weed|pot|crack)|crack pipe|weed use|benzos? (?:use|abus|misus|depend|addict)*|(?:percocet|oxycodone|oxycontin|vicodin|hydrocodone|xanax|adderall|pain (?:pill|medication|killer)s?|prescriptions?) (?:misus|abus|addict)*|doctor shopping|drug seeking|intoxicated|glue sniffing|sniff(?:s|ed|ing) glue|synthetic (?:marijuana|cannabinoid)*|magic mushrooms|chemsex|poppers',
    'beers? (?:daily|nightly|every (?:day|night))|(?:pints?|fifths?|bottles?|shots?|liters?|handles?) of (?:vodka|whiske?y|bourbon|liquor|hard liquor|rum|gin|tequila|beer|wine)|(?:6|six|12|twelve|18|30)~pack (?:of beers?|a day|per day|daily|a night|nightly)|standard drinks|(?:cervezas?|copas?|tragos?|vasos? de vino) ?(?:/|al|por) ?(?:dia|semana|noche)|glass(?:es)? of wine|quit drinking|last drink|wernicke(?!.?s? (?:aphasi|area))*|rehab(?:ilitation)? (?:for|from) (?:alcohol|drugs?|opioids?|substances?)|residential rehab*|(?:NA|AA) (?:group|sponsor)|sobriedad|borrach[oa]s?|porros|(?:bebe|toma) (?:[0-9]{1,2} |un[ao]s? |dos |tres |varias )?(?:cervezas?|copas?|vasos? de vino|tragos)',
    'overdos(?:e|es|ed|ing)',
    '(?<!(?:nicotine|tobacco|smoking|cigarette) )addict(?:ion|ions|ive|s|ed)?(?! to (?:nicotine|tobacco|smoking))',
    `alcoholi(?:sm|cs)|(?<!non )${NOT_WARNED}alcoholic(?! (?:beverages? contain|extract|solution))|(?<!(?:no|gel|geles|solucion|soluciones|preparado|base|lavado|friccion) )${NOT_WARNED}alcoholic[oa]s?|alcoholism*|alcoholi[sz]ad[oa]s?|alcoholemia`,
    `${NOT_WARNED}alcohol (?:levels?|related|induced|associated|dependent|per (?:day|week)|use|w/d)|alcohol/(?:day|week|wk)|blood alcohol|alcohol(?= ?[:=])|${NOT_WARNED}(?:denies|denied|drinks?|drinking|occasional|social|rare|heavy|daily|excess(?:ive)?|hazardous|harmful) alcohol|(?<!(?:with|contains|containing) )no alcohol(?! (?:for|while|until|contain|or driv|swab|base|with))|delirium tremens|korsakof*|phosphatidylethanol|fosfatidiletanol|carbohydrate deficient transferrin|ethyl glucuronide|etoh(?! (?:wipe|swab|prep|ablation|inject|sclero))|ethanol(?= \\[)|${MEASURED}`,
    `(?:drinks?|beers?) (?:per|a|each) (?:day|week|night|weekend)|(?:drinks?|beers?) ?/ ?(?:day|d|week|wk|night)|${NOT_WARNED}drinks? (?:(?:a|some|more|too much|heavily|socially|occasionally|hard|no) ){0,3}(?:alcohol|beers?|wine|liquor|vodka|whiske?y)|drinks (?:too much|heavily|socially)|(?:binge|heavy|problem|social|excessive|hazardous) drink(?:ing|ers?)|drinking (?:problem|habits?|history|status|questionnaire)|drunk(?:en|enness)?|sober|sobriety|teetotal*|alcoholics anonymous|narcotics anonymous|(?:AA|NA) meetings?|attends AA|twelve step program|12 step (?:program|meeting)`,
    'audit~c|audit (?:score|questionnaire|total|screening)|alcohol use disorders? identification|dast(?:~10|~20)?|CAGE (?:questionnaire|score|screen|assessment|questions)|CAGE AID|CRAFFT|SBIRT|CIWA(?:~AR?)?|COWS (?:score|scale|protocol|assessment)|clinical opiate withdrawal|ASSIST (?:score|screening)|TAPS tool',
    'cocaine|heroin|methamphetamines?|crystal meth|meth (?:use|abuse|user|addict)*|marijuana|marihuana|cannabis|cannabinoid*|tetrahydrocannabinol|cocaina|heroina|metanfetaminas?|crack cocaine|ecstasy|phencyclidine|fenciclidina|angel dust|(?:mono)?acetylmorphin*|(?:mono)?acetilmorfin*|6~MAM|norbuprenorphin*|benzoylecgonine|psilocybin|kratom|hachis|cocainoman*|heroinoman*|(?<!mixed )amphetamines?(?! (?:aspartate|sulfate|saccharate|salts?))|(?<!sales de )anfetaminas?|opium',
    '(?:benzodiazepines?|barbiturates?|opiates?|opioids?|fentanyl|oxycodone|morphine|methadone)(?: (?:presence|screen|scrn|confirm*|\\[[^\\]]{1,40}\\]))?(?: (?:in|of)|,)? (?:urine|ur)|(?:ur|urine),? (?:drug|tox)*|tox(?:icology)?,? (?:urine|ur)|tox(?:icology)? screen*|u~tox|drug test(?:s|ing)?|toxicolog(?:y|ic|ical) (?:panel|urine|testing)|toxicologico (?:de|en) orina|screening toxicologico|examen toxicologico|antidoping|prueba(?:s)? de (?:drogas|alcohol)',
    `methadon*|metadona|levomethadon*|bupreno*|bupren/*|bup(?:renorphin*)? ?[/-] ?(?:nal|nx)*|${notWith('bupropion', 'naltrexon*')}|naltrex|disulfiram*|acampros*|${notWith('ox[iy]cod[a-z]{0,9}|tilidin[a-z]{0,9}|pentazocin[a-z]{0,9}', 'nalox(?:on*)?')}|nalmefen*|lofexidin*|suboxone|subutex|sublocade|brixadi|buvidal|zubsolv|bunavail|probuphine|cassipa|vivitrol|revia|depade|antaxone|adepend|antabuse?|antabus|campral|narcan|kloxxado|evzio|zimhi|opvee|rivive|nyxoid|prenoxad|lucemyra|dolophine|polamidon|l~polamidon|methadose|selincro|distraneurine?|clomethiazole|clormetiazol|medication assisted treatment|opioid (?:substitution|agonist (?:therapy|treatment)|reversal)|suboxone clinic|peer recovery|recovery coach*`,
    'detox|detoxification (?:program|unit|center|treatment|from|admission)|desintoxicacion(?:es)?|deshabituacion|unidad de conductas adictivas|centro de atencion a las? (?:drogodependencias?|adicciones)',
    'drogadic*|drogodepend*|drogad[oa]s?|toxicoman*|adiccion*|adictiv[oa]s?|adict[oa]s?(?! al tabaco)|sobredosis|politoxicom*',
    `${NOT_WARNED}(?:abuso|consumo|ingesta|dependencia|uso|intoxicacion|abstinencia|rehabilitacion|problemas?)(?: (?:de riesgo|perjudicial|nociv[oa]|excesiv[oa]|problematic[oa]|abusiv[oa]|cronic[oa]|activ[oa]|diari[oa]|habitual|social|ocasional|esporadic[oa]|recreativ[oa]|moderad[oa]|elevad[oa]|importante|intens[oa]|grave|severa?|leve|previ[oa]|concomitante|indebid[oa]|ilicit[oa])(?: (?:y|o|e))?){0,3} (?:de|del|a|al|por|con)(?: la| las| el)? (?:bebidas? )?(?:alcohol|drogas?|sustancias?|toxicos|opiaceos?|opioides?|cannabis|medicamentos recetados)|intoxicacion (?:alcoholica|etilica)|abstinencia (?:alcoholica|a opioides)|sindrome de abstinencia|drogas (?:ilegales|ilicitas|recreativas|de abuso|inyectables|intravenosas|por via)|usuari[oa]s? de drogas|ex~adict[oa]s?|toxicos en orina`,
    'bebedor(?:a|es|as)?(?! de (?:cafe|te|leche|agua|mate|refrescos?|jugos?)(?![a-z]))|ex~bebedor*|enolism*|enolic[oa]s?|etilism*|(?<!alcohol )etilic[oa]s?|borracher*|ebri[oa]s?|embriaguez|abstemi[oa]s?|deliri?um tremens|ex~(?:UDVP|ADVP)|UDVP|ADVP',
  ],
  exact: [
    'LSD|THC|MDMA|GHB|OUDs?|AUD(?! (?:CLINIC|EVAL|CONSULT|HEARING|EXAM))|SUDs?|IVDU|IVDA|PWID|MOUD|MAUD|AODA|LADC|CADC|OBOT|PWUD|PEth|EtG|BAC|DTs|EtOH',
    'MAT(?= (?:program|clinic|provider|for))|UDS(?= ?(?:[+:]|pos|neg|POS|NEG))',
    ...PHENCYCLIDINE,
  ],
};
