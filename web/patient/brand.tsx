import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Brand, BrandedOrganization } from '../../contract/organization/brand.ts';

interface BrandState {
  /** The service's address, without a trailing slash. */
  baseUrl: string;
  organization: BrandedOrganization | null;
  setOrganization: (organization: BrandedOrganization | null) => void;
}

const BrandContext = createContext<BrandState>({
  baseUrl: '',
  organization: null,
  setOrganization: () => undefined,
});

/** Holds which organization speaks; around the frame, which shows it. */
export function BrandProvider({ baseUrl, children }: { baseUrl: string; children: ReactNode }) {
  const [organization, setOrganization] = useState<BrandedOrganization | null>(null);
  useColors(organization?.brand?.colors ?? null);
  return (
    <BrandContext.Provider value={{ baseUrl, organization, setOrganization }}>
      {children}
    </BrandContext.Provider>
  );
}

/** Returns the organization that speaks, where it has chosen how it looks. */
export const useBrandedOrganization = (): BrandedOrganization | null => {
  const { organization } = useContext(BrandContext);
  return organization?.brand ? organization : null;
};

/** Lets an organization speak for as long as the screen is there; null: the service itself does. */
export function useSpeaker(organization: BrandedOrganization | null | undefined): void {
  const { setOrganization } = useContext(BrandContext);
  // What is asked for again is another object with the same in it.
  const key = JSON.stringify(organization ?? null);
  useEffect(() => {
    setOrganization(JSON.parse(key) as BrandedOrganization | null);
    return () => setOrganization(null);
  }, [key, setOrganization]);
}

/** The picture of an organization; decoration, its name stands beside it. */
export function Mark({ hash }: { hash: string }) {
  const { baseUrl } = useContext(BrandContext);
  return <img className="mark mark-picture" src={`${baseUrl}/account/marks/${hash}`} alt="" />;
}

const SCHEMES = ['light', 'dark'] as const;
const NAMES = {
  accent: 'accent',
  accentStrong: 'accent-strong',
  onAccent: 'on-accent',
  accentWash: 'accent-wash',
  leaf: 'leaf',
} as const;

/** Sets the colours of both schemes, of which tokens.css takes those of the scheme. By CSSOM: our policy allows no style attribute. */
function useColors(colors: Brand['colors']): void {
  const key = JSON.stringify(colors);
  useEffect(() => {
    const given = JSON.parse(key) as Brand['colors'];
    if (given === null) return undefined;
    const { style } = document.documentElement;
    const set = SCHEMES.flatMap((scheme) =>
      Object.entries(NAMES).map(([from, to]): [string, string] => [
        `--brand-${scheme}-${to}`,
        given[scheme][from as keyof typeof NAMES],
      ]),
    );
    for (const [name, value] of set) style.setProperty(name, value);
    return () => {
      for (const [name] of set) style.removeProperty(name);
    };
  }, [key]);
}
