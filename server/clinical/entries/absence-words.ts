const toSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.trim().split(/\s+/)));

/** What a record may say that it has none of, in the plural or as a whole: "unknown" before these names no single thing. */
export const COLLECTIVE = toSet(`
  allergies intolerances sensitivities problems conditions diagnoses illnesses diseases disorders complaints concerns issues
  immunizations immunisations vaccines vaccinations procedures surgeries operations impairments disabilities
  status history hx list information info data goals instructions
  alergias intolerancias problemas enfermedades diagnosticos patologias antecedentes vacunas procedimientos cirugias informacion datos
  allergien unvertraglichkeiten intoleranzen probleme diagnosen krankheiten erkrankungen vorerkrankungen beschwerden impfungen
  operationen eingriffe prozeduren anamnese vorgeschichte angaben informationen daten arzneimittelallergien medikamentenallergien
  medikamentenunvertraglichkeiten arzneimittelunvertraglichkeiten nahrungsmittelallergien nahrungsmittelunvertraglichkeiten
  lebensmittelallergien`);
export const DRUGS = toSet(`
  medications medicines meds drugs prescriptions supplements substances medicamentos farmacos medicinas tratamientos
  medikamente arzneimittel medikation dauermedikation`);
/** The same in the singular. */
export const SUBJECTS = toSet(`
  allergy allergic intolerance sensitivity hypersensitivity problem condition diagnosis illness disease disorder complaint concern issue
  immunization immunisation vaccine vaccination procedure surgery operation impairment disability reaction reactions
  medication medicine drug prescription supplement substance
  alergia alergico alergica alergicos alergicas intolerancia reaccion reacciones problema enfermedad diagnostico patologia
  medicamento medicacion farmaco medicina vacuna procedimiento cirugia tratamiento
  allergie allergisch unvertraglichkeit intoleranz reaktion diagnose krankheit erkrankung impfung eingriff prozedur medikament
  arzneimittelallergie medikamentenallergie nahrungsmittelallergie lebensmittelallergie goal instruction`);
/** Of which kind: nothing by itself ("No home", "No food"). */
export const KINDS = toSet(`
  adverse food foods environment environmental latex animal animals insect insects contrast seasonal otc herbal outpatient inpatient
  home adversa adversas patologicos patologicas medicamentosa medicamentosas medicamentoso medicamentosos alimento alimentos
  alimentaria alimentarias alimentario alimentarios ambiental ambientales habitual habituales
  nahrungsmittel lebensmittel kontrastmittel`);
/** What neither names a thing nor denies one. */
export const FORM = toSet(
  `a about an any all as at and or nor of on in for by per to with from the this that these time is are was were be been being has have had
   having he she they patient pt client parent parents mother father family guardian caregiver self chart currently current
   presently present now today known reported reports report recorded documented noted listed identified stated states found active
   significant relevant pertinent other past prior previous chronic acute medical surgical clinical health review reviewed record
   records file system available administered given taking takes taken take using uses use used prescribed encounter visit admission
   asked assessed obtained obtainable verified provided entered elicited applicable determined evaluated ascertained yet
   assess obtain determine evaluate ascertain verify provide able`,
  `un una unos unas el la los las lo al del de en con por para que y e o u ni se su sus le es son esta estan ha han sido hay paciente
   pacientes conoce conocen conocida conocidas conocido conocidos refiere refieren presenta tiene toma tomando consta constan
   actual actuales actualmente activa activas activo activos registra registran registrada registradas registrado registrados
   documentada documentadas documentado documentados reportada reportadas referida referidas
   importancia interes relevantes personales medica medicas medico medicos quirurgicos salud pregunto preguntado preguntada
   interrogado interrogada disponible disponibles aplica valorado valorada valorable evaluado evaluada evaluable pudo puede posible
   valorar evaluar obtener recogido recogida momento`,
  `der die das den dem des ein eine und oder auf gegen von bei zu zur zum im in ist sind war liegt liegen vor patientin es hat gibt an
   nimmt bekannt bekannte bekannten bekannter bekanntes aktuell aktuelle aktuellen derzeit zurzeit zzt vorhanden vorhandene
   relevante relevanten regelmassig regelmassige dokumentiert dokumentierte dokumentierten erfasst erhoben erfragt angegeben
   berichtet beurteilbar verfugbar bisher bislang`,
);
/** What denies, or says that it is not known. */
export const MARKERS = toSet(`
  no nil none nothing not without denies denied denying nka nkda nkma nkfa nkea nkla
  unknown unavailable undetermined unable unobtainable cannot could impossible na uta uto
  sin niega negada negadas negado negados ningun ninguno ninguna ningunos ningunas nada nunca namc
  desconocido desconocida desconocidos desconocidas desconoce desconocen imposible
  kein keine keinen keiner keines keinerlei nicht nichts nein ohne verneint unbekannt unbekannte`);
