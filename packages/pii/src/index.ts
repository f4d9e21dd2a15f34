export { defaultPiiReplacements, maskText, type PiiReplacements } from './mask-text.ts'
export { createPiiFinder, type PiiFinder, type PiiKind, type PiiSpan, piiKinds } from './pii-finder.ts'
