/** The gate with the leaf; decoration, its name stands beside it. `mark.svg` is the same for browsers' tabs. */
export function Logo() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="mark-ground" width="32" height="32" rx="8" />
      <path className="mark-gate" d="M7.5 25.5V15a8.5 8.5 0 0 1 17 0v10.5" />
      <path className="mark-leaf" d="M16 25.5c-4.1-1.7-5.2-6.6 0-12.5 5.2 5.9 4.1 10.8 0 12.5z" />
    </svg>
  );
}
