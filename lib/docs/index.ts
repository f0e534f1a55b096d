// The served documentation: pages, generated tables, samples of code, search.
// Owns no tables.
// May import the rooms before it: core to payer.
export { addressOf } from './address.ts';
export { methodIntro, methodText, sessionBody } from './method-page.ts';
export { readPage } from './page.ts';
export { florinVersion } from './pages.ts';
export { publicReader } from './reader-credentials.ts';
export { docsRoutes } from './routes.ts';
export { programsOf, sampleOf } from './samples/from-request.ts';
export { writeShell } from './samples/shell.ts';
