import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSearch } from './use-search.ts';

interface PageLinkProps {
  /** Below /console, such as `/webhooks/…`. */
  to: string;
  /** The query of the address; the chosen project stays in it by itself. */
  search?: Readonly<Record<string, string | undefined>>;
  className?: string;
  /** The row of a list that it leads into: `j`, `k` and Enter go by it. */
  isRow?: boolean;
  /** It leads to where the person is. */
  isCurrent?: boolean;
  children: ReactNode;
  onClick?: () => void;
  title?: string;
}

/** A link to a page of the console. */
export function PageLink({ to, search = {}, className, children, onClick, ...rest }: PageLinkProps) {
  const { isRow = false, isCurrent = false, title } = rest;
  const [{ project }] = useSearch();
  return (
    <Link
      to={to}
      search={{ ...(project !== undefined && { project }), ...dropUndefined(search) }}
      {...(className !== undefined && { className })}
      // Ours says where the person is, not the router's, which knows paths only.
      activeProps={{ 'aria-current': isCurrent ? 'page' : undefined }}
      {...(isRow && { 'data-row-link': '' })}
      {...(onClick && { onClick })}
      {...(title !== undefined && { title })}
    >
      {children}
    </Link>
  );
}

const dropUndefined = (search: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** The value of a `$name` in the path of this page. */
export function usePathParameter(name: string): string {
  const parameters: Record<string, string | undefined> = useParams({ strict: false });
  const value = parameters[name];
  if (value === undefined) throw new Error(`The path of this page has no $${name}.`);
  return value;
}
