export const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** White space and commas end a value outside of brackets, and mean nothing inside. */
export const [END, STRING, OPEN, CLOSE] = [1, 2, 3, 4];

/** What a byte is to the scan of a JSON text; 0 where it is none of these. */
export const KIND = new Uint8Array(256);
KIND[QUOTE] = STRING;
for (const byte of Buffer.from('{[')) KIND[byte] = OPEN;
for (const byte of Buffer.from('}]')) KIND[byte] = CLOSE;
for (const byte of Buffer.from(', \t\r\n')) KIND[byte] = END;
