// Limits and states of the branding editor.

/** The maximum size of a logo file in bytes. */
export const logoBytesMax = 200 * 1024;

/** States of the payment page that the preview shows. */
export const previewStates = ['form', 'declined', 'done'] as const;
export type PreviewState = (typeof previewStates)[number];
