// Serves the OpenAPI documents as public files.
import { documentFileNames } from '../core/openapi.ts';
import { cacheableJson, type HttpRequest, type HttpResult, type Route } from '../http/index.ts';
import { documentOf } from './document.ts';
import { providerDocument } from './provider.ts';

/** GET /openapi/checkout.json, /openapi/s2s-card.json, /openapi/s2s-apm.json, /openapi/provider.json. */
export const openApiRoutes: Route[] = documentFileNames.map((name) => {
  let serve: ((request: HttpRequest) => HttpResult) | undefined;
  return {
    method: 'GET',
    path: `/openapi/${name}.json`,
    run: (request) => {
      serve ??= cacheableJson(JSON.stringify(name === 'provider' ? providerDocument() : documentOf(name), null, 1), {
        'access-control-allow-origin': '*',
      });
      return serve(request);
    },
  };
});
