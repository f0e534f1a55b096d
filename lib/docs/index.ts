// The served documentation: pages, generated tables, samples of code, search.
// Owns no tables.
// May import the rooms before it: core to payer.
export { addressOf } from './address';
export { methodIntro, methodText, sessionBody } from './method-page';
export { readPage } from './page';
export { florinVersion } from './page-source';
export { publicReader } from './reader-credentials';
export { docsRoutes } from './routes';
export { programsOf, sampleOf } from './samples/from-request';
export { writeShell } from './samples/shell';
