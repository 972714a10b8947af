import { readFileSync } from 'node:fs';
import { TextDecoder } from 'node:util';

/** One entry of the font table, as far as text needs it. */
export interface RtfFont {
  name: string;
  /** \fcharset */
  charset: number | null;
  /** \cpg */
  codePage: number | null;
}

/** \fcharset: the Windows character set a font is written in (RTF 1.9.1, "Font Table"). */
const CODE_PAGE_OF_CHARSET = new Map([
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
  [255, 850],
]);

const SYMBOL_CHARSET = 2;

/** The Encoding Standard's label of a Windows code page where it isn't `windows-N`. */
const LABELS = new Map([
  [866, 'ibm866'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [10007, 'x-mac-cyrillic'],
  [20127, 'windows-1252'],
  [20866, 'koi8-r'],
  [21866, 'koi8-u'],
  [28591, 'windows-1252'],
  [28592, 'iso-8859-2'],
  [28595, 'iso-8859-5'],
  [28605, 'iso-8859-15'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
]);

/** The upper halves of the DOS code pages, which the Encoding Standard leaves out. */
const DOS_UPPER_HALF = new Map([
  [
    437,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  [
    850,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
]);

/** The state of decoding a document's text. */
export interface RtfDecoding {
  /** The code page of fonts that name none. */
  codePage: number;
  /** Cached, since creating one costs as much as decoding a page. */
  decoders: Map<number, TextDecoder>;
}

export function decodeInFont(bytes: Buffer, font: RtfFont | undefined, decoding: RtfDecoding): string {
  if (font?.charset === SYMBOL_CHARSET) return decodeSymbols(bytes.toString('latin1'), font.name);
  const named = font && (font.codePage ?? CODE_PAGE_OF_CHARSET.get(font.charset ?? 0));
  return decodeInCodePage(bytes, named ?? decoding.codePage, decoding.decoders);
}

function decodeInCodePage(bytes: Buffer, codePage: number, decoders: RtfDecoding['decoders']): string {
  if (bytes.every((byte) => byte < 0x80)) return bytes.toString('latin1');
  const upper = DOS_UPPER_HALF.get(codePage);
  if (upper !== undefined)
    return bytes.toString('latin1').replace(/[\x80-\xff]/g, (c) => upper[c.charCodeAt(0) - 0x80]!);
  const decoder = decoders.get(codePage) ?? createDecoder(codePage);
  decoders.set(codePage, decoder);
  return decoder.decode(bytes);
}

function createDecoder(codePage: number): TextDecoder {
  try {
    return new TextDecoder(LABELS.get(codePage) ?? `windows-${codePage}`);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

/** Decodes a UTF-16 unit; Word writes characters of symbol fonts as \u with U+F000 added to their position in the font. */
export function decodeUnicode(unit: number, font: RtfFont | undefined): string {
  const isPrivate = unit >= 0xf020 && unit <= 0xf0ff;
  return isPrivate
    ? decodeSymbols(String.fromCharCode(unit - 0xf000), font?.name ?? '')
    : String.fromCharCode(unit);
}

/** Symbol fonts by name, in small letters: each has a character for every byte. */
const SYMBOL_FONTS = new Map(
  Object.entries(
    (
      JSON.parse(readFileSync(new URL('symbol-fonts.json', import.meta.url), 'utf8')) as {
        fonts: Record<string, string>;
      }
    ).fonts,
  ).map(([name, characters]) => [name.toLowerCase(), Array.from(characters)]),
);

/** Decodes bytes of a symbol font. In Symbol the letter m is µ: read as a letter, micrograms would become milligrams. */
function decodeSymbols(text: string, font: string): string {
  const characters = SYMBOL_FONTS.get(font.toLowerCase()) ?? SYMBOL_FONTS.get('symbol') ?? [];
  return Array.from(text, (letter) => characters[letter.charCodeAt(0)] ?? letter).join('');
}
