export type Part = { kind: 'code' | 'comment' | 'string'; text: string; at: number };
export type Lists = { names: Map<string, string>; phrases: Map<string, string> };
export function partsOf(text: string): Part[];
export function findingsOf(path: string, text: string, lists: Lists): { line: number; what: string; use: string }[];
