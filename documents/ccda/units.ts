/** Units of UCUM (§§ 27–48) that occur in medicine and take no prefix. */
const NON_METRIC = new Set(
  `% 10* 10^ min h d wk mo a deg ' '' [pi] [degF] [in_i] [in_us] [ft_i] [ft_us] [yd_i] [mi_i] [lb_av] [oz_av] [gr] [stone_av]
  [foz_us] [cup_us] [tbs_us] [tsp_us] [pt_us] [qt_us] [gal_us] [drp] [Ch] [pH] [ppth] [ppm] [ppb] [HPF] [LPF] [arb'U]
  [USP'U] [hp'_X] [diop] [iU] [IU] [CFU] [PFU] [BAU] [APL'U] [GPL'U] [MPL'U] [dye'U] [todd'U] [D'ag'U] [FFU] [hnsf'U]
  [kn'U] [knk'U] [mclg'U] [smgy'U] [tb'U] [bdsk'U] [S] [PNU] [Amb'a'1'U] [AU] B[SPL] [CCID_50] [TCID_50] [EID_50]`.split(
    /\s+/,
  ),
);
/** Units that take prefixes. Kelvin is left out: "K/uL" means thousands. */
const METRIC = new Set(
  `m s g rad C cd mol eq osm Hz N Pa J W A V F Ohm S Wb Cel T H lm lx Bq Gy Sv l L ar t bar u eV pc B Np kat U cal [iU] [IU]
  m[H2O] m[Hg] bit By Bd sr st dyn erg P Ky G Ci R RAD REM`.split(/\s+/),
);
const PREFIXES = ['da', ...'YZEPTGMkhdcmunpfazy'.split('')];

const TERM = /^(.*?)([+-]?\d+)?((?:\{[!-z|~]*\})*)$/;

/** Says whether this is a unit in the grammar of UCUM's case sensitive codes, of units that medicine uses. */
export function isUcumUnit(unit: string): boolean {
  if (unit.length > 100 || !/^[!-~]+$/.test(unit)) return false;
  return splitUnit(unit).every(
    (part, index, all) => (part === '' && index === 0 && all.length > 1) || isTerm(part),
  );
}

/** Splits at "." and "/" outside of brackets and braces. Groups in parentheses are read as their content. */
function splitUnit(unit: string): string[] {
  const found = [''];
  let depth = 0;
  for (const letter of unit) {
    if (letter === '[' || letter === '{') depth++;
    else if (letter === ']' || letter === '}') depth--;
    if (depth === 0 && (letter === '.' || letter === '/')) found.push('');
    else if (depth > 0 || (letter !== '(' && letter !== ')')) found[found.length - 1] += letter;
  }
  return found;
}

function isTerm(term: string): boolean {
  const [, symbol = '', exponent, annotation = ''] = TERM.exec(term) ?? [];
  if (symbol === '') return exponent !== undefined ? /^\d/.test(exponent) : annotation !== '';
  return isSymbol(symbol);
}

function isSymbol(symbol: string): boolean {
  if (NON_METRIC.has(symbol) || METRIC.has(symbol)) return true;
  return PREFIXES.some((prefix) => symbol.startsWith(prefix) && METRIC.has(symbol.slice(prefix.length)));
}
