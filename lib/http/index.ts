// What a route is, request bodies, HTML, PDF documents, assets, languages, the guarded client for outgoing requests and
// the virus scan of files.
// Owns no tables.
// May import the rooms before it: core to jobs.
export * from './body.ts';
export { readAsset, readPayAssets } from './browser-assets.ts';
export { cacheableText } from './cacheable-text.ts';
export { type ScanResult, scanFile } from './clamd.ts';
export {
  blockedReason,
  blockedTarget,
  type Client,
  createClient,
  guardedClient,
  guardedRequests,
  operatorClient,
  operatorGuard,
  parseWebUrl,
  type SendResult,
  type TargetSettings,
  userAgent,
} from './guarded-client.ts';
export * from './html.ts';
export * from './i18n.ts';
export { drawPdf, type Pdf, pdfBusySeconds } from './pdf.ts';
export * from './route.ts';
