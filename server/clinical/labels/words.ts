import type { CodedClass } from './code-lists.ts';

/**
 * Words by class, English and Spanish, each a whole word or the beginning of one (`\w*`), in either case. A negative result
 * counts as a positive one does: that somebody was tested discloses as much.
 */
const WORDS: Readonly<Record<CodedClass, readonly string[]>> = {
  HIV_OR_STI: [
    'HIV(?:-?[12])?',
    'VIH',
    'human immunodeficiency virus',
    'inmunodeficiencia humana',
    'acquired immun\\w+ deficiency',
    'CD4\\+?',
    '(?:anti)?retrovir(?:al|us)\\w*',
    'antirretroviral\\w*',
    '(?:zido|lami|sta)vudine|didanosine|abacavir|tenofovir|emtricitabine|efavirenz|nevirapine|etravirine|rilpivirine|doravirine',
    '(?:dolute|bicte|ralte|elvite|cabote)gravir|(?:daru|ataza|lopi|nelfi|saqui|indi|fosampre|tipra)n?avir|cobicistat|maraviroc|enfuvirtide|ibalizumab|fostemsavir|lenacapavir',
    '(?<!nirmatrelvir\\b.{0,60})ritonavir',
    'truvada|descovy|biktarvy|genvoya|atripla|triumeq|dovato|juluca|odefsey|stribild|symtuza|prezista|isentress|tivicay|apretude|cabenuva|sunlenca',
    'sexually transmitted',
    'transmisi[oó]n sexual',
    'venere(?:al|o)\\w*',
    'syphilis|s[ií]filis|(?:neuro)?lues|treponem\\w*',
    'gon+orr(?:h?o?ea|hoeae|hea)\\w*|gonorrhoeae|gonococ\\w*|gonorrea',
    'ch?lamydia(?! (?:pneumoniae|psittaci))\\w*|clamidia\\w*',
    'trichomon\\w*|tricomon\\w*',
    '(?:ano)?genital (?:herpes|warts?)|herpes (?:genital\\w*|simplex (?:virus )?(?:type )?2)|verrugas genitales|condylom\\w*|condilom\\w*|chancroid|chancroide|lymphogranuloma venereum',
    '(?:HPV|VPH|human papill?oma ?virus|papiloma humano)(?![^a-z]{1,3}(?:vaccin|vacun|(?:quadri|bi|nona)val|9-?val|types? ))',
  ],
  SUBSTANCE_USE_OR_DRUG_ABUSE: [
    '(?:substance|drugs?|narcotics?|opi(?:oid|ate)s?|cocaine|cannabis|marijuana|amphetamines?|methamphetamine|benzodiazepines?|sedatives?|hypnotics?|stimulants?|hallucinogens?|inhalants?|polysubstance|alcohol)[- ](?:related |induced )?(?:use(?! (?:review|evaluation|of))|us(?:e|ing) disorders?|abus\\w+|misus\\w+|depend\\w+|addict\\w+|withdrawal|intoxicat\\w+|overdos\\w+|poisoning|detox\\w*|rehab\\w*|screen\\w*|problems?|consumption|intake|counsel\\w*)',
    '(?:misuses?|abuses?|misusing|abusing|addicted to|dependence on|drinks?) (?:of )?(?:drugs?|alcohol|opioids?|substances?|medications?)',
    'drugs? of abuse',
    'overdose',
    '(?<!nicotine |tobacco |smoking |cigarette )addict(?:ion|ions|ive|s)?(?! to (?:nicotine|tobacco|smoking))',
    'alcoholi(?:sm|cs)|(?<!non[- ])alcoholic(?! (?:beverages? contain|extract|solution))|alcohol[ií]smo|alc[oó]hol[ií]c[oa]s?|audit-?c|dast(?:-?10)?|drinks? (?:per|a) (?:day|week)',
    'cocaine|heroin|methamphetamines?|marijuana|marihuana|cannabis|coca[ií]na|hero[ií]na|metanfetaminas?|crack cocaine|ecstasy',
    'methadone|metadona|buprenorphine|buprenorfina|naltrexone|naltrexona|disulfiram|acamprosate|naloxone|naloxona|suboxone|subutex|sublocade|vivitrol|antabuse|narcan|lofexidine',
    'detox(?:ification)?(?= (?:program|unit|center|treatment|from|admission))|sobriety|alcoholics anonymous|narcotics anonymous',
    'drogadic\\w*|drogodepend\\w*|toxicoman\\w*|adicci[oó]n\\w*|adict[oa]s?(?! al tabaco)|sobredosis',
    '(?:abuso|consumo|dependencia|uso|intoxicaci[oó]n|abstinencia) (?:de|del|a|al|por)(?: la| las| el)? (?:alcohol|drogas?|sustancias?|opi[aá]ceos|opioides|cannabis)',
  ],
  MENTAL_HEALTH: [
    '(?<!ST |ST-|ST segment |segment |T[- ]wave |respiratory |breathing |marrow |myelo|myocardial |CNS |immune |inbreeding |cardiac |skull |PR |J[- ]point )depress(?:ion|ive|ed mood)(?! (?:of (?:the )?(?:ST|bone|skull|respirat\\w+|marrow)|fracture))',
    'antidepress\\w*|antidepresiv\\w*|depresi[oó]n(?! (?:respiratoria|del ST))|depresiv\\w*',
    'anxiety|anxiolytic\\w*|ansiedad|ansiol[ií]tic\\w*',
    'psychiatr\\w*|psiqui[aá]tr\\w*|psycholog\\w*|psicol[oó]g\\w*|psychothera\\w*|psicoterap\\w*|psychos[ei]s|psychotic\\w*|antipsychotic\\w*|psicosis|psic[oó]tic\\w*|psychotropic\\w*|psychopath\\w*',
    'schizo\\w*|esquizo\\w*',
    'bipolar (?:I|II|1|2|type|affective|depress\\w*|mania|disorder|mood)|trastorno bipolar|mani[ac](?:al?)? (?:episode|depress\\w*|phase)|hypomani\\w*|cyclothym\\w*|dysthym\\w*|distimi\\w*',
    'suicid\\w*|para-?suicid\\w*|self[- ](?:harm\\w*|injur\\w*|mutilat\\w*)|autolesi\\w*|autolit\\w*',
    'post-?[ -]?traumatic stress|estr[eé]s postraum[aá]tico|attention[- ]deficit|d[eé]ficit de atenci[oó]n|obsessive|obsesivo',
    'panic (?:disorder|attack)s?|(?:ataques?|trastorno) de p[aá]nico|(?:agora|social |school )phobi\\w*|phobic',
    '(?:anorexia|bulimia) nervosa|bulimi\\w*|eating disorders?|trastornos? alimentari\\w*|binge[- ]eating',
    'mental(?:ly)? (?:health|ill\\w*|disorder\\w*|hygiene)|salud mental|enfermedad(?:es)? mental(?:es)?|trastornos? (?:mental\\w*|del [aá]nimo|afectiv\\w*|de (?:la )?personalidad|de ansiedad|depresiv\\w*)|behaviou?ral health|(?:mood|personality|conduct|dissociative|adjustment|somatoform|delusional|impulse control) disorders?',
    'PHQ-?(?:2|4|8|9|A)|GAD-?[27]|edinburgh postnatal|columbia suicide|beck depression|hamilton depression',
    'electroconvulsive|cognitive[- ]behaviou?r\\w*|terapia cognitiv\\w*',
    '(?:sertra|fluoxe|paroxe|fluvoxam|desvenlafax|venlafax|atomoxe|duloxe)(?:line|tine|ine)|(?:es)?citalopram|bupropion|mirtazapine|trazodone|vortioxetine|vilazodone|nefazodone|amitriptyline|nortriptyline|clomipramine|imipramine|phenelzine|buspirone',
    'quetiapine|olanzapine|risperidone|paliperidone|aripiprazole|ziprasidone|lurasidone|clozapine|haloperidol|chlorpromazine|cariprazine|brexpiprazole|asenapine|iloperidone|fluphenazine|perphenazine|lithium carbonate|methylphenidate|lisdexamfetamine|dexmethylphenidate|(?:dextro)?amphetamine (?:aspartate|sulfate|saccharate)|guanfacine',
    'sertralina|fluoxetina|paroxetina|venlafaxina|risperidona|olanzapina|quetiapina|litio|mirtazapina|zoloft|prozac|lexapro|celexa|paxil|wellbutrin|effexor|cymbalta|seroquel|zyprexa|risperdal|abilify|adderall|ritalin|concerta|vyvanse|strattera',
  ],
  GENETIC_TESTING: [
    'genetic (?:test\\w*|screen\\w*|counsel\\w*|analys\\w*|variant\\w*|mutation\\w*|carrier\\w*|predisposition|susceptib\\w*|risk|profil\\w*|report|stud(?:y|ies)|panel|marker\\w*|disease|disorder)',
    'gen[eé]tic[oa]s?|gen[oó]mic[oa]s?|genomic\\w*|genome|genotyp\\w*|genotipo|pharmacogen\\w*|exome|exoma',
    'BRCA-?[12]?|karyotyp\\w*|cariotipo|chromosom\\w+ (?:analys\\w*|microarray|stud\\w*|abnormal\\w*)|cytogenet\\w*',
    '(?:gene|germ-?line|MLH1|MSH[26]|PMS2|CFTR|factor V leiden|JAK2|HFE|APOE|TP53|PALB2|CHEK2|KRAS|EGFR|BRAF) (?:mutation|variant|sequenc|test|gene|genotyp|deletion|duplication|analys|panel)\\w*',
    'lynch syndrome|huntington\\W?s? (?:disease|chorea)|li-fraumeni|carrier (?:screen\\w*|test\\w*)|mutation analysis|DNA (?:analysis|sequencing|test\\w*)|cell[- ]free (?:fetal )?DNA',
  ],
  REPRODUCTIVE_HEALTH_DATA: [
    'pregnan\\w*|embaraz\\w*|gravid(?:a|ity|ez)|primigravida|multigravida|gestat\\w*|gestaci\\w*|trimester|trimestre de',
    'abort\\w*|miscarr\\w*|stillb\\w*|ectopic pregnan\\w*|nacido muerto',
    'contracep\\w*|anticoncep\\w*|birth control|control (?:de la )?natal\\w*|intra-?uterine (?:contracepti\\w*|device|system)|dispositivo intrauterino|family planning|planificaci[oó]n familiar|condoms?|diaphragm fitting',
    '(?:in|sub)?fertil(?:ity|e)|infertilidad|fertilidad|in vitro fertili[sz]ation|fecundaci[oó]n|assisted reproduc\\w*|intrauterine insemination|sperm\\w*|semen|esperma\\w*|oocyte\\w*|ovulat\\w*|embryo transfer',
    '(?:ante|pre|post|peri)natal|obstetr\\w*|childbirth|labou?r and delivery|(?:c(?:a?e)sarean|cesarea|ces[aá]rea)\\w*|postpartum|posparto|puerper\\w*|(?:pre-?)?eclampsia|placent\\w*|amnio\\w*|midwi\\w*|fetal|foetal|fetus|feto|lactati\\w*|breast-?feeding|parto',
    'vasectom\\w*|tubal (?:ligation|sterili[sz]ation|occlusion)|ligadura (?:de trompas|tub[aá]rica)|salpingectom\\w*|hysterectom\\w*|histerectom\\w*|hysterosalping\\w*',
    'menstru\\w*|menarche|menarquia|amenorrh?\\w*|amenorrea|dysmenorrh?\\w*|dismenorrea|polycystic ovar\\w*|endometrio\\w*',
    'h?CG|choriogonadotropin|chorionic gonadotropin',
    'levonorgestrel|ethinyl estradiol|etonogestrel|norethi(?:ndrone|sterone)|norgestimate|drospirenone|desogestrel|medroxyprogesterone|mifepriston\\w*|misoprostol|ulipristal|clomi(?:phene|fene)|(?:21|24|28|84|91) day pack|nuvaring|mirena|kyleena|liletta|skyla|paragard|nexplanon|implanon|depo-?(?:provera|subq)|plan b one|yaz|yasmin|seasonique|natazia',
  ],
  SICKLE_CELL: [
    'sickl(?:e|ing)(?: |-)?(?:cell\\w*|hemoglobin|h[ae]moglobin|trait|disease|test|crisis|solubility|an[ae]mia)?',
    'drepanoc[ií]t\\w*|falciforme\\w*',
    'h[ae]moglobin S|hemoglobina S',
    'voxelotor|crizanlizumab|oxbryta|adakveo|endari',
  ],
};

/** The letters of a pattern in either case; it has no escapes. */
const inEitherCase = (pattern: string): string =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** What follows an abbreviation that has other meanings too. */
const TEST_CONTEXTS = inEitherCase('screen|test|panel|check|clinic|exposure|counsel|prevention|treatment');

/**
 * Words that are so written: "AIDS" is no hearing aid. An expression of their own, and not parts of the other one by a modifier
 * (`(?-i:…)`): a process that has compiled many expressions compiles further ones without optimizing, and V8 then found no
 * capitalized "Sickle" in the one with modifiers.
 */
const EXACT_WORDS: Readonly<Record<CodedClass, readonly string[]>> = {
  HIV_OR_STI: [
    '(?<!HEARING |VISUAL |HEAR |FIRST )AIDS|SIDA|PrEP',
    `ST[DI](?= (?:${TEST_CONTEXTS}))|ST[DI]s|ITS`,
    'RPR|VDRL',
  ],
  SUBSTANCE_USE_OR_DRUG_ABUSE: ['LSD|PCP|THC|MDMA'],
  MENTAL_HEALTH: ['(?:PTSD|TEPT|ADHD|TDAH|OCD|SSRI|SNRI)[sS]?'],
  GENETIC_TESTING: ['NIPT'],
  REPRODUCTIVE_HEALTH_DATA: ['IUDs?|DIU|LARC', 'IVF|FIV', 'PCOS|LMP'],
  SICKLE_CELL: ['Hb ?S(?:S|C)?|Hgb ?S(?:S|C)?'],
};

const CLASSES = Object.keys(WORDS) as CodedClass[];

/** One expression with a group for each class, so that a text is read once. */
const compileWords = (words: typeof WORDS, flags: string): RegExp =>
  new RegExp(
    `(?<![\\wÀ-ÿ])(?:${CLASSES.map((name) => `(${words[name].join('|')})`).join('|')})(?![\\wÀ-ÿ])`,
    flags,
  );

const EXPRESSIONS = [compileWords(WORDS, 'gi'), compileWords(EXACT_WORDS, 'g')];

const PART_2 = /\b42 ?C\.? ?F\.? ?R\.?,? ?(?:§ ?|parts? |pt\.? )2\b(?!\.?\d)/i;

/** Whether a text says that 42 CFR Part 2 applies to it, as the notice that must accompany such records does (§ 2.32). */
export const namesPart2 = (text: string): boolean => PART_2.test(text);

/** Returns the classes that a text mentions, as it is written and as it reads: "ＨＩＶ" with a joiner in it is still HIV. */
export function classifyText(text: string): Set<CodedClass> {
  const found = new Set<CodedClass>();
  const plain = toPlainLetters(text);
  for (const each of plain === text ? [text] : [text, plain]) findMentions(each, found);
  return found;
}

function findMentions(text: string, found: Set<CodedClass>): void {
  for (const expression of EXPRESSIONS)
    for (const match of text.matchAll(expression)) {
      if (found.size === CLASSES.length) return;
      found.add(readClass(match));
    }
}

/** Which group of the expression it was; never none, since what the word stands in would be shared. */
function readClass(match: RegExpExecArray): CodedClass {
  for (const [index, name] of CLASSES.entries()) if (match[index + 1] !== undefined) return name;
  throw new Error('a word of no class was found');
}

/** Letters that look like Latin ones (Unicode UTS #39), of Cyrillic, Greek, Armenian, Lisu and Cherokee. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['АВЕЅІЈКМНОРСТУХҮԌԚԜ', 'ABESIJKMHOPCTYXYGQW'],
      ['аеѕіјорсухһԁԛԝѵв', 'aesijopcyxhdqwvb'],
      ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
      ['αινορυκτϲϳ', 'aivopuktcj'],
      ['օսհոցԁ', 'ouhngd'],
      ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'ABCDEFGHIJKLMNOPRSTUVWXYZ'],
      ['ᎪᏴᏟᎠᎬᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃ', 'ABCDEHiJKLMPRSTVWYZ'],
    ] as const
  ).flatMap(([letters, latin]) =>
    Array.from(letters, (letter, index) => [letter, latin[index] ?? ''] as const),
  ),
);
const LOOK_ALIKE = new RegExp(`[${[...LOOK_ALIKES.keys()].join('')}]`, 'g');

/**
 * Wide letters, ligatures and letters with loose accents as plain ones, and nothing invisible between them; "HІV" with a
 * Cyrillic letter as what it looks like.
 */
const toPlainLetters = (text: string): string =>
  /[^\0-\x7f]/.test(text)
    ? text
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .replace(LOOK_ALIKE, (letter) => LOOK_ALIKES.get(letter) ?? letter)
    : text;
