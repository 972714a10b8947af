/** Whether campaigns run in full (`npm run test:long`): every value, record and kill, where `npm test` takes some of each kind. */
export const isLong = process.env['CHARTGATE_TEST_LONG'] === '1';
