/** Removes white space at the end of lines, blank lines at the start and end, and all but one of several blank lines. */
export function tidyLines(text: string): string {
  const lines: string[] = [];
  for (const line of text.replaceAll('\0', '').split(/\r\n|[\n\r\u2028\u2029\f\v]/)) {
    const trimmed = line.trimEnd();
    if (trimmed !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(trimmed);
  }
  if (lines.at(-1) === '') lines.pop();
  return lines.join('\n');
}
