import { describe, expect, it } from 'vitest';
import { buildMatcher, httpResult, type Route } from './route.ts';

const row = (method: string, path: string): Route => ({ method, path, run: () => httpResult(path) });
const match = buildMatcher([
  row('GET', '/pay/:token'),
  row('POST', '/pay/:token'),
  row('GET', '/pay/:token/state'),
  row('GET', '/pay/help'),
  row('POST', '/api/v1/payment/status'),
  row('GET', '/api/*'),
  row('POST', '/notify/:connector/:mid'),
  row('GET', '/'),
]);

function shown(method: string, path: string): string {
  const found = match(method, path);
  if (found === null) return '-';
  if ('allow' in found) return `allow ${found.allow.join(' ')}`;
  const params = Object.entries(found.params).map(([name, value]) => `${name}=${value}`);
  return [found.route.method, found.route.path, ...params].join(' ');
}

describe('the lookup of paths', () => {
  it.each(
    `
    GET     /pay/abc                | GET /pay/:token token=abc
    HEAD    /pay/abc                | GET /pay/:token token=abc
    POST    /pay/abc                | POST /pay/:token token=abc
    PUT     /pay/abc                | allow GET POST
    GET     /pay/help               | GET /pay/help
    GET     /pay/help/state         | GET /pay/:token/state token=help
    GET     /pay/                   | -
    GET     /pay                    | -
    GET     /pay/a%20b              | GET /pay/:token token=a b
    GET     /pay/a%2Fb              | GET /pay/:token token=a/b
    GET     /pay/%E0%A4%A           | -
    GET     /pay/abc/state          | GET /pay/:token/state token=abc
    GET     /pay/abc/other          | -
    POST    /api/v1/payment/status  | POST /api/v1/payment/status
    GET     /api/v1/payment/status  | allow POST
    GET     /api/v1/other           | GET /api/* *=v1/other
    POST    /notify/http/7          | POST /notify/:connector/:mid connector=http mid=7
    GET     /                       | GET /
    GET     /elsewhere              | -
    `
      .trim()
      .split('\n')
      .map(
        (line) =>
          line
            .trim()
            .split(/\s*\|\s*|\s+(?=\/)/, 2)
            .concat(line.split(/\|\s*/)[1] ?? '') as [string, string, string],
      ),
  )('%s %s', (method, rest, expected) => {
    expect(shown(method, rest.split(' ')[0] ?? '')).toBe(expected.trim());
  });

  it('keeps parameters out of the prototype', () => {
    const found = buildMatcher([row('GET', '/x/:__proto__')])('GET', '/x/1');
    expect(found && 'params' in found && Object.getPrototypeOf(found.params)).toBe(Object.prototype);
  });

  it('refuses a table with two routes of the same method and path', () => {
    expect(() => buildMatcher([row('GET', '/a/:x'), row('GET', '/a/:y')])).toThrow('Two routes for GET /a/:y');
  });
});
