// What a route is, request bodies, HTML, assets, languages and the guarded client for outgoing requests.
// Owns no tables.
// May import the rooms before it: core to jobs.
export {
  decodeForm,
  decodeJson,
  encodeForm,
  type Form,
  type FormFields,
  type FormValue,
  fieldErrorsOf,
  formLimits,
  isStorable,
  type JsonObject,
  jsonLimits,
  readAtMost,
  readBytes,
  readFormText,
  rejectedBytes,
  signedBytes,
  textOf,
} from './body.ts';
export { readAsset, readPayAssets } from './browser-assets.ts';
export { cacheableJson } from './cacheable-json.ts';
export { type Client, createClient, guardedClient, parseWebUrl, type SendResult, userAgent } from './guarded-client.ts';
export { type Html, html, plainPage } from './html.ts';
export { translationsOf } from './i18n.ts';
export {
  addCookies,
  bodyTextOf,
  buildMatcher,
  type ClientIp,
  type HeaderFields,
  type HttpResult,
  httpResult,
  isHttpResult,
  jsonResult,
  type Route,
} from './route.ts';
