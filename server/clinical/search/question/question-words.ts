export type Language = 'en' | 'es' | 'de';

export const LANGUAGES: readonly Language[] = ['en', 'es', 'de'];

/** Words of a question that name nothing in a record: function words, politeness, and verbs of having, taking and showing. */
const WORDS: Readonly<Record<Language, string>> = {
  en: `a about after again all already also always am allowed an and any anyone anything are as ask at available avoid be because become beginning
    been before being both but by came can check checked come comes coming could couldn d did didn do does doesn doing don done during each either else end ever every
    everything exactly exist file files find for from get gets getting give given go goes going gone got had hadn happen happened happens has hasn have haven having
    he hello help her here hey hi him his history how however i if in into is isn it its just kind know known let like likely list ll
    long look lookup m many may me mean measured might mine more most much must my myself need needed never no nor not now of off often
    ok okay on once one ones only onto or other our out over own patient patients perform performed please previous
    previously prior put re really record recorded records regarding related s said same say says search see seen shall she
    should shouldn show showing since so some someone something start started starts still such suffer suffered suffering summary t take taken takes
    taking tell than thank thanks that the their them then there these they thing things this those though through time times
    to too took treat treated treating type types under until up us use used uses using usually ve very via want was wasn we were weren what when where
    whether which while who whom whose why will with within without would wouldn yes yet you your keep keeps kept changed changing compare compared highest lowest anywhere better worse enough himself herself themselves tried kid kids little date dates day ago past current
    currently active medical health last latest recent first new old`,
  es: `a al algo algun alguna algunas alguno algunos ante antes aparece aparecen aqui asi aun ayuda bien busca buscar cada como
    con cual cuales cuando cuanta cuantas cuanto cuantos dame de del desde despues dice dime donde durante e el ella ello en
    encontrar entre era es esa ese eso esta estaba estado estan estar este esto estos estoy favor fecha fecha fue fueron ha
    habia hace hacer haciendo han hasta hay haya he hemos hice hicieron hizo historia historial la las le les lista lo los
    mas me mi mis mia mio mostrar muestra muestrame mucho muy ni no nos o otra otro para paciente pero por porque puede puedes puedo que
    quien quiero quisiera recibi recibido registro se sea ser si sido sin sobre sobre son soy su sus tambien tener tengo tenia tenido
    tiene toma tomado tomando tomo todas todo todos tuve tuvo u un una unas uno unos ver y ya yo actual actuales actualmente
    alguna vez veces vive vivo mejor peor nina nino nena nene tomaron tomaban tomaba sale salen salio salieron vio vieron tipo puesto pusieron puse ponen dieron dado siento fui ido hecho hicieron bastante tan tanto pude puedo`,
  de: `ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bekam bekomme bekommen bin
    bis bist bitte da dabei damit dann das dass dein dem den der des dessen die dies diese diesem diesen dieser dieses doch dort
    du durch ein eine einem einen einer eines einnehme er es etwas finde finden fur gab gebe geben gegen gehabt gemacht gesucht
    gewesen gibt ging hab habe haben hast hat hatte hatten hier ich ihm ihn ihr ihre im in ist ja je jede jeden jemals jetzt
    kann kannst kein keine keinen konnen konnte letzten liste mal man mehr mein meine meinem meinen meiner meines mich mir
    mit mochte muss nach nehme nehmen nicht nichts noch nur ob oder ohne patient schon sehr sein seine seit sich sie sind so soll
    suche suchen um und uns unter vom von vor wann war waren warum was wegen welche welchem welchen welcher welches wenn wer
    werde werden wie wieder wir wird wo worden wurde wurden zeig zeige zeigen zu zum zur zwischen bereits derzeit aktuell aktuelle aktuellen
    momentan datum lebt lebe wohnt immer viel heute lag liegt gelegen kleine kleinen kleiner datum gegeben bekomm verschrieben fuhle gehe ging lassen liess`,
};

const toSets = (lists: Readonly<Record<Language, string>>): Record<Language, ReadonlySet<string>> => ({
  en: new Set(lists.en.split(/\s+/)),
  es: new Set(lists.es.split(/\s+/)),
  de: new Set(lists.de.split(/\s+/)),
});

const SETS: ReadonlyMap<Language, ReadonlySet<string>> = new Map(
  Object.entries(toSets(WORDS)) as [Language, ReadonlySet<string>][],
);

/** Whether a word, lower case and without accents, is a word of questions in any of the languages. */
export const isQuestionWord = (word: string): boolean => [...SETS.values()].some((words) => words.has(word));

/** Verbs of questions that say something themselves, and in which language: "er" is a word of German in "raucht er?", no abbreviation. */
const VERBS: Readonly<Record<Language, string>> = {
  en: 'smoke smokes drink drinks eat eats sleep sleeps walk walks weigh weighs work works live lives die died cough coughs breathe bleed',
  es: 'fuma fumo bebe bebo come como duerme duermo camina camino pesa peso trabaja trabajo murio tose toso respira respiro sangra sangro orina orino vomita vomito suda sudo llora ronca ronco oye ve duele duelen crece camina',
  de: 'raucht rauche trinkt trinke isst esse schlaft schlafe arbeitet arbeite wiegt wiege starb gestorben hustet huste atmet atme blutet blute schwitzt schwitze weint schnarcht schnarche hort hore sieht sehe leidet leide friert kotzt erbricht stottert humpelt lauft laufe sturzt stillt wachst kifft kriegt spuckt tut',
};

const VERB_SETS = toSets(VERBS);

/** The language most of whose own words stand among these; English when none is. */
export function guessLanguage(words: readonly string[]): Language {
  const count = (language: Language): number =>
    words.filter((word) => {
      const languages = [...SETS].filter(([, set]) => set.has(word));
      return languages.length === 1
        ? languages[0]?.[0] === language
        : languages.length === 0 && VERB_SETS[language].has(word);
    }).length;
  const counts = [...SETS.keys()].map((language) => ({ language, found: count(language) }));
  return counts.reduce((best, each) => (each.found > best.found ? each : best)).language;
}

/** "Soy" is a verb of Spanish: in a question in English it is eaten. */
export const namesFood = (word: string, words: readonly string[]): boolean =>
  word === 'soy' &&
  words.some(
    (each) => each !== word && SETS.get('en')?.has(each) === true && SETS.get('es')?.has(each) !== true,
  ) &&
  guessLanguage(words.filter((each) => each !== word)) === 'en';

/** Whether a word is one of questions in this language. */
export const isWordOf = (language: Language, word: string): boolean => SETS.get(language)?.has(word) ?? false;

/** The languages that a text may be in: one that alone has a word of it, else all that have one, else any. */
export function listLanguages(words: readonly string[]): readonly Language[] {
  const having = (word: string): Language[] => LANGUAGES.filter((language) => isWordOf(language, word));
  const guess = guessLanguage(words);
  if (words.some((word) => having(word).length === 1 && isWordOf(guess, word))) return [guess];
  const possible = LANGUAGES.filter((language) => words.some((word) => isWordOf(language, word)));
  return possible.length > 0 ? possible : LANGUAGES;
}
