/** What alcohol is for where nobody drinks it: "used alcohol swabs", "alcohol-based", "usa alcohol en gel". */
const NO_DRINK =
  '(?! ?(?:swab|wipe|pad|prep|rub|gel|based|hand|saniti|solution|free|content|contain|inject|ablat|sclero|septal|block|neuroly|allerg|intoleran|bath|spong|lock|thermomet|dehydrogen|to (?:clean|disinfect|wipe|steril|prep|remove)|for (?:clean|disinfect|skin|hand)|on (?:the |his |her )?(?:skin|wound|site)|as an? (?:antisept|disinfect)|en gel|isoprop|de 70|70|para (?:limpi|desinf)|como (?:antisept|desinf))*)';

/** Alone these are medicines, what a skin is tested with, or what somebody works with: "ingested drugs: acetaminophen". */
const SUBSTANCE =
  '(?:(?:illicit|illegal|recreational|street) (?:substances|drugs)|controlled substances(?! (?:agreement|contract|polic|registr|database|monitor|act))*|drugs(?! ?[:=]| (?:for|to|prescribed|as prescribed|such as|that|which))|substances(?! ?[:=]| (?:at|for|to|in|on|that|which|such as|with)))';
/** What is drunk and holds alcohol. */
const ALCOHOLIC = '(?:alcohol|beers?|wines?|spirits?|liquors?|vodka|whiske?y|rum|gin|tequila|cider|bourbon)';
const COUNT = '(?:[0-9]{1,2}|one|two|three|four|five|six|seven|eight|ten|twelve|several|few|a few|multiple)';
const DRINKS =
  '(?:(?:bebidas? alcoh|alcohol|cannabis|aguardiente)*|(?:cervezas?|vinos?|licor|licores|ron|tequila|whisky|vodka|pulque|mezcal)(?![a-z])|drogas(?![a-z])(?! ?[:=]| (?:anti|para|contra|hipo|inmuno|cardio|recetad|prescrit|indicad|oncol|quimio|citot|biolog|de venta))|sustancias(?![a-z])(?! ?[:=]| (?:irrit|quimic|corros|inflam|volatil|peligros|alerg|para|de limpieza|de trabajo|en el trabajo)))';

/** What a leaflet says to everybody of taking it together with something. */
const NOT_TOGETHER = '(?<!(?:concomitant|concurrent|simultaneous) )';

/** What follows decides first: what must not stand before is asked only where a word of these does. */
const BEFORE_SUBSTANCE =
  '(?<=(?=[a-z]{4,10} (?:from |up )?(?:alcohol|illicit|illegal|recreational|street|controlled|substances|drugs)))';
const BEFORE_OF_ALCOHOL = '(?<=(?=[a-z]{2,11} of alcohol))';
const ARTICLES = '(?:(?:de|del|el|la|las|los|mucho|poco|algo de) ){0,2}';
const BEFORE_DRINKS = `(?<=(?=[a-z]{3,11} (?:de (?:consumir|usar|tomar|beber) )?${ARTICLES}(?:beb|alc|can|agu|cer|vin|lic|ron|teq|whi|vod|pul|mez|dro|sus)))`;

/**
 * Who drinks or takes something, and how much, in the forms of the verbs that notes, questions and SNOMED CT have for it;
 * `notWarned` is what must not stand before, as in a leaflet.
 */
export const listWordsOfUse = (notWarned: string): readonly string[] => [
  `${BEFORE_SUBSTANCE}${notWarned}(?:uses|used|using|consumes?|consumed|consuming|ingests|ingested|ingesting|imbibes?|imbibed|imbibing|abstains? from|abstained from|abstaining from|abstinent from|abstinence from|quits?|quitting|gave up) (?:alcohol${NO_DRINK}|${SUBSTANCE})`,
  `${notWarned}(?:stopped|enjoys|craves) alcohol${NO_DRINK}`,
  `${notWarned}(?:drank|drunk) (?:(?:a|some|more|too much|hard|no|any|${COUNT}) ){0,3}(?:alcohol${NO_DRINK}|beers?|wine|liquor|vodka|whiske?y)`,
  `${notWarned}alcohol (?:usage|consumed|consumers?|ingest(?:ion|ed)|drink(?:ing|ers?)|behaviou?rs?|status|frequency|amounts?|quantit(?:y|ies)|units?)`,
  `(?:substances?|opioids?|opiates?|narcotics?|drugs?) (?:usages?(?! (?:review|evaluation))|consumers?)|(?:opioids?|opiates?|narcotics?) (?:used|consumed)`,
  `substances consumed(?= ?(?:$|[?\\n\\r]))|substances? (?:used|consumed) ?[:=] ?(?:${ALCOHOLIC}|yes|none|denie|meth|thc)*|(?<!contrast )substances used(?= ?(?:$|[?\\n\\r]))`,
  `${BEFORE_OF_ALCOHOL}${notWarned}${NOT_TOGETHER}(?:use|consumption|ingestion|intake|abuse|history|hx|units?|types?|drinks?|drinkers?) of alcohol${NO_DRINK}|${notWarned}h/o alcohol${NO_DRINK}`,
  `(?:use|consumption|ingestion|intake|abuse) of (?:drugs of abuse|(?!drugs)${SUBSTANCE})|history of (?:drugs of abuse|(?:illicit|illegal|recreational|street) (?:substances|drugs))`,
  `(?:amount|quantity|frequency) of alcohol(?= ?(?:$|[:=?(]| (?:per|consum|drunk|taken|used|ingest)))`,
  `drinkers? of (?:beer|wine|spirits|liquor)|(?:ex|non|former|current|never|lifetime|light|moderate|occasional|casual|daily|trivial|regular) ?drinkers?(?! of (?!${ALCOHOLIC}))`,
  `${BEFORE_DRINKS}${notWarned}(?:consum(?:en?|o|io|ia|ian|ieron|iendo|ido|idor*)|ing(?:ieren?|irio|irieron|eria|erian|iriendo|erido)|beb(?:en?|io|ia|ian|ieron|iendo|ido)|tom(?:an?|o|aba|aban|aron|ando|ado)|usan?|uso|usaba|usaban|usando|abus(?:an?|o|aba|ando)|dej(?:o|a|ado)(?: de (?:consumir|usar|tomar|beber))?|abandon(?:o|ado)) ${ARTICLES}${DRINKS}${NO_DRINK}`,
  `${notWarned}(?:alcohol|bebidas?|sustancias) (?:consumid|ingerid|bebid)*|drogas? (?:consumid|usad)[oa]s?(?! ?[:=])|sustancias usadas(?= ?(?:$|[?\\n\\r]))`,
  `(?:tipos?|unidades?|antecedentes?) de alcohol${NO_DRINK}|bebe (?:socialmente|en exceso)|se droga(?:ba|n|ban)?|drogarse`,
  ...listQuestions(),
];

/** As AUDIT-C and CAGE ask, and what is answered without the word alcohol; whoever drinks coffee or water is no drinker. */
function listQuestions(): readonly string[] {
  return [
    `(?<!not )(?:have|had|having) (?:(?:a|any) )?drinks? containing alcohol|drinks containing alcohol (?:do|did|have|per|on)|(?:six|five|four|6|5|4) or more drinks|drinks on (?:one|a single|an) occasion|cut(?:ting)? down (?:on )?(?:(?:your|his|her|my|their) )?drinking`,
    `(?:beers?|wines?|spirits?|liquor|vodka|whiske?y) drink(?:ers?|ing)|drinking binges?|non~users? of (?:drugs|substances|alcohol)|misused (?:drugs|substances|opioids?|alcohol)|takes drugs(?= ?(?:$|[.,;?\\n\\r]| (?:daily|recreation|socially|intraven|iv)))`,
    `drinks (?:${COUNT} ){1,2}(?:beers?|wines?|shots|whiske?ys?)|consum(?:es?|ed|ing) (?:(?:a|some|${COUNT}) )?(?:beers?|wines?|liquor|vodka|whiske?y|rum|gin|tequila)(?! vinegar)|stopped drinking(?= ?(?:$|[.,;\\n\\r]| (?:alcohol|beer|wine|in|since|[0-9]{1,4}|after)(?![a-z])))`,
    `relaps(?:e|ed|ing) (?:on|to|with) (?:alcohol|drugs|opioids?)|in recovery from (?:alcohol|drugs|opioids?)`,
    `(?:niega|nego|niegan) (?:(?:el|la|uso|consumo|ingesta|de|tabaco|y|o|fumar|tomar|usar),? ){0,4}(?:alcohol|drogas)|(?:alcohol|drogas) negad[oa]s?|drogas ?[:=] ?(?:no|si|niega|nunca|ningun)*`,
    `dejo de beber(?! (?:agua|leche|cafe|te|liquidos|refrescos|jugo|soda))|no bebe(?= ?(?:$|[.,;\\n\\r]| (?:alcohol|ni fuma|vino|cerveza)))|bebe mucho(?= ?(?:$|[.,;\\n\\r]))`,
  ];
}
