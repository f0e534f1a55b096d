// What the documents at /openapi are made of: the part of OpenAPI 3.1 that is used here, and the extensions beside it.
// Types alone, so that the pages that draw a document know its shape and nothing of where it comes from.

/** A JSON Schema of dialect 2020-12, as far as it is looked at. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: { readonly [name: string]: Schema };
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  examples?: readonly unknown[];
  'x-rules'?: readonly FieldRule[];
  'x-refused'?: readonly string[];
  /** Told only where the protocol mapping has it on. */
  'x-switched'?: boolean;
  readonly [name: string]: unknown;
};

/** What several fields have to obey together; `fields` are their paths. */
export type FieldRule = { fields: readonly string[]; text: string };

/** One way to sign a request. */
export type Formula = { when: string; formula: string };

/** A refusal that an operation may answer with. */
export type OperationError = { key: string; code: number; http: number; message: string; when: string };

/** A request that can be sent as it stands, and what it is for. */
export type Example = { summary: string; value: { readonly [name: string]: unknown } };

/** One operation, whether it has an address of its own or shares it and is told by `action`. */
export type Operation = {
  /** `session`, `SALE`. */
  name: string;
  summary: string;
  request: { $ref: string };
  answer: { $ref: string };
  examples: readonly Example[];
  formulas: readonly Formula[];
  errors: readonly OperationError[];
};

/** An operation with where it is found. `x-operations` holds several that share an address. */
export type PathItem = {
  readonly [method: string]: {
    summary: string;
    'x-operations': readonly Operation[];
    readonly [name: string]: unknown;
  };
};

/** What is posted to a merchant's server when a payment changes. */
export type Callback = {
  summary: string;
  body: { $ref: string };
  headers: readonly { name: string; description: string }[];
  examples: readonly Example[];
  formulas: readonly Formula[];
};

export type OpenApi = {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  paths: { readonly [path: string]: PathItem };
  webhooks: { callback: { post: { 'x-callback': Callback; readonly [name: string]: unknown } } };
  components: { schemas: { readonly [name: string]: Schema }; readonly [name: string]: unknown };
  'x-errors': readonly OperationError[];
  readonly [name: string]: unknown;
};

/** The documents, by the name of their file. */
export const documentNames = ['checkout', 's2s-card', 's2s-apm'] as const;
export type DocumentName = (typeof documentNames)[number];
