/**
 * Verbs and adjectives of questions that records say in other words or not at all: "what goals did the doctor set", "why was
 * he brought in". Beside anything that is understood they are not looked for; alone they are words like others.
 */
const WORDS = [
  // English
  'able wear wears wearing damaged somebody someone anybody close actually advise advised afterwards aggressive agree agreed appear appeared bad badly behave bigger big brought bring brings',
  'bother bothering bothers build called came cause caused causes causing chosen come coming concerned concerning confirm confirmed',
  'consider considered contain control controlled decide decided decides describe described despite determine discover discovered',
  'discuss discussed due effective eventually exact expect expected explain explained explains fill filled fine follow followed',
  'forward full further gave getting good grow growing grew handle handled heal healed healing healthy helped helping helps huge',
  'important improve improved improving include included includes indicate indicated involve involved kept leave leaving left lived',
  'made maybe mention mentioned move moved name named necessary nice noted notice noticed offer offered ok order outcome paid',
  'pass possible prepare prepared present progress progressed properly provide provided quick quickly raise rather read ready',
  'really receive receives receiving recommend recommended recover recovered recovering remember repeat repeated require required',
  'respond responded return returned reveal revealed run runs sent send serious seriously set sets severe sort spread',
  'stage stand state stated stay stayed stays still stop stopped suddenly suggest suggested supposed sure talk talked talking',
  'tell tells thought told tried turn turned understand unusual useful usual warn warned went wonder wondering wondered work worked',
  'working works worried worry worrying write written wrong',
  // How much, how bad, and what happened around it.
  'lot lots trouble loud mild minor massive tiny nasty awful terrible horrible dodgy weird funny strange normally properly easily caught meeting',
  'poor strong weekly yearly portable resting nearly almost barely hardly constantly wore wakes woke waking keeping course sessions spiked child',
  'baby babies toddler splitting killing partially cleaned paper',
  // Numbers: "when she was eleven", "three times a week".
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen',
  // Note-taking: h/o, s/p, r/o, c/o
  'hx rule status w wo r o h s p c d a l',
  // Spanish
  'usado usada faltan falta antecedentes enfermo enferma hubo hubieron cuida cuidan adecuado ahora anda aparecio aparte ayudo bueno buena bien cambio cambiado cierto comento conoce controla controlada controlado',
  'cree cual da daban dan deberia debo debe deben decidieron decir detectaron detecto dijeron dijo dicen diga dicho encontraron',
  'encontro empeorado empeoro empezo empezaron evoluciono explico explicaron fuerte funciona funciono grave haga hablaron hacen',
  'indicaron indico llego llevaron llevo mandaron mando malo mala mejorado mejoro mencionaron mostro muestra necesita necesito',
  'notaron ocurrio ocurre paso pasando pasado pasa permitido piensa pidieron pone probable pudo queda quedo recomendaron recomendo',
  'resulta resulto revelo saber sabe salido seria serio servir sirve sigue siguen sucedio suele tendra tendria toca trajeron trajo',
  'trata tratan tratando trataron usa usan usaba usaron va van vaya venido vino viene volver volvio',
  // German
  'einmal oft zusammen ordnung eingestellt bekommt fehlen fehlt wogegen wofur jemand jemals ablauft angeordnet aufgefallen ausgewahlt besprochen bestatigt brauche brauchen braucht darf durfen empfohlen entdeckt erklart',
  'ergab ergeben erhalten erwahnt festgestellt funktioniert gebracht gebraucht geholfen gekommen gelaufen geraten gesagt gesprochen',
  'gefunden gefallen geworden gewirkt gewechselt hilft kam kamen kommt kommen lauft lief mussen musste mussten nutzt passiert',
  'passierte sagte sagten schlimm schlimmer schwer sollen sollte sollten sprach steht stehen tun tut verandert verbessert',
  'verlaufen verlief verschlechtert vorgeschlagen vorhanden vorliegt wirkt wissen zeigte zeigt',
];

const EVERYDAY: ReadonlySet<string> = new Set(WORDS.flatMap((line) => line.split(' ')));

/** The word is lower case and without accents. */
export const isEverydayWord = (word: string): boolean => EVERYDAY.has(word);
