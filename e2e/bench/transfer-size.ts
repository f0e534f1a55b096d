// The transfer size of a page's first view: everything that the browser fetches for it, requested again like that
// browser and counted as encoded on the wire, without headers.
import { get } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Browser, BrowserContextOptions } from 'playwright';

type Kind = 'document' | 'style' | 'script' | 'image' | 'other';

const kinds: Record<string, Kind> = { document: 'document', stylesheet: 'style', script: 'script', image: 'image' };
const none: Record<Kind, number> = { document: 0, style: 0, script: 0, image: 0, other: 0 };

/**
 * Loads `url` and returns the bytes by kind and in total. The style sheet is inline: its part is the difference that
 * removing it makes.
 */
export async function measureSize(browser: Browser, url: string, device: BrowserContextOptions) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  const seen = new Map<string, string>();
  page.on('request', (request) => {
    const type = request.resourceType();
    // The live state is data that follows later; inline pictures count with the document.
    if (!['eventsource', 'fetch', 'xhr'].includes(type) && request.url().startsWith('http'))
      seen.set(request.url(), type);
  });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(300);
  await context.close();
  const bytes = { ...none };
  for (const [address, type] of seen) {
    const { body, encoding } = await fetchEncoded(address);
    bytes[kinds[type] ?? 'other'] += body.length;
    if (type === 'document') {
      if (encoding !== 'br') throw new Error(`${address} came as ${encoding ?? 'plain text'}, not as brotli.`);
      const style = styleBytes(body);
      bytes.document -= style;
      bytes.style += style;
    }
  }
  return { bytes, total: Object.values(bytes).reduce((sum, each) => sum + each, 0) };
}

function styleBytes(compressed: Buffer) {
  const html = brotliDecompressSync(compressed).toString('utf8');
  const bare = html.replace(/(<style[^>]*>).*?(<\/style>)/gs, '$1$2');
  return brotli(html) - brotli(bare);
}

// The server's own compression quality, so that the difference is that of the wire.
function brotli(text: string) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  return brotliCompressSync(text, { params }).length;
}

/** A response body as encoded on the wire, and its encoding. */
export function fetchEncoded(url: string): Promise<{ body: Buffer; encoding: string | undefined }> {
  return new Promise((done, fail) => {
    const request = get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => done({ body: Buffer.concat(chunks), encoding: response.headers['content-encoding'] }));
      response.on('error', fail);
    });
    request.on('error', fail);
  });
}
