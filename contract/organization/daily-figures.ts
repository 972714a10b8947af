import { z } from 'zod';
import { ProjectId } from '../brands.ts';
import { CalendarDay } from '../calendar-day.ts';
import { DayOrInstant, FROM_DAY, TO_DAY } from '../day-or-instant.ts';
import { DEFAULT_RANGE_DAYS } from '../default-range.ts';
import { defineEndpoint } from '../endpoint.ts';

/** More than a year, as in `usage`. */
export const MAX_FIGURE_DAYS = 400;

const bytes = z.int().nullable();

export const DailyFigures = z
  .object({
    day: CalendarDay,
    activePatients: z
      .int()
      .describe(
        'Patients whose records were read; one who is read for several projects counts once, except for a caller who is limited to some',
      ),
    storage: z
      .object({
        recordBytes: bytes.describe(
          'FHIR resources of the patients who share their whole record, as they came',
        ),
        originalBytes: bytes.describe(
          'Files that were uploaded for those patients and are kept, as they came',
        ),
        evidenceBytes: bytes.describe('Pictures of decisions'),
        logBytes: z.int().describe('The audit log, with all that was written before'),
      })
      .describe('At the end of the day, or within the last hour. null: not measured on that day'),
  })
  .meta({ id: 'DailyFigures' });
export type DailyFigures = z.infer<typeof DailyFigures>;

export const listDailyFigures = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/daily-figures',
  name: 'listDailyFigures',
  summary:
    'How many patients were read on each day, and what is stored for the organization. A patient of several projects is counted for the one that enrolled them first',
  tag: 'Usage',
  audience: ['organization'],
  permission: 'usage.read',
  query: z.object({
    from: DayOrInstant.optional().describe(`${FROM_DAY}. Default: ${DEFAULT_RANGE_DAYS} days before \`to\``),
    to: DayOrInstant.optional().describe(`${TO_DAY}. Default: today`),
    projectId: ProjectId.optional(),
  }),
  response: z.object({
    zone: z.string().describe('The time zone of the days'),
    results: z.array(DailyFigures).describe('Every day of the range that has begun, the first one first'),
  }),
  refusals: { 400: `The range is longer than ${MAX_FIGURE_DAYS} days, or ends before it begins` },
});
