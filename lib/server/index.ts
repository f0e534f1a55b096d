// The HTTP server and its worker processes, the table of routes, the job loop and the entrance for Next's route handlers.
// Owns no tables.
// May import every other room.
export { serveFromNext } from './next-handler.ts';
export { sendResult, webRequest } from './node-adapter.ts';
