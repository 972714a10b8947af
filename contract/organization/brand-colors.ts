/** The colours that a page takes from an organization's one, for each scheme; `#rrggbb`. */
export interface SchemeColors {
  /** Of buttons, links and marks. */
  accent: string;
  /** Of what is pointed at. */
  accentStrong: string;
  /** Of letters on the accent. */
  onAccent: string;
  /** Of grounds that are tinted. */
  accentWash: string;
  /** Of what is drawn on the accent. */
  leaf: string;
}

export interface BrandColors {
  light: SchemeColors;
  dark: SchemeColors;
}

/** WCAG 2.2 §1.4.3. */
const MIN_CONTRAST = 4.5;

/** What stands behind text in our pages: `--ground` and `--surface` of web/kit/tokens.css. */
const GROUNDS = { light: ['#f3f1ea', '#fffefb'], dark: ['#0e1412', '#161e1b'] } as const;

/** Lightness 0 to 1, chroma, and hue in radians (OKLCH). */
interface Lch {
  l: number;
  c: number;
  h: number;
}

type Rgb = readonly [number, number, number];

/**
 * Derives the colours of both schemes from one: its hue stays, and its lightness is moved as far as letters need, so that
 * every colour can be taken. In each scheme the accent has 4.5:1 to what is behind it, and letters have as much to the accent.
 */
export function deriveBrandColors(color: string): BrandColors {
  const { l, c, h } = toLch(color);
  const tint = (lightness: number, chroma: number): string =>
    toHex({ l: lightness, c: Math.min(c, chroma), h });
  const lightWash = tint(0.95, 0.02);
  const accent = shift({ l, c, h }, { by: -0.01, against: [...GROUNDS.light, lightWash] });
  const darkWash = tint(0.27, 0.03);
  // On a dark ground a colour of full strength glares.
  const bright = shift(
    { l: Math.max(l, 0.7), c: Math.min(c, 0.14), h },
    { by: 0.01, against: [...GROUNDS.dark, darkWash] },
  );
  return {
    light: {
      accent: toHex(accent),
      accentStrong: toHex({ ...accent, l: accent.l - 0.08 }),
      onAccent: '#ffffff',
      accentWash: lightWash,
      leaf: tint(0.87, 0.08),
    },
    dark: {
      accent: toHex(bright),
      accentStrong: toHex({ ...bright, l: Math.min(bright.l + 0.07, 0.98) }),
      onAccent: tint(0.22, 0.04),
      accentWash: darkWash,
      leaf: toHex(accent),
    },
  };
}

/** Makes a colour darker or lighter until it has enough contrast to all of these. */
function shift(from: Lch, { by, against }: { by: number; against: readonly string[] }): Lch {
  let { l } = from;
  const isEnough = (): boolean =>
    against.every((other) => getContrast(toHex({ ...from, l }), other) >= MIN_CONTRAST);
  while (!isEnough() && l > 0 && l < 1) l = Math.min(1, Math.max(0, l + by));
  return { ...from, l };
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function getContrast(one: string, other: string): number {
  const [high, low] = [getLuminance(one), getLuminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function getLuminance(color: string): number {
  const [r, g, b] = toLinear(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const toLinear = (color: string): Rgb => {
  const read = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [read(1), read(3), read(5)];
};

/** To OKLab and its polar form, by the matrices of CSS Color 4 §10. */
function toLch(color: string): Lch {
  const [r, g, b] = toLinear(color);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const [x, y] = [
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(x, y),
    h: Math.atan2(y, x),
  };
}

/** A colour that no screen shows loses chroma until one does. */
function toHex({ l, c, h }: Lch): string {
  for (let chroma = c; chroma > 0.001; chroma -= 0.004) {
    const rgb = toRgb({ l, c: chroma, h });
    if (rgb.every((value) => value >= -0.0005 && value <= 1.0005)) return writeHex(rgb);
  }
  return writeHex(toRgb({ l, c: 0, h: 0 }));
}

function toRgb({ l: lightness, c, h }: Lch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function writeHex(rgb: Rgb): string {
  const write = (value: number): string => {
    const held = Math.min(1, Math.max(0, value));
    const encoded = held <= 0.0031308 ? held * 12.92 : 1.055 * held ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${rgb.map(write).join('')}`;
}
