/** Elements without an end tag (HTML §13.1.2, void elements). */
export const VOID = new Set(
  'area base br col embed hr img input link meta source track wbr param'.split(' '),
);

/** Elements whose end tag may be left out, each with the elements that its start tag ends (HTML §13.1.2.4). */
export const IMPLIED_END_TAGS = new Map(
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
