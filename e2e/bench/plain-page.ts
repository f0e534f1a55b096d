// @ts-nocheck
// The plainest page with the text of a payment page: no style, no script, served by node:http like the server's
// documents. It is the lower bound for a browser on this machine.
import { createServer } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';

const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);

/** The visible lines of the page at `url`. */
export async function linesOf(browser, url, device) {
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
export async function servePlain(lines, language) {
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
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, bytes: body.length, close: () => server.close() };
}
