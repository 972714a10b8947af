/** In bytes; as the contract's EVIDENCE_LIMITS, whose file would bring zod into the page. A test compares. */
export const MAX_SCREENSHOT_BYTES = 2 * 1024 * 1024;
