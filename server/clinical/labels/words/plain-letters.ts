/** Letters that look like Latin ones (Unicode UTS #39), of Cyrillic, Greek, Armenian, Lisu and Cherokee. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['АВЕЅІЈКМНОРСТУХҮԌԚԜ', 'ABESIJKMHOPCTYXYGQW'],
      ['аеѕіјорсухһԁԛԝѵв', 'aesijopcyxhdqwvb'],
      ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
      ['αινορυκτϲϳ', 'aivopuktcj'],
      ['օսհոցԁ', 'ouhngd'],
      ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'ABCDEFGHIJKLMNOPRSTUVWXYZ'],
      ['ᎪᏴᏟᎠᎬᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃ', 'ABCDEHiJKLMPRSTVWYZ'],
    ] as const
  ).flatMap(([letters, latin]) =>
    Array.from(letters, (letter, index) => [letter, latin[index] ?? ''] as const),
  ),
);
const LOOK_ALIKE = new RegExp(`[${[...LOOK_ALIKES.keys()].join('')}]`, 'g');

const DASH = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/** A word that the end of a line breaks: "schizo-⏎phrenia". */
const BROKEN_WORD = /(\p{L}\p{M}*)[-\u2010\u00ad][ \t]*\r?\n\s{0,20}(\p{L})/gu;

const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g;

const withoutAccents = (text: string): string =>
  text.normalize('NFD').replace(ACCENTS, '').replace(DASH, '-');

/**
 * Wide letters, ligatures and letters with loose accents as plain ones, and nothing invisible between them; "HІV" with a
 * Cyrillic letter as what it looks like.
 */
const withoutDisguise = (text: string): string =>
  withoutAccents(
    text
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(LOOK_ALIKE, (letter) => LOOK_ALIKES.get(letter) ?? letter),
  );

/** Lists a text as it may be read, without accents: as written, as it looks, and with words that were broken at the end of a line. */
export function listReadings(text: string): string[] {
  const written = isAscii(text) ? text : withoutAccents(text);
  const seen = isAscii(written) ? written : withoutDisguise(text);
  const readings = seen === written ? [written] : [written, seen];
  return /[-\u2010\u00ad][ \t]*\r?\n/.test(text) ? [...readings, withoutDisguise(joinWords(text))] : readings;
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

const joinWords = (text: string): string => text.replace(BROKEN_WORD, '$1$2');
