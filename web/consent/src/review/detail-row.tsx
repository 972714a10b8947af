import type { ReactNode } from 'react';

interface DetailRowProps {
  name: string;
  children: ReactNode;
  /** The element of law that the row is, such as 164.508(c)(1)(ii). */
  element?: string;
  /** The value is made of sentences. */
  prose?: boolean;
}

/** One line of a `dl`. */
export function DetailRow({ name, children, element, prose = false }: DetailRowProps) {
  return (
    <div data-element={element}>
      <dt>{name}</dt>
      <dd className={prose ? 'facts-prose' : undefined}>{children}</dd>
    </div>
  );
}
