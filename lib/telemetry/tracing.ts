// OpenTelemetry traces: one per request with its statements and provider calls, and one per call of a job. Spans
// contain names, statuses and internal ids, never an address, a body or a value of a request.
import { type Attributes, context, type Link, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';

type Work<Result> = () => Promise<Result>;

const tracing = processWide('traces', () => ({ isOn: false }));
const isOn = () => tracing.isOn;
const tracer = () => trace.getTracer('florin');

/** Starts sending traces, if OTEL_EXPORTER_OTLP_ENDPOINT is set. The returned function flushes the rest. */
export async function startTracing(): Promise<() => Promise<void>> {
  if (env.otlpEndpoint === null) return async () => {};
  const [sdk, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new OTLPTraceExporter({ url: `${env.otlpEndpoint}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'florin', 'deployment.environment.name': env.appEnv }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  tracing.isOn = true;
  return () => provider.shutdown();
}

/** Traces a request. The caller's trace is linked, not continued: callers must not control sampling or trace ids. */
export function tracedRequest<Result extends { status: number }>(
  { method, route, headers, id }: { method: string; route: string; headers: Headers; id: string },
  work: Work<Result>,
): Promise<Result> {
  if (!isOn()) return work();
  const attributes = { 'http.request.method': method, 'http.route': route, 'florin.request_id': id };
  const options = { kind: SpanKind.SERVER, attributes, links: linksOf(headers) };
  return tracer().startActiveSpan(`${method} ${route}`, options, (span) =>
    endSpan(span, async () => {
      const response = await work();
      span.setAttribute('http.response.status_code', response.status);
      if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      return response;
    }),
  );
}

/** Traces a call to a provider or a merchant's server. `outcomeOf` returns the attributes of its outcome. */
export function tracedCall<Result>(
  name: string,
  attributes: Attributes,
  work: Work<Result>,
  outcomeOf: (result: Result) => Attributes,
): Promise<Result> {
  if (!isOn()) return work();
  return tracer().startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, (span) =>
    endSpan(span, async () => {
      const result = await work();
      span.setAttributes(outcomeOf(result));
      return result;
    }),
  );
}

/** Traces a statement by its name. Statements outside of a trace, such as a job's polling, start none. */
export function tracedStatement<Result>(name: string, work: Work<Result>): Promise<Result> {
  if (!isOn() || trace.getActiveSpan() === undefined) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
  return tracer().startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, (span) => endSpan(span, work));
}

/** The header with which a tracing provider can join its spans; empty outside of a trace. */
export function traceHeaders(): { traceparent?: string } {
  const span = isOn() ? trace.getActiveSpan()?.spanContext() : undefined;
  if (!span) return {};
  return { traceparent: `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}` };
}

/** The id of the current trace, for the log. */
export function currentTraceId(): string | undefined {
  return isOn() ? trace.getActiveSpan()?.spanContext().traceId : undefined;
}

async function endSpan<Result>(span: Span, work: Work<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    // Error messages may quote the request; the error's class does not.
    span.setAttribute('error.type', thrown instanceof Error ? thrown.name : typeof thrown);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw thrown;
  } finally {
    span.end();
  }
}

const traceParent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function linksOf(headers: Headers): Link[] {
  const [, traceId, spanId, flags] = traceParent.exec(headers.get('traceparent') ?? '') ?? [];
  if (!traceId || !spanId || !flags) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true } }];
}
