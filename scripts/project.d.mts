// The part of scripts/project.mjs that its test reads.
export const root: string;
export const serverFlags: readonly string[];
