// The HTTP server, the table of routes, the job loop and the mounts for Next.
// Owns no tables.
// May import every other room.
export { mount } from './next-mount';
export { webRequest } from './node-request';
export { sendResponse } from './node-response';
