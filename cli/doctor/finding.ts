/** What one check found: `detail` is a sentence, and `remedy` what mends it. No secret and no data of a person is in either. */
export interface Finding {
  /** A stable name, in snake_case. */
  check: string;
  outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  remedy?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, outcome: 'ok', detail });

export const skipped = (check: string, detail: string): Finding => ({ check, outcome: 'skipped', detail });

export const warning = (check: string, detail: string, remedy: string): Finding => ({
  check,
  outcome: 'warning',
  detail,
  remedy,
});

export const failed = (check: string, detail: string, remedy: string): Finding => ({
  check,
  outcome: 'failed',
  detail,
  remedy,
});
