/** The order of the method list, and the facts about the payer's device that it uses. */
import type { Method } from '../methods/method.ts';

export type Device = {
  isPhone: boolean;
  /** The wallet of the device's system, by its name for payers. */
  wallet?: 'Apple Pay' | 'Google Pay';
};

export type OrderFacts = {
  /** The merchant gave the order of the methods: it is kept. */
  isMerchantOrder: boolean;
  /** The payer's country (alpha-2), if known. */
  country?: string;
  currency: string;
  device: Device;
  /** Recent successful payments at the merchant, by method; empty if there are too few. */
  successes: ReadonlyMap<string, number>;
};

/**
 * The methods in the order of the page. A merchant's order is final. Otherwise methods of the payer's country come
 * first (of the order's currency, while the country is unknown) and those of other countries last; then the wallet of
 * the device, on a phone the methods of apps, and methods that payers of this merchant often succeed with. What is
 * equal keeps its order.
 */
export function orderMethods<Row extends Pick<Method, 'id' | 'name' | 'kind' | 'countries' | 'currencies'>>(
  methods: readonly Row[],
  facts: OrderFacts,
): Row[] {
  if (facts.isMerchantOrder) return [...methods];
  const ranks = new Map(methods.map((method) => [method, ranksOf(method, facts)]));
  return [...methods].sort((one, other) => {
    const [first = [], second = []] = [ranks.get(one), ranks.get(other)];
    const at = first.findIndex((rank, place) => rank !== second[place]);
    return at < 0 ? 0 : (first[at] ?? 0) - (second[at] ?? 0);
  });
}

/** By criterion, the most important first; a lower number comes first. */
function ranksOf(
  { id, name, kind, countries, currencies }: Pick<Method, 'id' | 'name' | 'kind' | 'countries' | 'currencies'>,
  { country, currency, device, successes }: OrderFacts,
): number[] {
  return [
    country === undefined ? placeRank(currencies, currency) : placeRank(countries, country),
    name === device.wallet ? 0 : 1,
    device.isPhone && kind === 'app' ? 0 : 1,
    -(successes.get(id) ?? 0),
  ];
}

/** 0: made for this place; 1: for every place; 2: for others. */
function placeRank(places: readonly string[] | undefined, place: string): number {
  if (places === undefined) return 1;
  return places.includes(place) ? 0 : 2;
}

/** The device by the headers of a request; a guess, which decides about nothing but the order. */
export function deviceOf(headers: Headers): Device {
  // The patterns take quadratic time.
  const agent = (headers.get('user-agent') ?? '').slice(0, 512);
  const isPhone = headers.get('sec-ch-ua-mobile') === '?1' || /iPhone|Android.*Mobile/.test(agent);
  if (/Android/.test(agent)) return { isPhone, wallet: 'Google Pay' };
  // On a Mac, only Safari has the wallet; every other browser that names Safari names Chrome too.
  const isApple = /iPhone|iPad/.test(agent) || (/Macintosh.*Safari/.test(agent) && !/Chrome/.test(agent));
  return isApple ? { isPhone, wallet: 'Apple Pay' } : { isPhone };
}
