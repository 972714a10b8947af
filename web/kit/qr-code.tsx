import { encode } from 'uqr';

/** A QR code as paths, without a script or style of its own; dark on light in either color scheme, as cameras expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect className="qr-light" width={size} height={size} />
      <path className="qr-dark" d={drawModules(data)} />
    </svg>
  );
}

/** One rectangle for each run of dark modules. */
const drawModules = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .flatMap((row, y) =>
      row.map((dark, x) => {
        if (!dark || row[x - 1] === true) return '';
        const end = row.indexOf(false, x);
        const width = (end === -1 ? row.length : end) - x;
        return `M${x} ${y}h${width}v1h-${width}z`;
      }),
    )
    .join('');
