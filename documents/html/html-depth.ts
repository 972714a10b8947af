/** Elements without an end tag (HTML §13.1.2, void elements). */
const VOID = new Set('area base br col embed hr img input link meta source track wbr param'.split(' '));

/** Elements whose end tag may be left out: each stands with those that it ends when it begins (HTML §13.1.2.4). */
const IMPLIED_END_TAGS = new Map(
  Object.entries({
    p: ['p'],
    li: ['li'],
    dd: ['dd', 'dt'],
    dt: ['dd', 'dt'],
    td: ['td', 'th'],
    th: ['td', 'th'],
    tr: ['tr', 'td', 'th'],
    option: ['option'],
  }),
);

const TAG = /<(\/?)([a-z][a-z0-9]{0,20})/gi;

/** Whether a page's elements lie more than `most` deep inside of each other, as its parser will see it. */
export function isDeeperThan(html: string, maxDepth: number): boolean {
  const open: string[] = [];
  for (const [, slash, written = ''] of html.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (slash === '/') {
      const start = open.lastIndexOf(name);
      if (start >= 0) open.length = start;
    } else if (!VOID.has(name)) {
      while (open.length > 0 && IMPLIED_END_TAGS.get(name)?.includes(open.at(-1)!)) open.pop();
      if (open.push(name) > maxDepth) return true;
    }
  }
  return false;
}
