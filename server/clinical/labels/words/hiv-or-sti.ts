import type { ClassWords } from './word-table.ts';

/** What follows "ITS" in Spanish: whole words, and beginnings of words. */
const AFTER_ITS =
  '(?:NO|SI|Y|O|E|U|EN|CON|POR|DE|DEL|AL|SE|ES|FUE|SIN|QUE|LA|LAS|EL|LOS|A LOS|HACE|VIH|HIV|VPH|HPV|SIDA|MES|ANO)(?![A-Z])|(?:PREVI|POSITIV|NEGATIV|ACTIV|RECURR|REPETI|TRATA|ANTERIOR|GENITAL|CERVICAL|CERVICITIS|VAGIN|URETR|ANAL|ORAL|FARING|RECTAL|RECIENT|GONO|SIFIL|CLAMID|TRICO|HERP|SEGUN|BRINDAD|REALIZAD|SOLICITAD|INDICAD|PENDIENT|EXPOSICI|ULTIM|SINTOM|ASINTOM|ULCER|FRECUENT|DIAGNOSTI|CONFIRMAD|DESCARTA|SOSPECH|PROBABLE|CRONIC|AGUD|RESUELT|CURAD|DURANTE|DESDE|ADQUIRID|TRANSMI)[A-Z]{0,9}(?![A-Z])';

/**
 * "ITS", infections in Spanish; in English capitals it stands before what something has: "CLEAN THE SPACER AND ITS MOUTHPIECE". A
 * Spanish word before it decides.
 */
const INFECCIONES = `(?<=(?<![A-Z])(?:POR|DE|EN|PARA|CON|SIN|LAS?|UNA|OTRAS?|ALGUNA|ANTE|CONTRA|SOBRE|DX|DIAGNOSTICO|NIEGA|PRESENTA|TUVO|TIENE),?:? )ITS|(?<!(?:AND|OF|ON|IN|FOR|WITH|BY|TO|FROM|AT|INTO|HAS|THAT) )ITS(?! (?!${AFTER_ITS})[A-Z])`;

/**
 * Hepatitis B is no protected class: what is for it alone (Vemlidy, entecavir, its viral load) is left out. "Sida" is a genus of
 * plants, and a page or side in Swedish, too.
 */
export const HIV_OR_STI_WORDS: ClassWords = {
  words: [
    'HIV(?:~[12])?|HIV(?:ag|ab|rna|vl|pcr|dna|qnt)*|H[.] ?I[.] ?V|VIH|V[.] ?I[.] ?H|S[.] ?I[.] ?D[.] ?A|A[.] ?I[.] ?D[.] ?S',
    '(?<!(?:(?:Dra?|Mrs?|Ms|Sra?)[.]?|hoger|vanster|nasta|andra|forsta|sista|se|pa|varje|samma|denna) )sida(?! (?:[0-9]|av |acuta|cordi|cardi|rhombi|hermaphrod|spinosa|fallax|abutil|sp |spp|species|extract|leaf|leaves|root|plant|weed|pollen))',
    'human immunodeficiency virus|inmunodeficiencia (?:humana|adquirida)|acquired immun* deficiency',
    '(?<!(?:artritis|reumatoide|AR|espondil[a-z]+) )seropositiv[oa]s?(?! (?:para(?! (?:el )?VIH)|a |frente))',
    'CD4[+]?|T helper cells?|p24 (?:antigen|ag)',
    '(?<!(?:hepatitis [bc]|hep [bc]|HBV|HCV|HDV|CMV|EBV|BKV?|cytomegalovirus|Epstein Barr|adenovirus|COVID|COVID 19|COV 2|coronavirus)(?: (?:virus|viral|DNA|RNA|PCR|quant*|plasma|serum|blood)){0,3} )viral loads?(?!(?: (?:of|for|in|by|the|chronic|virus)){0,3} (?:hep|HBV|HCV|HDV|CMV|EBV|BK|cytomegalo|epstein|COVID|SARS|coronavirus))',
    '(?<!(?:VHB|VHC|CMV|hepatitis [bc]) )carga viral(?!(?: (?:de|del|para|la|el|virus|cronica)){0,5} (?:hepatitis|VHB|VHC|VHD|CMV|VEB|EBV|BK|citomegalo|COVID|SARS))',
    'retrovir(?:al|us)*|anti~retrovir*|antirretrovir*|HAART|(?<!rabies )pre~exposure prophylaxis(?! (?:for|against|of) rabies)|profilaxis pre~exposicion(?! (?:anti~)?r?rabi)(?! (?:de|para|contra) (?:la )?rabia)|ryan white|chemsex|post~exposure prophylaxis (?:for|to) HIV',
    'zidovud*|lamivud*(?! ?\\(?HBV| 100 ?mg|[^.;,]{0,40}epivir HBV)|stavudin*|didanosin*|abacav*|tenofov*|tenof[.]?(?= ?/| (?:ala|alaf|diso|df))|emtri(?=/)|emtricit*|efavir*|nevirap*|etravir*|rilpivir*|doravir*|delavirdin*|islatravir|azidothymidine',
    'dolutegrav*|bictegrav*|raltegrav*|elvitegrav*|cabotegrav*|darunav*|darun(?= ?/)|atazanav*|lopinav*|nelfinavir|saquinavir|indinavir|fosamprenavir|amprenavir|tipranavir|cobicist*|maravir*|enfuvirtid*|ibalizumab|fostemsavir|lenacapavir',
    '(?<!(?:nirmatrelvir|paritaprevir)(?![a-z]).{0,60})ritonavir',
    'truvada|descovy|biktarvy|genvoya|atripla|triumeq|dovato|juluca|odefsey|stribild|symtuza|prezista|isentress|tivicay|apretude|cabenuva|sunlenca|yeztugo',
    'viread|emtriva|epivir(?! ?HBV)|epzicom|combivir|kivexa|trizivir|retrovir|ziagen|sustiva|stocrin|edurant|complera|eviplera|vocabria|rekambys|prezcobix|rezolsta|reyataz|evotaz|kaletra|norvir|viramune|pifeltro|delstrigo|tybost|temixys|cimduo|symfi|intelence|selzentry|celsentri|fuzeon|trogarzo|rukobia|aptivus|lexiva|telzir|viracept|crixivan|invirase|zerit|videx|rescriptor|vitekta',
    'sexual(?:ly)? transmi(?:tted|ssion|ssible)|transmision sexual|venere*|sexual health clinic|genito~urinary medicine|safer? sex|unprotected sex|sexo sin proteccion|(?:conductas?|practicas?|relacion(?:es)?) sexual(?:es)? de riesgo|high risk (?:(?:hetero|homo|bi)?sexual )(?:behavior|behaviour|activity|practices)|men who have sex with men|hombres que tienen sexo con hombres',
    'syphili*|sifili*|lues|neurolues|neurosyphili*|neurosifili*|treponem*|rapid plasma reagin|reagin|TPHA|FTA~ABS|TP~PA',
    'gonor+h*ea*|gonor+hoeae|gon+or*ea*|gonococ*|non~gonococ*|neisseria gonor*|blenorragi*',
    'chlamydia(?! (?:pneumoniae|psittaci))*|c[.] ?trach*|c trach*|chlam(?:yd)?(?:[.]? ?[/&] ?| and )(?:gc|gonor)*|(?:GC|gonor)(?:[.]? ?[/&] ?| and )chlam*|(?:GC|chlam) (?:NAAT|PCR|DNA|RNA)|n[.] ?gonor*|n gonor*|m[.] ?genit*|clamidia(?! (?:pneumoniae|psittaci))*|clamydia*|mycoplasma genitalium',
    'trichomon*|tricomon*|trich (?:infection|vag*)|t[.] ?vaginalis|t vaginalis',
    'genital (?:herpes|warts?|HSV|ulcers?)|anogenital (?:herpes|warts?)|herpes (?:genital*|progenital*|simplex (?:virus )?(?:type )?2)|HSV~2|VHS~2|HSV (?:type ?)?(?:1 ?(?:/|&|and|[+]) ?)?2|HSV1/2|verrugas (?:ano~)?genitales|condylom*|condilom*|chancroid*|haemophilus ducreyi|lymphogranuloma venereum|linfogranuloma venereo|granuloma inguinale|donovanosis|pubic lice|phthirus|pediculosis pubis|doxy~PEP',
    'HPV~(?:6|11|16|18|31|33|35|39|45|51|52|56|58|59|66|68)(?![^.;]{0,20}(?:vaccin|vacun))|HPV(?![^a-z]{1,3}(?:vaccin|vacun|(?:quadri|bi|nona)val|9~val|types? ))|VPH(?![^a-z]{1,3}(?:vaccin|vacun))|human papill?oma~virus(?![^a-z]{1,3}(?:vaccin|vacun|(?:quadri|bi|nona)val|9~val|types? ))|papiloma humano(?![^a-z]{1,3}(?:vaccin|vacun|(?:quadri|bi|nona)val|types? ))',
  ],
  exact: [
    '(?<!(?:BAND|COMMUNICATION|BATHING|BATH|READING|MEMORY|AMBULATION|AMBULATORY|ORTHOPEDIC|HEARING|VISUAL|VISION|HEAR|FIRST|WALKING|MOBILITY|SLEEP|FEEDING|DRESSING|LISTENING|ADAPTIVE|TEACHING|DECISION) )AIDS|SIDA|PrEP|nPEP|PLWH|PLHIV|TARGA|TARV|cART|ARVs?|(?<=[Oo]n )ART(?! (?:line|catheter|class|therapist|work))|ART (?:adherence|regimen|naive)',
    'AZT|3TC|FTC|TDF|F/TAF|DTG|NNRTIs?|NRTIs?|INSTIs?|ITIAN|ITINN',
    `ST[DI](?= (?:[Ss]creen|[Tt]est|[Pp]anel|[Cc]heck|[Cc]linic|[Ee]xposure|[Cc]ounsel|[Pp]revention|[Tt]reatment|SCREEN|TEST|PANEL|CHECK|CLINIC|EXPOSURE|COUNSEL|PREVENTION|TREATMENT))|ST[DI]s|${INFECCIONES}|ETS(?! exposure)`,
    '(?<=(?:[Hh]istory of|[Hh]x of|[Hh]/[Oo]|[Cc]/o|[Ff]or|[Rr]isk of|[Rr]ule out|[Ee]xpos(?:ed|ure) to|[Cc]oncern(?:ed)? (?:for|about)|[Pp]ossible|[Ss]uspected|[Pp]rior|[Rr]ecurrent|[Tt]reated for) )ST[DI](?! ?(?:elevation|segment))',
    'RPR|VDRL|GC/CT|CT/GC|CT/NG|NG/CT|LGV',
  ],
};
