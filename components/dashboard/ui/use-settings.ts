'use client';
// The state of a settings page: the stored object, its form, saving over the version that the user saw, and reloading.
import { useState } from 'react';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import { request } from './request.ts';

type Options<Page, Values> = {
  initial: Page;
  /** The path of the object: read, and written with the version. */
  path: string;
  valuesOf: (page: Page) => Values;
  /** The body of a change, without the version. */
  toSend?: (values: Values, page: Page) => object;
  /** Whether the server checks a change before the user confirms it. */
  checks?: boolean;
  mode?: 'onSubmit' | 'onTouched';
};

export type Settings<Page, Values extends FieldValues> = {
  page: Page;
  /** Shows an object as the server returned it; the form starts from it. */
  take: (page: Page) => void;
  /** Shows an object of which another part was changed; the form stays. */
  put: (page: Page) => void;
  form: UseFormReturn<Values>;
  save: (values: Values) => Promise<void>;
  check?: (values: Values) => Promise<string[]>;
  /** Loads the stored object; the user's changes stay. */
  reload: () => Promise<void>;
};

export function useSettings<Page extends { version: number }, Values extends FieldValues>(
  options: Options<Page, Values>,
): Settings<Page, Values> {
  const { initial, path, valuesOf, toSend = (values) => values, checks, mode } = options;
  const [page, setPage] = useState(initial);
  const form = useForm<Values>({ defaultValues: valuesOf(initial) as DefaultValues<Values>, mode });
  const take = (next: Page) => {
    setPage(next);
    form.reset(valuesOf(next));
  };
  const bodyOf = (values: Values) => ({ version: page.version, ...toSend(values, page) });
  const reload = async () => {
    const next = await request<Page>(path);
    const mine = carryOver(valuesOf(page), form.getValues(), valuesOf(next));
    take(next);
    form.reset(mine, { keepDefaultValues: true });
  };
  const check = async (values: Values) => {
    const checked = await request<{ warnings?: string[] }>(`${path}?check=1`, { body: bodyOf(values), reads: true });
    return checked.warnings ?? [];
  };
  return {
    page,
    take,
    put: setPage,
    form,
    reload,
    save: async (values) => take(await request<Page>(path, { body: bodyOf(values) })),
    ...(checks && { check }),
  };
}

/** The `fresh` values with what `now` changed against `before`. Objects are compared member by member, lists whole. */
export function carryOver<Value>(before: Value, now: Value, fresh: Value): Value {
  if (!isObject(before) || !isObject(now) || !isObject(fresh)) {
    return JSON.stringify(before) === JSON.stringify(now) ? fresh : now;
  }
  const names = new Set([...Object.keys(fresh), ...Object.keys(now)]);
  const members = [...names].map((name) => [name, carryOver(before[name], now[name], fresh[name])]);
  return Object.fromEntries(members) as Value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
