// What a route is, request bodies, HTML, assets, languages, the client IP and the guarded client for outgoing requests.
// Owns no tables.
// May import the rooms before it: core to jobs.

export { isStorable, readBytes, rejectedBytes, signedBytes, textOf } from './body';
export { readAsset, readPayAssets } from './browser-assets';
export { clientIpBehind, resolveClientIp } from './client-ip';
export { fieldErrorsOf } from './field-errors';
export { decodeForm, encodeForm, type Form, type FormFields, type FormValue, formLimits, readFormText } from './form';
export { type Client, createClient, guardedClient, parseWebUrl, type SendResult, userAgent } from './guarded-client';
export { type Html, html, plainPage } from './html';
export { translationsOf } from './i18n';
export { decodeJson, type JsonObject, jsonLimits } from './json';
export { buildMatcher, type ClientIp, type Route } from './route';
