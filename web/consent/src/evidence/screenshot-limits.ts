/**
 * In bytes, equal to the contract's EVIDENCE_LIMITS, whose file would bring zod into the page; a test compares the two.
 */
export const MAX_SCREENSHOT_BYTES = 2 * 1024 * 1024;
