/** What a server with a free choice answers by, the most widely read first. */
const CODINGS = ['gzip', 'br', 'zstd'];

/**
 * Writes what `*` means in an Accept-Encoding: "any available content coding not explicitly listed" (RFC 9110 §12.5.3). The
 * compression takes it for gzip, also where `gzip;q=0` stands beside it.
 */
export function resolveAnyCoding(header: string): string {
  const members = header.split(',').map((member) => {
    const [coding = '', ...parameters] = member.trim().toLowerCase().split(';');
    return { coding: coding.trim(), parameters };
  });
  const listed = new Set(members.map(({ coding }) => coding));
  const other = CODINGS.find((coding) => !listed.has(coding));
  return members
    .flatMap(({ coding, parameters }) => {
      const resolved = coding === '*' ? other : coding;
      return resolved === undefined ? [] : [resolved, ...parameters].join(';');
    })
    .join(', ');
}
