import type { inputs as en } from '../en/inputs.ts';

const once = 'Cada opción puede elegirse una sola vez.';
const year = 'El año debe estar entre 1 y 9999.';
const researcher = 'Solo la función de investigador se limita a proyectos.';

export const inputs: typeof en = {
  long: (limit) => `Use como máximo ${limit} caracteres.`,
  short: (limit) => `Use al menos ${limit} caracteres.`,
  faults: {
    'must hold no control or direction-changing characters, and no stacked combining marks':
      'Contiene caracteres que no se ven, que cambian la dirección del texto o que tapan otros. Escríbalo de nuevo.',
    'must not hold the character U+0000': 'Contiene un carácter que no se ve. Escríbalo de nuevo.',
    'must not hold half of a surrogate pair': 'Contiene un carácter dañado. Escríbalo de nuevo.',
    'must be one line': 'Escríbalo en una sola línea.',
    'must not be empty': 'Rellene este campo.',
    'is missing': 'Rellene este campo.',
    'is required of a new member': 'Rellene este campo.',
    'must change something': 'Aquí no se cambió nada.',
    'must be an e-mail address': 'No es una dirección de correo.',
    'must be a telephone number': 'No es un número de teléfono.',
    'must be a URL': 'No es una dirección web.',
    'must be an https address': 'Escriba una dirección que empiece por https://',
    'must have its host after https://': 'Escriba el nombre del servidor después de https://',
    'must hold no query, fragment or credentials': 'Omita ?, # y los nombres con contraseña.',
    'must hold no fragment or credentials': 'Omita # y los nombres con contraseña.',
    'is not an address on the public internet': 'Esta dirección no está en la internet pública.',
    'must be a UUID': 'No es un identificador del servicio.',
    'must be a day of the calendar, such as 2026-01-31': 'Escriba un día, por ejemplo 2026-01-31.',
    'must be a date and time with an offset, such as 2026-01-31T12:00:00Z':
      'Escriba una fecha y una hora, por ejemplo 2026-01-31T12:00:00Z.',
    'must lie in the years 1 to 9999': year,
    'must lie in the years 1 to 9999 (UTC)': year,
    'must not lie in the future': 'Ese día aún no ha llegado.',
    'must lie in the future': 'Ese momento ya pasó.',
    'is before since': 'El final es anterior al principio.',
    'must be a language code such as "en" or "es"': 'Escriba el código de un idioma, como en o es.',
    'must be a name of the IANA database such as America/New_York':
      'Elija una zona horaria, por ejemplo America/New_York.',
    'is no time zone that the store knows': 'La base de datos no conoce esta zona horaria.',
    'must be a colour such as #0b5d4b, in small letters': 'Escriba un color, por ejemplo #0b5d4b.',
    'must be six digits': 'Escriba seis cifras.',
    'must hold password, code or passkey': 'Escriba la contraseña o un código, o use una llave de acceso.',
    'must be visible ASCII characters without spaces': 'Use letras, cifras y signos sin acentos ni espacios.',
    'must be scopes, separated by single spaces': 'Escriba los scopes con un espacio entre dos.',
    'must name at least one category': 'Elija al menos una categoría.',
    'must name a category, or be left out': 'Elija al menos una categoría.',
    'must name each category once': once,
    'must name each class once': once,
    'must name each once': once,
    'must name each project once': once,
    'must name each type once': once,
    'must hold NORMAL': 'Lo que no está protegido siempre se comparte también.',
    'must hold en or es': 'Escríbalo al menos en un idioma.',
    'is no project of the organization': 'Su organización no tiene ese proyecto.',
    'must be null for every role but researcher': researcher,
    'must be null: only a researcher key is limited to projects': researcher,
    'is required to vouch and to block': 'Escriba el motivo.',
    'must be null where nothing is judged': 'Déjelo vacío donde no se decide nada.',
    'must be what a dry run counted': 'Entretanto es otro número. Mírelo de nuevo.',
  },
};
