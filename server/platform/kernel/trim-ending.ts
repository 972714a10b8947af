/** Removes these characters at the end of a text. `/0+$/` looks at each run of them to its end, from each of its characters. */
export function trimEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
