/** Kinds of personal data that are looked for in values, as people name them. */
export const detectors = ['email', 'phone', 'card', 'ip'] as const
export type Detector = (typeof detectors)[number]
