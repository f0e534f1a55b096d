// The plainest page with the text of a payment page: no style, no script, served by node:http like the server's
// documents. It is the lower bound for a browser on this machine.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Browser, BrowserContextOptions } from 'playwright';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);

/** The visible lines of the page at `url`. */
export async function linesOf(browser: Browser, url: string, device: BrowserContextOptions): Promise<string[]> {
  const context = await browser.newContext(device);
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'load' });
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count.
    const text = await page.locator('body').innerText();
    return text.split('\n').filter((line) => line.trim() !== '');
  } finally {
    await context.close();
  }
}

/** Serves the lines as a page; returns its address and a function that closes it. */
export async function servePlain(lines: string[], language: string) {
  const paragraphs = lines.map((line) => `<p>${escaped(line)}</p>`).join('');
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plain</title>';
  const html = `<!doctype html><html lang="${language}"><head>${head}</head><body>${paragraphs}</body></html>`;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const body = brotliCompressSync(html, { params });
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-length': body.length,
  };
  const server = createServer((request, response) => {
    if (request.url === '/') return response.writeHead(200, headers).end(body);
    response.writeHead(404, { 'content-length': 0 }).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, bytes: body.length, close: () => server.close() };
}
