// Traces, of a server of its own that sends them to a collector of the test.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cardMerchant } from '../support/card-merchant';
import { merchants } from '../support/merchants';
import { expect, test } from '../support/test';
import { startVictim } from '../support/victim';

type Value = { stringValue?: string; intValue?: number | string };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
  links?: { traceId: string }[];
};

async function startCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies.flatMap((body) =>
        JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ) as Span[],
    close: () => new Promise((closed) => server.close(closed)),
  };
}

const attribute = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((each) => each.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

test('a sale is one trace, from the request to the statements and the provider, and holds nothing of the payer', async ({
  catcher,
  provider,
}) => {
  const collector = await startCollector();
  const server = await startVictim({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    LOG_LEVEL: 'info',
  });
  try {
    const shop = cardMerchant(server.url, merchants.plain, catcher);
    const body = shop.signed(shop.chargeBody('SALE', {})) as Record<string, string>;
    const theirs = '0af7651916cd43dd8448eb211c80319c';
    const answer = await fetch(`${server.url}/s2s/card/post`, {
      method: 'POST',
      headers: { traceparent: `00-${theirs}-b7ad6b7169203331-01` },
      body: new URLSearchParams(body),
    });
    const { trans_id: key } = await answer.json();
    const root = () => collector.spans().find(({ name }) => name === 'POST /s2s/card/post');
    await expect.poll(() => root()?.name, { timeout: 10_000 }).toBeTruthy();
    const request = root();
    expect(request?.traceId).not.toBe(theirs);
    expect(request?.links).toMatchObject([{ traceId: theirs }]);
    expect(attribute(request, 'http.response.status_code')).toBe(200);
    expect(attribute(request, 'florin.request_id')).toBe(answer.headers.get('x-request-id'));
    const inside = collector.spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(inside.filter((span) => attribute(span, 'db.system.name') === 'postgresql').length).toBeGreaterThan(1);
    const call = collector.spans().find((span) => attribute(span, 'florin.key') === key);
    expect([call?.name, call?.traceId]).toEqual(['provider call', request?.traceId]);
    expect(await provider.moved(body.order_id ?? '')).toHaveLength(1);
    const line = server
      .output()
      .split('\n')
      .find((each) => each.includes('"msg":"provider call"'));
    expect(JSON.parse(line ?? '{}').trace).toBe(request?.traceId);
    for (const secret of [body.card_number, body.card_cvv2, body.payer_email, body.hash, body.payer_last_name]) {
      if (secret && secret.length > 4) expect(collector.bodies.join('\n')).not.toContain(secret);
    }
  } finally {
    await server.kill();
    await collector.close();
  }
});
