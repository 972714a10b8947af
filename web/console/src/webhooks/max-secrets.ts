/** The most secrets that sign at once, as the contract has it, whose values would bring its library along. */
export const MAX_SECRETS = 5;
