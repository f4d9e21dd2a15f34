/** Kinds of personal data that can be searched for in values, by their names in settings. */
export const detectors = ['email', 'phone', 'card', 'ip'] as const
export type Detector = (typeof detectors)[number]
