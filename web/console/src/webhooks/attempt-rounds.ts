interface Counted {
  deliveryAttempt: number;
}

/**
 * Groups the attempts of a delivery by when it was sent: each time that it is sent again they are counted from one. The log is
 * newest first; so are the rounds, and the attempts in each.
 */
export function groupAttempts<Attempt extends Counted>(log: readonly Attempt[]): Attempt[][] {
  const rounds: Attempt[][] = [];
  let later = 0;
  for (const attempt of log) {
    const round = rounds.at(-1);
    if (round === undefined || attempt.deliveryAttempt >= later) rounds.push([attempt]);
    else round.push(attempt);
    later = attempt.deliveryAttempt;
  }
  return rounds;
}
