/** A planted fault: a text of a file of the service, and what replaces it. */
export type Mutation = { name: string; file: string; from: string; to: string };
