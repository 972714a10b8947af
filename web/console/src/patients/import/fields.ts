/** What a list may say of a person, in the order in which it is shown. */
export const FIELDS = [
  'email',
  'firstName',
  'lastName',
  'externalId',
  'phone',
  'dateOfBirth',
  'languagePreference',
] as const;
export type Field = (typeof FIELDS)[number];

export const REQUIRED_FIELDS: readonly Field[] = ['email', 'firstName', 'lastName'];

/** Names of columns in both languages, folded: no accents, no case, letters and digits alone. */
const NAMES: Readonly<Record<Field, string>> = {
  email:
    'email emailaddress mail mailaddress emailadresse correo correoelectronico direccioncorreo direcciondecorreo direcciondecorreoelectronico',
  firstName: 'firstname first givenname given forename nombre nombres nombredepila primernombre',
  lastName:
    'lastname last surname familyname family apellido apellidos primerapellido apellidopaterno secondname',
  externalId:
    'externalid mrn id patientid patientnumber medicalrecordnumber recordnumber chart chartnumber identifier identificador idexterno historia historiaclinica numerodehistoria numerodehistoriaclinica nhc expediente numerodeexpediente idpaciente',
  phone:
    'phone phonenumber telephone telephonenumber tel mobile mobilephone cell cellphone telefono telefonomovil movil celular numerodetelefono',
  dateOfBirth:
    'dateofbirth dob birthdate birthday born datebirth fechadenacimiento fechanacimiento nacimiento',
  languagePreference:
    'languagepreference language preferredlanguage lang locale idioma idiomapreferido lengua lenguaje',
};

const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(
  FIELDS.flatMap((field) => NAMES[field].split(' ').map((name) => [name, field] as const)),
);

export const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const foldName = (header: string): string => foldText(header).replace(/[^\p{L}\p{N}]/gu, '');

/** Finds the field of each column by its heading; null where none fits, or where a column before has it. */
export function matchColumns(headers: readonly string[]): (Field | null)[] {
  const taken = new Set<Field>();
  return headers.map((header) => {
    const field = FIELD_BY_NAME.get(foldName(header));
    if (field === undefined || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** Whether the first row of a file names columns: at least two are known, and none of its cells is an address. */
export const isHeading = (row: readonly string[]): boolean =>
  !row.some((cell) => cell.includes('@')) && matchColumns(row).filter((field) => field !== null).length >= 2;
