import { InvalidArgumentError, type Command } from 'commander';
import { writeRecordArchive } from '../generate/record-archive.ts';
import { isCalendarDay, planLimits, type RecordPlan } from '../generate/record-plan.ts';

interface Flags {
  seed: number;
  years: number;
  out: string;
  endsOn?: string;
  visitsPerYear?: number;
  json?: true;
}

export function generateRecordCommand(program: Command): void {
  program
    .command('generate-record')
    .description('write a synthetic FHIR R4 record as an upload archive')
    .requiredOption('--seed <n>', 'the same seed gives the same record', seed)
    .requiredOption('--years <n>', 'how many years the record spans', within('years'))
    .requiredOption('--out <file.zip>', 'where to write the archive', archiveName)
    .option('--ends-on <YYYY-MM-DD>', 'last day of the record (default: today)', calendarDay)
    .option('--visits-per-year <n>', 'how many visits a year (default: 4)', within('visitsPerYear'))
    .option('--json', 'print one JSON object instead of a sentence')
    .action(async (flags: Flags) => {
      const { resources, bytes } = await writeRecordArchive(planOf(flags), flags.out);
      console.log(
        flags.json
          ? JSON.stringify({ file: flags.out, resources, bytes })
          : `Wrote ${resources} resources to ${flags.out} (${bytes} bytes).`,
      );
    });
}

function planOf({ seed, years, endsOn, visitsPerYear }: Flags): RecordPlan {
  return {
    seed,
    years,
    endsOn: endsOn ?? today(),
    ...(visitsPerYear !== undefined && { visitsPerYear }),
  };
}

/** The day on the caller's own wall calendar. */
function today(): string {
  const now = new Date();
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function seed(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number from 0.');
  }
  return value;
}

function within(name: keyof typeof planLimits): (text: string) => number {
  const { least, most } = planLimits[name];
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    }
    return value;
  };
}

function calendarDay(text: string): string {
  if (!isCalendarDay(text)) throw new InvalidArgumentError('It must be a day written as YYYY-MM-DD.');
  return text;
}

function archiveName(text: string): string {
  if (!text.endsWith('.zip')) throw new InvalidArgumentError('It must end in .zip.');
  return text;
}
