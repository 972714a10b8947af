import { InvalidArgumentError, type Command } from 'commander';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { isCalendarDay, PLAN_LIMITS, type RecordPlan } from '../../tools/synthetic-record/record-plan.ts';

interface Options {
  seed: number;
  years: number;
  out: string;
  endsOn?: string;
  visitsPerYear?: number;
  json?: true;
}

export function configureGenerateRecordCommand(command: Command): void {
  command
    .requiredOption('--seed <n>', 'the same seed gives the same record', parseSeed)
    .requiredOption('--years <n>', 'how many years the record spans', createRangeParser('years'))
    .requiredOption('--out <file.zip>', 'where to write the archive', parseArchiveName)
    .option('--ends-on <YYYY-MM-DD>', 'last day of the record (default: today)', parseCalendarDay)
    .option(
      '--visits-per-year <n>',
      'how many visits a year (default: 4)',
      createRangeParser('visitsPerYear'),
    )
    .option('--json', 'print one JSON object instead of a sentence')
    .action(async (options: Options) => {
      const { resources, bytes } = await writeRecordArchive(toPlan(options), options.out);
      console.log(
        options.json
          ? JSON.stringify({ file: options.out, resources, bytes })
          : `Wrote ${resources} resources to ${options.out} (${bytes} bytes).`,
      );
    });
}

function toPlan({ seed, years, endsOn, visitsPerYear }: Options): RecordPlan {
  return {
    seed,
    years,
    endsOn: endsOn ?? formatToday(),
    ...(visitsPerYear !== undefined && { visitsPerYear }),
  };
}

/** Returns today in the caller's own time zone. */
function formatToday(): string {
  const now = new Date();
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

function parseSeed(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number from 0.');
  }
  return value;
}

function createRangeParser(name: keyof typeof PLAN_LIMITS): (text: string) => number {
  const { min, max } = PLAN_LIMITS[name];
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return value;
  };
}

function parseCalendarDay(text: string): string {
  if (!isCalendarDay(text)) throw new InvalidArgumentError('It must be a day written as YYYY-MM-DD.');
  return text;
}

function parseArchiveName(text: string): string {
  if (!text.endsWith('.zip')) throw new InvalidArgumentError('It must end in .zip.');
  return text;
}
