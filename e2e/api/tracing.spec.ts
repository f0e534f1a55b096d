// Traces of a separate server that sends them to a collector of the test.
import { cardMerchant } from '../support/card-merchant.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { merchants } from '../support/merchants.ts';
import { expect, test } from '../support/test.ts';
import { attribute, startTraceCollector } from '../support/trace-collector.ts';

test('a sale is one trace, from the request to the statements and the provider, without payer data', async ({
  shopServer,
  provider,
}) => {
  const collector = await startTraceCollector();
  const server = await startKillableServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    LOG_LEVEL: 'info',
  });
  try {
    const shop = cardMerchant(server.url, merchants.plain, shopServer);
    const body = shop.signed(shop.chargeBody('SALE', {})) as Record<string, string>;
    const callerTrace = '0af7651916cd43dd8448eb211c80319c';
    const answer = await fetch(`${server.url}/s2s/card/post`, {
      method: 'POST',
      headers: { traceparent: `00-${callerTrace}-b7ad6b7169203331-01` },
      body: new URLSearchParams(body),
    });
    const { trans_id: key } = await answer.json();
    const root = () => collector.spans().find(({ name }) => name === 'POST /s2s/card/post');
    await expect.poll(() => root()?.name).toBeTruthy();
    const request = root();
    expect(request?.traceId).not.toBe(callerTrace);
    expect(request?.links).toMatchObject([{ traceId: callerTrace }]);
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
