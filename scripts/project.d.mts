export const root: string;
export const memorySettings: { environment: Record<string, string>; arguments: string[] };
