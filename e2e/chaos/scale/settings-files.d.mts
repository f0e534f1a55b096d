/** The settings called `name` with `values` in the place of `${NAME}`; each that they name has to be there. */
export function fill(name: string, values: Record<string, string | number>): string;
