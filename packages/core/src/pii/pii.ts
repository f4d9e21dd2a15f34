/** Finding and masking personal data in texts. An entry of its own, because commands that look at no event need none of it. */
export { type Detector, detectors } from './detectors.ts'
export { defaultPiiReplacements, maskText, type PiiReplacements } from './mask-text.ts'
export { createPiiFinder, type PiiFinder, type PiiKind, type PiiSpan, piiKinds } from './pii-finder.ts'
