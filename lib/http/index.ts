// What a route is, request bodies, HTML, assets, languages, the client IP and the guarded client for outgoing requests.
// Owns no tables.
// May import the rooms before it: core to jobs.
export { readAsset, readPayAssets } from './assets';
export { isStorable, readBytes, rejectedBytes, signedBytes, textOf } from './body';
export { clientIpBehind, resolveClientIp } from './client-ip';
export { fieldErrorsOf } from './field-errors';
export { type Form, type FormFields, type FormValue, decodeForm, encodeForm, formLimits, readFormText } from './form';
export { type Client, type SendResult, createClient, guardedClient, parseWebUrl, userAgent } from './guarded-client';
export { type Html, html, plainPage } from './html';
export { translationsOf } from './i18n';
export { type JsonObject, decodeJson, jsonLimits } from './json';
export { type ClientIp, type Route, buildMatcher } from './route';
