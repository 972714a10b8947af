import autocannon from 'autocannon';

export interface Load {
  url: string;
  token?: string;
  body: string;
  seconds: number;
}

/** Requests a second that 8 connections get answered; any answer but 200 is an error of the benchmark. */
export async function measureCallsPerSecond({ url, token, body, seconds }: Load): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    connections: 8,
    duration: seconds,
    // In a thread of its own, so that counting does not take from what is counted.
    workers: 1,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};
