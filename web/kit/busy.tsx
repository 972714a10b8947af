/** Announces to screen readers that something is under way. */
export function Busy({ busy, text }: { busy: boolean; text: string }) {
  return (
    <span className="hidden-visually" role="status">
      {busy ? text : ''}
    </span>
  );
}
