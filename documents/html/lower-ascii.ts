/**
 * Lowers the letters of ASCII, of which the names of tags are, and leaves every letter where it is: "İ" is two in lower case,
 * which moves all that follows.
 */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
