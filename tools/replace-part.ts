/** Replaces a part of a page that comes from code: what stands between its two comments. */
export function replacePart(page: string, name: string, part: string): string {
  const start = `<!-- npm run docs: ${name} -->\n`;
  const [before = '', after = ''] = page.split(start);
  return `${before}${start}${part}\n${after.slice(after.indexOf('<!-- end -->'))}`;
}
