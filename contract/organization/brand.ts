import { z } from 'zod';

const Color = z.string().describe('#rrggbb');

const SchemeColors = z.object({
  accent: Color,
  accentStrong: Color,
  onAccent: Color,
  accentWash: Color,
  leaf: Color,
});

/** How a patient recognizes an organization. */
export const Brand = z
  .object({
    mark: z
      .string()
      .nullable()
      .describe('The hash of its picture, which is `/account/marks/{hash}`; null: none'),
    colors: z
      .object({ light: SchemeColors, dark: SchemeColors })
      .nullable()
      .describe("Of each scheme, derived from the organization's one; null: the colours of the service"),
  })
  .meta({ id: 'Brand' });
export type Brand = z.infer<typeof Brand>;

/** The organization that speaks on a page. */
export const BrandedOrganization = z.object({
  name: z.string(),
  brand: Brand.nullable().describe('null: it has chosen nothing'),
});
export type BrandedOrganization = z.infer<typeof BrandedOrganization>;
