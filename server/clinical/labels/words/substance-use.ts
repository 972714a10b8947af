import type { ClassWords } from './word-table.ts';

const SUBSTANCES = [
  'substances?|drugs?|narcotics?|opioids?|opiates?|cocaine|cannabis|cannabinoids?|marijuana|amphetamines?|methamphetamines?',
  'benzodiazepines?|barbiturates?|sedatives?|hypnotics?|stimulants?|hallucinogens?|inhalants?|polysubstance|polydrug|fentanyl|ketamine|alcohol|ethanol|etoh',
].join('|');
const USES = [
  'use(?! (?:review|evaluation|of))|us(?:e|ing) disorders?|users?|abus[a-z]+|misus[a-z]+|depend[a-z]+|addict[a-z]+|withdrawal|intoxicat[a-z]+|overdos[a-z]+',
  'poisoning|detox*|rehab*|screen*|problems?|consumption|intake|counsel*|tests?|cravings?|habits?|seeking|relapse|history',
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

/** Nicotine is no substance here. A bare "alcohol" is a swab as well as a habit; it counts where somebody drinks it. */
export const SUBSTANCE_USE_WORDS: ClassWords = {
  words: [
    ...withUse,
    'misus(?:es?|ing) (?:of )?(?:prescription )?(?:drugs?|alcohol|opioids?|substances?|medications?)|abus(?:es?|ing) (?:of )?(?:drugs?|alcohol|opioids?|substances?|medications?)|(?:addicted to|dependence on) (?:drugs?|alcohol|opioids?|substances?|medications?)',
    'drugs? of abuse|drugs? (?:paraphernalia|diversion)|(?:illicit|illegal|street|recreational|hard|injection|injecting|injected) drugs?|injects? drugs?|illicits|uses drugs|used drugs|use of drugs|needle exchange|track marks|chemical depend*|dual diagnosis|prescription (?:drug|opioid|medication) (?:misus|abus)*',
    ...TREATMENT,
    'smok(?:es|ed|ing) (?:weed|pot|crack)|crack pipe|weed use|benzos? (?:use|abus|misus|depend|addict)*|(?:percocet|oxycodone|oxycontin|vicodin|hydrocodone|xanax|adderall|pain (?:pill|medication|killer)s?|prescriptions?) (?:misus|abus|addict)*|doctor shopping|drug seeking|intoxicated|glue sniffing|sniff(?:s|ed|ing) glue|synthetic (?:marijuana|cannabinoid)*|magic mushrooms|chemsex|poppers',
    'beers? (?:daily|nightly|every (?:day|night))|glass(?:es)? of wine|quit drinking|last drink|wernicke(?!.?s? (?:aphasi|area))*|rehab(?:ilitation)? (?:for|from) (?:alcohol|drugs?|opioids?|substances?)|residential rehab*|(?:NA|AA) (?:group|sponsor)|sobriedad|borrach[oa]s?|porros|(?:bebe|toma) (?:[0-9]{1,2} |un[ao]s? |dos |tres |varias )?(?:cervezas?|copas?|vasos? de vino|tragos)',
    'overdos(?:e|es|ed|ing)',
    '(?<!(?:nicotine|tobacco|smoking|cigarette) )addict(?:ion|ions|ive|s|ed)?(?! to (?:nicotine|tobacco|smoking))',
    'alcoholi(?:sm|cs)|(?<!non )alcoholic(?! (?:beverages? contain|extract|solution))|(?<!(?:no|gel|geles|solucion|soluciones|preparado|base|lavado|friccion) )alcoholic[oa]s?|alcoholism*|alcoholi[sz]ad[oa]s?|alcoholemia',
    'alcohol (?:levels?|related|induced|associated|dependent|per (?:day|week)|use)|blood alcohol|alcohol(?= ?[:=])|(?:denies|denied|drinks?|drinking|occasional|social|rare|heavy|daily|excess(?:ive)?|hazardous|harmful) alcohol|(?<!(?:with|contains|containing) )no alcohol(?! (?:for|while|until|contain|or driv|swab|base|with))|delirium tremens|korsakof*|phosphatidylethanol|fosfatidiletanol|carbohydrate deficient transferrin|ethyl glucuronide|etoh(?! (?:wipe|swab|prep|ablation|inject|sclero))|ethanol(?= \\[)|ethanol (?:in (?:blood|serum)|levels?)',
    'drinks? (?:per|a|each|/) ?(?:day|week|night)|drinks?/(?:day|week|wk)|beers? (?:per|a|/) ?(?:day|week|night)|drinks? (?:(?:a|some|more|too much|heavily|socially|occasionally|hard|no) ){0,3}(?:alcohol|beers?|wine|liquor|vodka|whiske?y)|drinks (?:too much|heavily|socially)|(?:binge|heavy|problem|social|excessive|hazardous) drink(?:ing|ers?)|drinking (?:problem|habits?|history|status|questionnaire)|drunk(?:en|enness)?|sober|sobriety|teetotal*|alcoholics anonymous|narcotics anonymous|AA meetings?|twelve step program|12 step (?:program|meeting)',
    'audit~c|audit (?:score|questionnaire|total|screening)|alcohol use disorders? identification|dast(?:~10|~20)?|CAGE (?:questionnaire|score|screen|assessment|questions)|CAGE AID|CRAFFT|SBIRT|CIWA(?:~AR?)?|COWS (?:score|scale|protocol|assessment)|clinical opiate withdrawal|ASSIST (?:score|screening)|TAPS tool',
    'cocaine|heroin|methamphetamines?|crystal meth|meth (?:use|abuse|user|addict)*|marijuana|marihuana|cannabis|cannabinoid*|tetrahydrocannabinol|cocaina|heroina|metanfetaminas?|crack cocaine|ecstasy|phencyclidine|fenciclidina|benzoylecgonine|psilocybin|kratom|hachis|cocainoman*|heroinoman*|(?<!mixed )amphetamines?(?! (?:aspartate|sulfate|saccharate|salts?))|(?<!sales de )anfetaminas?|opium',
    '(?:benzodiazepines?|barbiturates?|opiates?|opioids?|fentanyl|oxycodone|morphine|methadone)(?: (?:presence|screen|confirm*|\\[[^\\]]{1,40}\\]))? (?:in|of) urine|tox(?:icology)? screen*|u~tox|urine (?:drug|toxicology)|drug test(?:s|ing)?|toxicolog(?:y|ic|ical) (?:panel|urine|testing)|toxicologico (?:de|en) orina|screening toxicologico|examen toxicologico|antidoping|prueba(?:s)? de (?:drogas|alcohol)',
    'methadon*|metadona|levomethadon*|buprenorphin*|buprenorfina|naltrexon*|disulfiram*|acamprosat*|naloxon*|nalmefen*|lofexidin*|suboxone|subutex|sublocade|brixadi|buvidal|zubsolv|bunavail|probuphine|cassipa|vivitrol|revia|depade|antaxone|adepend|antabuse?|antabus|campral|narcan|kloxxado|evzio|zimhi|opvee|rivive|nyxoid|prenoxad|lucemyra|dolophine|polamidon|l~polamidon|methadose|selincro|distraneurine?|clomethiazole|clormetiazol|medication assisted treatment|opioid (?:substitution|agonist (?:therapy|treatment)|reversal)|suboxone clinic',
    'detox|detoxification (?:program|unit|center|treatment|from|admission)|desintoxicacion(?:es)?|deshabituacion|unidad de conductas adictivas|centro de atencion a las? (?:drogodependencias?|adicciones)',
    'drogadic*|drogodepend*|drogad[oa]s?|toxicoman*|adiccion*|adictiv[oa]s?|adict[oa]s?(?! al tabaco)|sobredosis|politoxicom*',
    '(?:abuso|consumo|dependencia|uso|intoxicacion|abstinencia|rehabilitacion|problemas?) (?:de|del|a|al|por|con)(?: la| las| el)? (?:bebidas? )?(?:alcohol|drogas?|sustancias?|opiaceos?|opioides?|cannabis|medicamentos recetados)|intoxicacion (?:alcoholica|etilica)|abstinencia (?:alcoholica|a opioides)|sindrome de abstinencia|consum(?:e|en|ia|idor*) (?:de )?(?:alcohol|drogas?|cannabis)|(?:bebe|toma) (?:alcohol|cerveza|vino)|drogas (?:ilegales|ilicitas|recreativas|de abuso|inyectables|intravenosas|por via)|usuari[oa]s? de drogas|ex~adict[oa]s?',
    'bebedor(?:a|es|as)?|ex~bebedor*|enolism*|enolic[oa]s?|etilism*|(?<!alcohol )etilic[oa]s?|borracher*|ebri[oa]s?|embriaguez|abstemi[oa]s?|deliri?um tremens|ex~(?:UDVP|ADVP)|UDVP|ADVP',
  ],
  exact: [
    'LSD|PCP|THC|MDMA|GHB|OUDs?|AUD(?! (?:CLINIC|EVAL|CONSULT|HEARING|EXAM))|SUDs?|IVDU|IVDA|PWID|MOUD|MAUD|PEth|EtG|BAC|DTs|EtOH',
    'MAT(?= (?:program|clinic|provider|for))|UDS(?= ?(?:[+:]|pos|neg|POS|NEG))',
  ],
};
