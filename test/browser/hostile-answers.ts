import type { Page } from 'playwright-core';

/** Text that would be more than text if it became part of a page. */
export const MARKUP =
  '<script>window.hostile=1</script><img class="hostile" src=x onerror="window.hostile=1"> **bold** [link](javascript:alert(1)) \u202e' +
  'x'.repeat(120);

/** What people and programs outside of the organization write, by the fields of answers that hold it. */
const FIELDS = [
  'body',
  'clientName',
  'contacts',
  'description',
  'device',
  'displayName',
  'email',
  'externalId',
  'firstName',
  'lastName',
  'looksLike',
  'message',
  'name',
  'note',
  'phone',
  'purpose',
  'redirectHost',
  'representative',
  'server',
  'title',
  'userAgent',
];

/** Everything that pages which are loaded from now on read holds markup wherever others could have written it. */
export const writeMarkup = (tab: Page): Promise<unknown> =>
  tab.addInitScript(`(() => {
    const fields = new Set(${JSON.stringify(FIELDS)});
    const change = (value, field) => {
      if (Array.isArray(value)) return value.map((each) => change(each, field));
      if (typeof value === 'string') return fields.has(field) ? ${JSON.stringify(MARKUP)} + value : value;
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each, name)]));
    };
    const read = Response.prototype.text;
    Response.prototype.text = async function () {
      const text = await read.call(this);
      return text.startsWith('{') ? JSON.stringify(change(JSON.parse(text))) : text;
    };
  })()`);

export interface Found {
  /** Whether the markup stands in the page as the text that it is. */
  shown: boolean;
  /** Elements and links that came of it, and whether it ran. */
  made: number;
  overflow: number;
}

/** Reads what became of the markup. */
export const findMarkup = (tab: Page): Promise<Found> =>
  tab.evaluate<Found>(`({
    shown: document.body.innerText.includes('<img class="hostile"')
      || Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value).join().includes('<img class='),
    made: document.querySelectorAll('.hostile, [onerror], a[href^="javascript:"]').length + Number('hostile' in window),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  })`);
