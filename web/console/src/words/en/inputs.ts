const once = 'Each may be chosen once.';
const year = 'The year must be between 1 and 9999.';
const researcher = 'Only the role researcher is limited to projects.';

/** What the service finds wrong with an input, by its own words for programs. */
export const inputs = {
  long: (limit: string) => `Use at most ${limit} characters.`,
  short: (limit: string) => `Use at least ${limit} characters.`,
  faults: {
    'must hold no control or direction-changing characters, and no stacked combining marks':
      'It holds characters that cannot be seen, turn the direction of the text or cover others. Type it anew.',
    'must not hold the character U+0000': 'It holds a character that cannot be seen. Type it anew.',
    'must not hold half of a surrogate pair': 'It holds a damaged character. Type it anew.',
    'must be one line': 'Write it in one line.',
    'must not be empty': 'Fill this in.',
    'is missing': 'Fill this in.',
    'is required of a new member': 'Fill this in.',
    'must change something': 'Nothing was changed here.',
    'must be an e-mail address': 'This is not an e-mail address.',
    'must be a telephone number': 'This is not a telephone number.',
    'must be a URL': 'This is not an address of the web.',
    'must be an https address': 'Enter an address that begins with https://',
    'must have its host after https://': 'Enter the name of the server after https://',
    'must hold no query, fragment or credentials': 'Leave out ?, # and names with passwords.',
    'must hold no fragment or credentials': 'Leave out # and names with passwords.',
    'is not an address on the public internet': 'This address is not on the public internet.',
    'must be a UUID': 'This is not an id of the service.',
    'must be a day of the calendar, such as 2026-01-31': 'Enter a day, such as 2026-01-31.',
    'must be a date and time with an offset, such as 2026-01-31T12:00:00Z':
      'Enter a date and a time, such as 2026-01-31T12:00:00Z.',
    'must lie in the years 1 to 9999': year,
    'must lie in the years 1 to 9999 (UTC)': year,
    'must not lie in the future': 'This day is still to come.',
    'must lie in the future': 'This time is over.',
    'is before since': 'The end is before the beginning.',
    'must be a language code such as "en" or "es"': 'Enter the code of a language, such as en or es.',
    'must be a name of the IANA database such as America/New_York':
      'Choose a time zone, such as America/New_York.',
    'is no time zone that the store knows': 'The database does not know this time zone.',
    'must be a colour such as #0b5d4b, in small letters': 'Enter a colour, such as #0b5d4b.',
    'must be six digits': 'Enter six digits.',
    'must hold password, code or passkey': 'Enter the password or a code, or use a passkey.',
    'must be visible ASCII characters without spaces':
      'Use letters, digits and signs without accents or spaces.',
    'must be scopes, separated by single spaces': 'Enter scopes, with one space between two.',
    'must name at least one category': 'Choose one category at least.',
    'must name a category, or be left out': 'Choose one category at least.',
    'must name each category once': once,
    'must name each class once': once,
    'must name each once': once,
    'must name each project once': once,
    'must name each type once': once,
    'must hold NORMAL': 'What is not protected is always shared too.',
    'must hold en or es': 'Write it in one language at least.',
    'is no project of the organization': 'Your organization has no such project.',
    'must be null for every role but researcher': researcher,
    'must be null: only a researcher key is limited to projects': researcher,
    'is required to vouch and to block': 'Write why.',
    'must be null where nothing is judged': 'Leave this out where nothing is decided.',
    'must be what a dry run counted': 'The number is another one meanwhile. Look at it again.',
  } as Readonly<Record<string, string>>,
};
