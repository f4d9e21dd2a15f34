import { structuredCloneGlobals } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'

/** The globals structuredClone and queueMicrotask, which need no host calls. */
export function structuredClonePart(): GuestApiPart {
  return { globals: structuredCloneGlobals }
}
