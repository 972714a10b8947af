/** A title of medicines, or the question for them: "Current medications", "MEDICAMENTOS ACTUALES:". */
const MEDICINES =
  /(?<![a-z])(?:medications?|meds|medicines?|prescriptions?|drugs|pills|contracepti(?:on|ves?)|medicamentos?|medicaci[oó]n|medicinas|pastillas)(?![a-z])/i;

/** Whether a title, a question or a code's name says that medicines follow. */
export const namesMedicines = (title: string): boolean =>
  title.length <= MAX_TITLE_LENGTH && MEDICINES.test(title);

const MAX_TITLE_LENGTH = 200;
const MAX_HEADING_LENGTH = 80;

/** What follows it are people or places; below any other heading more medicines may stand ("Active:"). */
const OTHERS =
  /team|provider|contact|attend|participant|famil|social|signed|people|staff|present|nurs|doctor|physician|caregiver|author|location|hospital|appointment|equipo|contacto|asistentes/i;

const isHeadingOfOthers = (line: string): boolean =>
  line.length <= MAX_HEADING_LENGTH && line.endsWith(':') && OTHERS.test(line);

/** A sentence has a full stop, and is no heading of a list or table. */
const isHeadingOfMedicines = (line: string): boolean =>
  line.length <= MAX_HEADING_LENGTH && !line.endsWith('.') && namesMedicines(line);

/** Returns the lines of a text that follow a heading of medicines, up to a heading of people or places. */
export function listMedicines(text: string): string {
  if (!text.includes('\n') || !MEDICINES.test(text)) return '';
  const found: string[] = [];
  let isInside = false;
  for (const each of text.split('\n')) {
    const line = each.trim();
    if (isHeadingOfMedicines(line)) isInside = true;
    else if (isInside && isHeadingOfOthers(line)) isInside = false;
    else if (isInside && line !== '') found.push(line.slice(0, MAX_TITLE_LENGTH));
  }
  return found.join('\n');
}
