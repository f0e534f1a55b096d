// The OpenAPI documents, made from the tables of the protocols and of callbacks, and from the shapes of connectors.
// Owns no tables.
// May import the rooms before it: core to callbacks.
export { documentOf } from './document.ts';
export { openApiRoutes } from './provider.ts';
export { formulaText, signedText } from './signature-formula.ts';
