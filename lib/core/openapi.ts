// Types of the documents at /openapi: the used part of OpenAPI 3.1 and its extensions. Types only, so that the pages
// that render a document do not depend on its source.

/** A JSON Schema of dialect 2020-12, limited to the members that are read. */
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
  /** Present only if the protocol mapping enables it. */
  'x-switched'?: boolean;
  readonly [name: string]: unknown;
};

/** A rule over several fields; `fields` are their paths. */
export type FieldRule = { fields: readonly string[]; text: string };

/** One way to sign a request. */
export type Formula = { when: string; formula: string };

/** An API error that an operation may return. */
export type OperationError = { key: string; code: number; http: number; message: string; when: string };

/** A request that can be sent unchanged, and its purpose. */
export type Example = { summary: string; value: { readonly [name: string]: unknown } };

/** One operation. It has its own address, or shares one and is selected by `action`. */
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

/** The operations of a path. `x-operations` contains several if they share the address. */
export type PathItem = {
  readonly [method: string]: {
    summary: string;
    'x-operations': readonly Operation[];
    readonly [name: string]: unknown;
  };
};

/** The message that is posted to a merchant's server when a payment changes. */
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

/** The documents of the protocols by file name. The reference pages for merchants are made from these. */
export const documentNames = ['checkout', 's2s-card', 's2s-apm'] as const;
export type DocumentName = (typeof documentNames)[number];

/** All documents at /openapi by file name: those of the protocols, and that of the provider contract. */
export const documentFileNames = [...documentNames, 'provider'] as const;
