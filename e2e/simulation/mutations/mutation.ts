export type Replacement = { file: string; from: string; to: string };
/** A planted fault: a text of a file of the service, and what replaces it; `also`: where a rule is checked again. */
export type Mutation = Replacement & { name: string; also?: Replacement[] };
