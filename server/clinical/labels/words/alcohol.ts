/** What alcohol is for where nobody drinks it: "used alcohol swabs", "alcohol-based", "usa alcohol en gel". */
const NO_DRINK =
  '(?! ?(?:swab|wipe|pad|prep|rub|gel|based|hand|saniti|solution|free|content|contain|inject|ablat|sclero|septal|block|neuroly|allerg|intoleran|bath|spong|lock|thermomet|dehydrogen|to (?:clean|disinfect|wipe|steril|prep|remove)|for (?:clean|disinfect|skin|hand)|on (?:the |his |her )?(?:skin|wound|site)|as an? (?:antisept|disinfect)|en gel|isoprop|de 70|70|para (?:limpi|desinf)|como (?:antisept|desinf))*)';

const SUBSTANCE = '(?:illicit |illegal |recreational |street |controlled )?(?:substances|drugs)';
const DRINKS =
  '(?:(?:bebidas? alcoh|alcohol|cannabis|aguardiente)*|(?:cervezas?|vinos?|licor|licores|ron|tequila|whisky|vodka|drogas|sustancias)(?![a-z]))';

/** What a leaflet says to everybody of taking it together with something. */
const NOT_TOGETHER = '(?<!(?:concomitant|concurrent|simultaneous) )';

/** What follows decides first: what must not stand before is asked only where a word of these does. */
const BEFORE_SUBSTANCE =
  '(?<=(?=[a-z]{4,10} (?:from |up )?(?:alcohol|illicit|illegal|recreational|street|controlled|substances|drugs)))';
const BEFORE_OF_ALCOHOL = '(?<=(?=[a-z]{2,11} of alcohol))';
const ARTICLES = '(?:(?:de|del|el|la|las|los|mucho|poco|algo de) ){0,2}';
const BEFORE_DRINKS = `(?<=(?=[a-z]{3,11} ${ARTICLES}(?:beb|alc|can|agu|cer|vin|lic|ron|teq|whi|vod|dro|sus)))`;

/**
 * Who drinks or takes something, and how much, in the forms of the verbs that notes, questions and SNOMED CT have for it;
 * `notWarned` is what must not stand before, as in a leaflet.
 */
export const listWordsOfUse = (notWarned: string): readonly string[] => [
  `${BEFORE_SUBSTANCE}${notWarned}(?:uses|used|using|consumes?|consumed|consuming|ingests|ingested|ingesting|imbibes?|imbibed|imbibing|abstains? from|abstained from|abstaining from|abstinent from|abstinence from|quits?|quitting|gave up) (?:alcohol${NO_DRINK}|${SUBSTANCE})`,
  `${notWarned}(?:stopped|enjoys|craves) alcohol${NO_DRINK}`,
  `${notWarned}(?:drank|drunk) (?:(?:a|some|more|too much|hard|no|any) ){0,3}(?:alcohol${NO_DRINK}|beers?|wine|liquor|vodka|whiske?y)`,
  `${notWarned}alcohol (?:usage|consumed|consumers?|ingest(?:ion|ed)|drink(?:ing|ers?)|behaviou?rs?|status|frequency|amounts?|quantit(?:y|ies)|units?)`,
  `(?:substances?|opioids?|opiates?|narcotics?|drugs?) (?:usages?(?! (?:review|evaluation))|consumed|consumers?)|substances? used`,
  `${BEFORE_OF_ALCOHOL}${notWarned}${NOT_TOGETHER}(?:use|consumption|ingestion|intake|abuse|history|hx|units?|types?|drinks?|drinkers?) of alcohol${NO_DRINK}|${notWarned}h/o alcohol${NO_DRINK}`,
  `(?:use|consumption|ingestion|intake|abuse|history) of ${SUBSTANCE.replace('drugs', 'drugs of abuse')}`,
  `(?:amount|quantity|frequency) of alcohol(?= ?(?:$|[:=?(]| (?:per|consum|drunk|taken|used|ingest)))`,
  `drinkers? of (?:beer|wine|spirits|liquor)|(?:ex|non|former|current|never|lifetime|light|moderate|occasional|casual|daily|trivial|regular) ?drinkers?`,
  `${BEFORE_DRINKS}${notWarned}(?:consum(?:en?|o|io|ia|ian|ieron|iendo|ido|idor*)|ing(?:ieren?|irio|irieron|eria|erian|iriendo|erido)|beb(?:en?|io|ia|ian|ieron|iendo|ido)|tom(?:an?|o|aba|aban|aron|ando|ado)|usan?|uso|usaba|usaban|usando|abus(?:an?|o|aba|ando)|dej(?:o|a|ado)|abandon(?:o|ado)) ${ARTICLES}${DRINKS}${NO_DRINK}`,
  `${notWarned}(?:alcohol|bebidas?|drogas?|sustancias) (?:consumid|ingerid|bebid)*|(?:drogas?|sustancias?) usad[oa]s?`,
  `(?:tipos?|unidades?|antecedentes?) de alcohol${NO_DRINK}|bebe (?:socialmente|en exceso)|se droga(?:ba|n|ban)?|drogarse`,
];
