/** In bytes; as the contract's EVIDENCE_LIMITS, whose file would bring zod into the page. A test compares. */
export const LARGEST_PICTURE = 2 * 1024 * 1024;
