export type NodePackage = { name: string; version: string; integrity: string };
export const packages: Record<string, NodePackage>;
export function isSupported(version: string): boolean;
export function packageFor(platform: string, arch: string): NodePackage;
export function lockOf(wanted: NodePackage): { packages: Record<string, Record<string, unknown>> };
export function ensureNode(): Promise<void>;
